import type { BalanceKind } from '@coinslot/contract';
import type Stripe from 'stripe';
import {
  type BalanceEntry,
  type DayRange,
  eachPage,
  type ListedCharge,
  type ProviderDay,
} from '../base/provider-day.ts';
import { chargeOfIntent } from './charge-of-intent.ts';
import { hasFailed } from './refund-failure.ts';
import { fromStripeAmount } from './stripe-amount.ts';
import { ASK, type StripeClient } from './stripe-client.ts';
import { stripeFaultOf } from './stripe-fault.ts';

const PAGE = 100;
/** A bank may give a refund back this long after it was made, and a list knows only when it was made. */
const REFUND_FAILS_WITHIN_SECONDS = 30 * 86_400;

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

const MONEY_STATUSES: readonly string[] = ['requires_capture', 'succeeded', 'processing'];

function listed(intent: Stripe.PaymentIntent): ListedCharge {
  const { payment_id: paymentId, environment_id: environmentId, order_id: orderId = null } = intent.metadata;
  return {
    providerId: intent.id,
    ours: paymentId && environmentId ? { environmentId, paymentId, orderId } : null,
    isForeign: !paymentId && !intent.metadata.given_up,
    holdsMoney: MONEY_STATUSES.includes(intent.status),
    charge: chargeOfIntent(intent),
    isDisputed: typeof intent.latest_charge === 'object' && intent.latest_charge?.disputed === true,
  };
}

const intentIn = (value: string | { id: string } | null): string =>
  typeof value === 'string' ? value : (value?.id ?? '');

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

function originalOf(source: Source, booked: Stripe.BalanceTransaction): BalanceEntry['original'] {
  if (source?.object !== 'charge' && source?.object !== 'refund' && source?.object !== 'dispute') return null;
  const paidIn = source.currency.toUpperCase();
  if (paidIn === booked.currency.toUpperCase()) return null;
  const sign = booked.amount < 0 ? -1 : 1;
  const amount = sign * (source.object === 'charge' ? source.amount_captured : source.amount);
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
    original: originalOf(source, booked),
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
async function* entriesOf(client: StripeClient, { fromSeconds, toSeconds }: DayRange): AsyncGenerator<BalanceEntry[]> {
  const list = (of: Stripe.BalanceTransactionListParams) =>
    pagesOf(cut => client.balanceTransactions.list({ ...cut, ...of, expand: ['data.source'] }, ASK));
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
    // A restricted key may not read the balance. The test of the connection says so.
    if (stripeFaultOf(error)?.statusCode !== 403) throw error;
  }
}

export function stripeDay(client: StripeClient, { fromSeconds, toSeconds }: DayRange): ProviderDay {
  const created = { gte: fromSeconds, lt: toSeconds };
  const lately = { ...created, gte: fromSeconds - REFUND_FAILS_WITHIN_SECONDS };
  const expand = ['data.latest_charge.refunds'];
  const intents = () => pagesOf(cut => client.paymentIntents.list({ ...cut, created, expand }, ASK));
  const refunds = () => pagesOf(cut => client.refunds.list({ ...cut, created: lately }, ASK));
  const disputes = () => pagesOf(cut => client.disputes.list({ ...cut, created }, ASK));
  return {
    payments: () => eachPage(intents(), page => page.map(listed)),
    refunds: () =>
      eachPage(refunds(), page =>
        page
          .filter(refund => refund.created >= fromSeconds || hasFailed(refund))
          .map(refund => intentIn(refund.payment_intent)),
      ),
    disputes: () => eachPage(disputes(), page => page.map(dispute => intentIn(dispute.payment_intent))),
    entries: () => entriesOf(client, { fromSeconds, toSeconds }),
  };
}
