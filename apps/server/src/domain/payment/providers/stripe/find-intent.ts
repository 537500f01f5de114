import { OutcomeUnknown } from '../base/gateway.ts';
import type { ProviderCharge } from '../base/provider-charge.sql.ts';
import type { StripeSession } from './read-intent.ts';
import { toStripeAmount } from './stripe-amount.ts';
import { ASK, type StripeClient } from './stripe-client.ts';
import { stripeFaultOf } from './stripe-fault.ts';

const PAGES = 5;
const EARLIER_SECONDS = 600;
/** Longer than any call takes, and than a list is behind. */
const STORED_ERROR_SECONDS = 120;

/** Lists are read from where they were written, unlike the search, which may be a minute behind. */
async function findInList(client: StripeClient, row: ProviderCharge): Promise<string | null> {
  const created = { gte: Math.floor(row.createdAt.getTime() / 1000) - EARLIER_SECONDS };
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
    const found = list.data.find(
      ({ metadata }) => metadata.payment_id === row.paymentId && metadata.environment_id === row.environmentId,
    );
    if (found) return found.id;
    if (!list.has_more) return null;
    after = list.data.at(-1)?.id;
  }
  throw new OutcomeUnknown('Too many payments to look through.');
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
    const listed = await findInList(client, row);
    if (listed !== null) return listed;
    if ((await takeKey(client, row)) === 'taken') return null;
    const late = await findInList(client, row);
    if (late !== null) return late;
    // The key is used and nothing came of it in all this time: an error is stored under it. Were there money after all, a
    // callback would name the payment, and it would be returned.
    if (row.ageSeconds >= STORED_ERROR_SECONDS) return null;
    throw new OutcomeUnknown('Stripe has heard of the payment, but does not list it yet.');
  });
}
