import type Stripe from 'stripe';
import { OutcomeUnknown } from '../base/gateway.ts';
import type { ProviderCharge } from '../base/provider-charge.sql.ts';
import type { StripeSession } from './read-intent.ts';
import { toStripeAmount } from './stripe-amount.ts';
import { ASK, type StripeClient } from './stripe-client.ts';
import { stripeFaultOf } from './stripe-fault.ts';

/** How far the clocks and the call may be apart from the row that was written before it. */
const AROUND_SECONDS = 600;
const PAGES = 20;
/** The list was longer than is worth reading. */
const TOO_MANY = Symbol('too many');
/** Longer than any call takes, and than a list is behind. */
const STORED_ERROR_SECONDS = 120;

const isOf = (row: ProviderCharge, { metadata }: Stripe.PaymentIntent): boolean =>
  metadata.payment_id === row.paymentId && metadata.environment_id === row.environmentId;

/** By the payment's own id, however many came since. It may be behind, and accounts in India have none. */
async function findBySearch(client: StripeClient, row: ProviderCharge): Promise<string | null> {
  const query = `metadata['payment_id']:'${row.paymentId}'`;
  try {
    const { data } = await client.paymentIntents.search({ query, limit: 10 }, ASK);
    return data.find(intent => isOf(row, intent))?.id ?? null;
  } catch (error) {
    const fault = stripeFaultOf(error);
    if (fault && !fault.isUncertain) return null;
    throw error;
  }
}

/** Lists are read from where they were written, so this one is not behind. Newer payments are outside of its span. */
async function findInList(client: StripeClient, row: ProviderCharge): Promise<string | null | typeof TOO_MANY> {
  const at = Math.floor(row.createdAt.getTime() / 1000);
  const created = { gte: at - AROUND_SECONDS, lte: at + AROUND_SECONDS };
  let after: string | undefined;
  for (let page = 0; page < PAGES; page++) {
    const list = await client.paymentIntents.list(
      {
        limit: 100,
        created,
        ...(row.customerId !== null && { customer: row.customerId }),
        ...(after !== undefined && { starting_after: after }),
      },
      ASK,
    );
    const found = list.data.find(intent => isOf(row, intent));
    if (found) return found.id;
    if (!list.has_more) return null;
    after = list.data.at(-1)?.id;
  }
  return TOO_MANY;
}

/** Null: it is in neither. */
async function findIntent(client: StripeClient, row: ProviderCharge): Promise<string | null | typeof TOO_MANY> {
  return (await findBySearch(client, row)) ?? findInList(client, row);
}

/** Taken under the payment's own key with another body: from then on Stripe refuses the request that got lost. */
async function takeKey(client: StripeClient, row: ProviderCharge): Promise<'taken' | 'used'> {
  try {
    const idle = await client.paymentIntents.create(
      {
        amount: toStripeAmount(row.amountMinor, row.currency) ?? row.amountMinor,
        currency: row.currency.toLowerCase(),
        description: `Given up before it began: ${row.paymentId}`,
        metadata: { given_up: row.paymentId },
      },
      { idempotencyKey: row.paymentId, ...ASK },
    );
    // It asks no player for money. Ended all the same, so that it does not look unfinished.
    await client.paymentIntents.cancel(idle.id, {}, ASK).catch(() => {});
    return 'taken';
  } catch (error) {
    const fault = stripeFaultOf(error)?.facts;
    if (fault?.type === 'idempotency_error' && fault.statusCode !== 409) return 'used';
    // What Stripe would not take from us now, it would not have taken then: no such payment can come to be.
    if (fault?.type === 'invalid_request_error' && fault.statusCode === 400) return 'taken';
    throw error;
  }
}

/**
 * The name of an intent whose answer never came, or null when there is none and never will be. Nothing is charged here: the
 * payment's key is either found used, or used up for nothing.
 */
export async function findLostIntent(row: ProviderCharge, open: () => Promise<StripeSession>): Promise<string | null> {
  const { ask } = await open();
  return ask('where a payment is', async client => {
    const early = await findIntent(client, row);
    if (typeof early === 'string') return early;
    if ((await takeKey(client, row)) === 'taken') return null;
    const late = await findIntent(client, row);
    if (typeof late === 'string') return late;
    // The key is used and nothing came of it in all this time: an error is stored under it. Were there money after all, a
    // callback would name the payment, and it would be returned. Where a list was too long, the search catches up.
    if (late === null && row.ageSeconds >= STORED_ERROR_SECONDS) return null;
    throw new OutcomeUnknown('Stripe has heard of the payment, but does not list it yet.');
  });
}
