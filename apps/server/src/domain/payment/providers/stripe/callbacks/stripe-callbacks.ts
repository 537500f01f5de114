import type Stripe from 'stripe';
import type { Callbacks } from '../../base/provider.ts';
import { asAccountProblem } from '../account/ask-account.ts';
import { type StripeClients, TIMEOUTS_MS } from '../stripe-client.ts';
import { judgeSignature } from './callback-signature.ts';
import { readCallback } from './read-callback.ts';

/** What Stripe must tell. The same list stands in the guide and on the dashboard's page. */
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

const asText = (header: string | string[] | undefined): string | undefined =>
  Array.isArray(header) ? header.join(',') : header;

/** Stripe tells the signing secret once, when the endpoint is made. An older one for the same address is taken down. */
async function registerAt(client: Stripe, url: string): Promise<string> {
  const { data } = await client.webhookEndpoints.list({ limit: 100 }, { timeout: TIMEOUTS_MS.ask });
  const made = await client.webhookEndpoints.create(
    { url, enabled_events: [...CALLBACK_EVENTS], description: 'Coinslot' },
    { timeout: TIMEOUTS_MS.ask },
  );
  for (const old of data.filter(endpoint => endpoint.url === url)) {
    await client.webhookEndpoints.del(old.id, {}, { timeout: TIMEOUTS_MS.ask });
  }
  return made.secret ?? '';
}

export const stripeCallbacks = (clients: StripeClients): Callbacks => ({
  events: CALLBACK_EVENTS,
  read: readCallback,
  async verify({ headers, body }, { callbackSecret }, nowSeconds) {
    const secrets = callbackSecret === null ? [] : [callbackSecret];
    return judgeSignature({ header: asText(headers['stripe-signature']), body, secrets, nowSeconds });
  },
  async register({ secretKey }, url) {
    try {
      return { secret: await registerAt(await clients(secretKey), url) };
    } catch (error) {
      return { problem: asAccountProblem(error) };
    }
  },
  async findRegistered({ secretKey }, url) {
    try {
      const client = await clients(secretKey);
      const { data } = await client.webhookEndpoints.list({ limit: 100 }, { timeout: TIMEOUTS_MS.ask });
      const there = data.filter(endpoint => endpoint.url === url && endpoint.status === 'enabled');
      const sent = new Set(there.flatMap(endpoint => endpoint.enabled_events));
      const missing = sent.has('*') ? [] : CALLBACK_EVENTS.filter(event => !sent.has(event));
      return { isThere: there.length > 0, missing };
    } catch {
      // A restricted key need not be allowed to look.
      return null;
    }
  },
});
