import type Stripe from 'stripe';
import type { DayRange, ListedCharge, ProviderDay } from '../base/provider.ts';
import { chargeOfIntent } from './charge-of-intent.ts';
import { hasFailed } from './refund-failure.ts';
import { type StripeClient, TIMEOUTS_MS } from './stripe-client.ts';

const PAGE = 100;
/** A bank may give a refund back this long after it was made, and a list knows only when it was made. */
const REFUND_FAILS_WITHIN_SECONDS = 30 * 86_400;

interface Page<T> {
  data: T[];
  has_more: boolean;
}

/** Page after page, so that a day of any length takes the memory of one. */
export async function* pagesOf<T extends { id: string }>(
  read: (cut: { limit: number; starting_after?: string }) => Promise<Page<T>>,
): AsyncGenerator<T[]> {
  let after: string | undefined;
  for (;;) {
    const page = await read({ limit: PAGE, ...(after !== undefined && { starting_after: after }) });
    yield page.data;
    after = page.data.at(-1)?.id;
    if (!page.has_more || after === undefined) return;
  }
}

const MONEY_STATUSES: readonly string[] = ['requires_capture', 'succeeded', 'processing'];

function listed(intent: Stripe.PaymentIntent): ListedCharge {
  const {
    payment_id: paymentId,
    environment_id: environmentId,
    order_id: orderId,
    given_up: givenUp,
  } = intent.metadata;
  const charge = chargeOfIntent(intent);
  return {
    providerId: intent.id,
    ours: paymentId && environmentId ? { environmentId, paymentId, orderId: orderId ?? null } : null,
    isForeign: !paymentId && !givenUp,
    holdsMoney: MONEY_STATUSES.includes(intent.status),
    charge,
    isDisputed: typeof intent.latest_charge === 'object' && intent.latest_charge?.disputed === true,
  };
}

const intentIn = (value: string | { id: string } | null): string =>
  typeof value === 'string' ? value : (value?.id ?? '');

async function* each<T, U>(pages: AsyncIterable<T[]>, of: (entry: T) => U): AsyncGenerator<U[]> {
  for await (const page of pages) yield page.map(of);
}

/** What Stripe has of a day. */
export function stripeDay(client: StripeClient, { fromSeconds, toSeconds }: DayRange): Omit<ProviderDay, 'entries'> {
  const created = { gte: fromSeconds, lt: toSeconds };
  const options = { timeout: TIMEOUTS_MS.ask };
  return {
    payments: () =>
      each(
        pagesOf(cut =>
          client.paymentIntents.list({ ...cut, created, expand: ['data.latest_charge.refunds'] }, options),
        ),
        listed,
      ),
    async *refunds() {
      const lately = { ...created, gte: fromSeconds - REFUND_FAILS_WITHIN_SECONDS };
      for await (const page of pagesOf(cut => client.refunds.list({ ...cut, created: lately }, options))) {
        const told = page.filter(refund => refund.created >= fromSeconds || hasFailed(refund));
        yield told.map(refund => intentIn(refund.payment_intent));
      }
    },
    disputes: () =>
      each(
        pagesOf(cut => client.disputes.list({ ...cut, created }, options)),
        dispute => intentIn(dispute.payment_intent),
      ),
  };
}
