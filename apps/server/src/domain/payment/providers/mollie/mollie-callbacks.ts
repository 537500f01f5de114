import type { CallbackHint, Callbacks } from '../base/provider.ts';

/** A form with the payment's id and nothing else: unsigned, so it is no more than a reason to ask. */
function readCallback(body: Buffer): CallbackHint | null {
  const id = new URLSearchParams(body.toString('utf8')).get('id');
  if (!id || !/^tr_\w{1,60}$/.test(id)) return null;
  return {
    eventId: null,
    type: 'payment',
    intentId: id,
    paymentId: null,
    environmentId: null,
    isDispute: false,
    isWarning: false,
  };
}

/** The address goes with each payment, and Mollie sends every change of it there. */
export const mollieCallbacks: Callbacks = { events: [], read: readCallback };
