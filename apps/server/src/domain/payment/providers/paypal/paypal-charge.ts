import { faultIn } from '../base/fault.ts';
import { updateChargeGeneration } from '../base/provider-charge.sql.ts';
import type { AccountSession, LocatedCharge } from '../base/session.ts';
import type { ChargeFacts } from './charge-of-payment.ts';
import type { PaypalApi, PaypalCall } from './wire/paypal-client.ts';

export type PaypalSession = AccountSession<PaypalApi>;
export type PaypalCharge = LocatedCharge<PaypalApi>;

export const factsOf = ({ row }: PaypalCharge): ChargeFacts => ({
  amountMinor: row.amountMinor,
  currency: row.currency,
  orderId: row.intentId,
});

export const get = <T>({ ask }: PaypalSession, path: string): Promise<T> =>
  ask('a question', api => api<T>({ method: 'GET', path }));

/**
 * A call that moves money. PayPal remembers the answer under the request id, so that a call whose answer got lost may be
 * made again as it was; after an answer that is an error the next call takes another.
 */
export async function move<T>(
  { row, db, call: send }: PaypalCharge,
  what: string,
  call: Omit<PaypalCall, 'method' | 'requestId'>,
): Promise<T> {
  const { paymentId, generation } = row;
  const requestId = `${paymentId}-${what.replaceAll(' ', '-')}-${generation}`;
  try {
    return await send(what, api => api<T>({ method: 'POST', requestId, ...call }));
  } catch (error) {
    if (faultIn(error)?.isStored) await updateChargeGeneration(db, row, generation);
    throw error;
  }
}
