import { createRegistration, missingEvents } from '../../base/callbacks.ts';
import type { Callbacks } from '../../base/provider.ts';
import { paypalFaultOf } from '../paypal-fault.ts';
import type { PaypalClient } from '../wire/paypal-client.ts';
import type { PaypalCertificates } from './paypal-certificates.ts';
import { readCallback } from './read-callback.ts';
import { verifyCallback } from './verify-callback.ts';

/** What PayPal must send. The same list stands in the guide and on the dashboard's page. */
export const CALLBACK_EVENTS = [
  'CHECKOUT.ORDER.APPROVED',
  'PAYMENT.AUTHORIZATION.CREATED',
  'PAYMENT.AUTHORIZATION.VOIDED',
  'PAYMENT.CAPTURE.COMPLETED',
  'PAYMENT.CAPTURE.DECLINED',
  'PAYMENT.CAPTURE.PENDING',
  'PAYMENT.CAPTURE.REFUNDED',
  'PAYMENT.CAPTURE.REVERSED',
  'PAYMENT.REFUND.PENDING',
  'PAYMENT.REFUND.FAILED',
  'CUSTOMER.DISPUTE.CREATED',
  'CUSTOMER.DISPUTE.UPDATED',
  'CUSTOMER.DISPUTE.RESOLVED',
] as const;

interface Webhook {
  id: string;
  url: string;
  event_types?: { name?: string }[];
}

const WEBHOOKS = '/v1/notifications/webhooks';

export const paypalCallbacks = (client: PaypalClient, certificates: PaypalCertificates): Required<Callbacks> => ({
  read: readCallback,
  verify: (request, account) => verifyCallback(client, certificates, request, account),
  ...createRegistration({
    events: CALLBACK_EVENTS,
    faultOf: paypalFaultOf,
    async list(account) {
      const { webhooks = [] } = await client.call<{ webhooks?: Webhook[] }>(account, { method: 'GET', path: WEBHOOKS });
      return webhooks.map(({ id, url, event_types: types = [] }) => ({
        id,
        url,
        events: types.flatMap(({ name }) => name ?? []),
      }));
    },
    // PayPal refuses a second webhook for an address, so an older one that sends less is taken down first.
    async add(account, url, [there]) {
      if (there && missingEvents(CALLBACK_EVENTS, [there]).length === 0) return there.id;
      if (there) await client.call(account, { method: 'DELETE', path: `${WEBHOOKS}/${there.id}` });
      const body = { url, event_types: CALLBACK_EVENTS.map(name => ({ name })) };
      return (await client.call<Webhook>(account, { method: 'POST', path: WEBHOOKS, body })).id;
    },
  }),
});
