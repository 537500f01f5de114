import { createHmac } from 'node:crypto';
import { sameBytes } from '../../../../kit/seal.ts';
import { bodyOf, createRegistration, headerOf, isObject, objectOf, shortText } from '../base/callbacks.ts';
import type { CallbackHint, Callbacks, CallbackVerdict } from '../base/provider.ts';
import { ASK, type StripeClients } from './stripe-client.ts';
import { stripeFaultOf } from './stripe-fault.ts';

/** What Stripe must send. The same list stands in the guide and on the dashboard's page. */
export const CALLBACK_EVENTS = [
  'payment_intent.succeeded',
  'payment_intent.amount_capturable_updated',
  'payment_intent.processing',
  'payment_intent.requires_action',
  'payment_intent.payment_failed',
  'payment_intent.canceled',
  'charge.refunded',
  'refund.created',
  'refund.updated',
  'refund.failed',
  'charge.dispute.created',
  'charge.dispute.updated',
  'charge.dispute.closed',
  'charge.dispute.funds_withdrawn',
  'charge.dispute.funds_reinstated',
  'radar.early_fraud_warning.created',
  'radar.early_fraud_warning.updated',
  'review.opened',
  'review.closed',
] as const;

const TOLERANCE_SECONDS = 300;

interface Parts {
  timestamp: string;
  signatures: string[];
}

function partsOf(header: string): Parts | null {
  const pairs = header.split(',').map(part => part.trim().split('=', 2));
  const timestamp = pairs.find(([name]) => name === 't')?.[1];
  const signatures = pairs.filter(([name]) => name === 'v1').map(([, value]) => value ?? '');
  return timestamp !== undefined && /^\d{1,12}$/.test(timestamp) && signatures.length > 0
    ? { timestamp, signatures }
    : null;
}

function isSignedBy(secret: string, { timestamp, signatures }: Parts, body: Buffer): boolean {
  const expected = createHmac('sha256', secret).update(`${timestamp}.`).update(body).digest();
  return signatures.some(signature => sameBytes(Buffer.from(signature, 'hex'), expected));
}

/** Stripe signs time and bytes. While a secret is rolled there are two signatures; any right one will do. */
function judgeSignature(header: string, body: Buffer, secret: string | null, nowSeconds: number): CallbackVerdict {
  const parts = partsOf(header);
  if (!parts) return 'missing';
  if (secret === null || !isSignedBy(secret, parts, body)) return 'wrong';
  return Math.abs(nowSeconds - Number(parts.timestamp)) > TOLERANCE_SECONDS ? 'too_old' : 'right';
}

/** An expanded object or its id. */
const idOf = (value: unknown): string | null => shortText(isObject(value) ? value.id : value);

/** Null: not an event. */
function readCallback(body: Buffer): CallbackHint | null {
  const event = bodyOf(body);
  const eventId = shortText(event?.id);
  const type = shortText(event?.type);
  const data = objectOf(event?.data).object;
  if (event?.object !== 'event' || eventId === null || type === null || !isObject(data)) return null;
  const isIntent = data.object === 'payment_intent';
  const metadata = isIntent ? objectOf(data.metadata) : {};
  return {
    eventId,
    type,
    intentId: isIntent ? shortText(data.id) : idOf(data.payment_intent),
    paymentId: shortText(metadata.payment_id),
    environmentId: shortText(metadata.environment_id),
    isDispute: data.object === 'dispute',
    isWarning: data.object === 'radar.early_fraud_warning',
  };
}

export const stripeCallbacks = (clients: StripeClients): Callbacks => ({
  read: readCallback,
  verify: async (request, { callbackSecret }, nowSeconds) =>
    judgeSignature(headerOf(request, 'stripe-signature'), request.body, callbackSecret, nowSeconds),
  ...createRegistration({
    events: CALLBACK_EVENTS,
    faultOf: stripeFaultOf,
    async list({ secretKey }) {
      const { data } = await (await clients(secretKey)).webhookEndpoints.list({ limit: 100 }, ASK);
      return data.map(({ id, url, enabled_events: events, status }) => ({
        id,
        url,
        events,
        isOff: status !== 'enabled',
      }));
    },
    // Stripe shows the signing secret only when the endpoint is created, so an older endpoint for the same address is deleted.
    async add({ secretKey }, url, there) {
      const client = await clients(secretKey);
      const made = await client.webhookEndpoints.create(
        { url, enabled_events: [...CALLBACK_EVENTS], description: 'Coinslot' },
        ASK,
      );
      for (const { id } of there) await client.webhookEndpoints.del(id, {}, ASK);
      return made.secret ?? '';
    },
  }),
});
