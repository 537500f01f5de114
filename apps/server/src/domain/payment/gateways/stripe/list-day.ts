import type Stripe from 'stripe';
import { type StripeClient, TIMEOUTS_MS } from './stripe-client.ts';

const PAGE = 100;

interface Page<T> {
  data: T[];
  has_more: boolean;
}

/** Page after page, so that a day of any length takes the memory of one. */
async function* pagesOf<T extends { id: string }>(
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

export interface DayRange {
  fromSeconds: number;
  toSeconds: number;
}

/** What Stripe has of a day. */
export function stripeDay(client: StripeClient, { fromSeconds, toSeconds }: DayRange) {
  const created = { gte: fromSeconds, lt: toSeconds };
  const options = { timeout: TIMEOUTS_MS.ask };
  return {
    payments: (): AsyncGenerator<Stripe.PaymentIntent[]> =>
      pagesOf(cut => client.paymentIntents.list({ ...cut, created, expand: ['data.latest_charge.refunds'] }, options)),
    refunds: (): AsyncGenerator<Stripe.Refund[]> => pagesOf(cut => client.refunds.list({ ...cut, created }, options)),
    disputes: (): AsyncGenerator<Stripe.Dispute[]> =>
      pagesOf(cut => client.disputes.list({ ...cut, created }, options)),
  };
}
