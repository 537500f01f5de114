import type { BalanceKind } from '@coinslot/contract';
import type Stripe from 'stripe';
import type { BalanceEntry, DayRange } from '../base/provider.ts';
import { pagesOf } from './list-day.ts';
import { fromStripeAmount } from './stripe-amount.ts';
import { type StripeClient, TIMEOUTS_MS } from './stripe-client.ts';
import { faultOf } from './stripe-context.ts';

/** By Stripe's own grouping, where it has one, else by the type. */
const KIND_OF: Readonly<Record<string, BalanceKind>> = {
  charge: 'payment',
  payment: 'payment',
  refund: 'refund',
  payment_refund: 'refund',
  refund_failure: 'refund',
  payment_failure_refund: 'refund',
  partial_capture_reversal: 'refund',
  dispute: 'dispute',
  dispute_reversal: 'dispute',
  payout: 'payout',
  payout_cancel: 'payout',
  payout_failure: 'payout',
  payout_reversal: 'payout',
  stripe_fee: 'fee',
  fee: 'fee',
  tax_fee: 'fee',
};

type Source = Exclude<Stripe.BalanceTransaction['source'], string | null> | null;

const sourceOf = ({ source }: Stripe.BalanceTransaction): Source => (typeof source === 'object' ? source : null);

function chargeOf(source: Source): string | null {
  if (!source || !('payment_intent' in source)) return null;
  const { payment_intent: intent } = source;
  return typeof intent === 'string' ? intent : (intent?.id ?? null);
}

function originalOf(source: Source, currency: string): BalanceEntry['original'] {
  if (source?.object !== 'charge' && source?.object !== 'refund') return null;
  const paidIn = source.currency.toUpperCase();
  if (paidIn === currency) return null;
  const amount = source.object === 'charge' ? source.amount_captured : -source.amount;
  return { amountMinor: fromStripeAmount(amount, paidIn), currency: paidIn };
}

function entryOf(booked: Stripe.BalanceTransaction, payoutId: string | null): BalanceEntry {
  const currency = booked.currency.toUpperCase();
  const source = sourceOf(booked);
  const kind = KIND_OF[booked.reporting_category] ?? KIND_OF[booked.type] ?? 'other';
  return {
    entryId: booked.id,
    kind,
    type: booked.type,
    grossMinor: fromStripeAmount(booked.amount, currency),
    feeMinor: fromStripeAmount(booked.fee, currency),
    currency,
    original: originalOf(source, currency),
    chargeId: chargeOf(source),
    payoutId: kind === 'payout' ? (source?.id ?? null) : payoutId,
    atSeconds: booked.created,
  };
}

/** Only of payouts that Stripe makes by itself does it say what they are made of. */
const automaticPayout = (booked: Stripe.BalanceTransaction): string | null => {
  const source = sourceOf(booked);
  return booked.type === 'payout' && source?.object === 'payout' && source.automatic ? source.id : null;
};

/** What Stripe booked on a day, and all that the day's payouts are made of, whenever it was booked. */
export async function* stripeEntries(
  client: StripeClient,
  { fromSeconds, toSeconds }: DayRange,
): AsyncGenerator<BalanceEntry[]> {
  const options = { timeout: TIMEOUTS_MS.ask };
  const list = (of: Stripe.BalanceTransactionListParams) =>
    pagesOf(cut => client.balanceTransactions.list({ ...cut, ...of, expand: ['data.source'] }, options));
  try {
    for await (const page of list({ created: { gte: fromSeconds, lt: toSeconds } })) {
      yield page.map(booked => entryOf(booked, null));
      for (const payout of page.flatMap(booked => automaticPayout(booked) ?? [])) {
        for await (const inside of list({ payout })) {
          yield inside.filter(({ type }) => type !== 'payout').map(booked => entryOf(booked, payout));
        }
      }
    }
  } catch (error) {
    // A restricted key that may not read the balance: the test of the connection tells it.
    if (faultOf(error).statusCode !== 403) throw error;
  }
}
