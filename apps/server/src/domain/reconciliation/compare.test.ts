import { type OrderStatus, PAYMENT_STATUSES, type PaymentStatus } from '@coinslot/contract';
import { chargeIn, disputeIn } from '@coinslot/testing/purchase-samples';
import { differences } from '@coinslot/texts/differences';
import { describe, expect, it } from 'vitest';
import { ORDER_PHASES, type OrderPhase, type OrderPhaseName } from '../order/order.ts';
import type { Charge, DisputeStatus } from '../payment/providers/base/charge-shape.ts';
import { PROVIDER_STATES, type ProviderState, providerStateOf } from '../purchase/table/provider-state.ts';
import { type PaymentPhase, rowFor } from '../purchase/table/purchase-table.ts';
import { differenceOf, type OurPurchase } from './compare.ts';

const AT = new Date('2026-01-01T00:00:00Z');
const DAY = 86_400;

const dispute = (status: DisputeStatus) => ({ disputes: [disputeIn(status)] });

/** A charge for everything that a provider can hold. */
const SAMPLES: Readonly<Record<ProviderState, Charge | null>> = {
  absent: null,
  requires_action: chargeIn('requires_action'),
  processing: chargeIn('processing', { askAgainInSeconds: 3_600 }),
  authorized: chargeIn('authorized'),
  captured: chargeIn('captured'),
  declined: chargeIn('declined'),
  voided: chargeIn('voided'),
  refunded: chargeIn('refunded', { refundedMinor: 100 }),
  refund_pending: chargeIn('captured', { askAgainInSeconds: 60, refundedMinor: 100 }),
  refund_failed: chargeIn('captured', { refundFailure: { reason: 'closed account', code: 'x' } }),
  partly_refunded: chargeIn('captured', { refundedMinor: 40 }),
  inquiry: chargeIn('captured', { ...dispute('inquiry'), askAgainInSeconds: 60 }),
  disputed: chargeIn('captured', { ...dispute('open'), askAgainInSeconds: 60 }),
  dispute_unclear: chargeIn('captured', { ...dispute('unclear'), askAgainInSeconds: 60 }),
  dispute_won: chargeIn('captured', dispute('won')),
  dispute_lost: chargeIn('captured', dispute('lost')),
  refunded_and_lost: chargeIn('refunded', dispute('lost')),
};

/** Where status and phase differ. */
const STATUS_IN: Partial<Record<OrderPhaseName, OrderStatus>> = {
  granted: 'authorized',
  canceled_by_refund: 'refund_requested',
  refunded_before_capture: 'refunded',
};
const NEVER_PAID: readonly OrderPhaseName[] = ['canceled_by_refund', 'refunded_before_capture'];
const RETURNING: readonly OrderStatus[] = ['refund_requested', 'refunded'];

const purchase = (phase: OrderPhaseName, status: PaymentStatus, ageSeconds = 0): OurPurchase => {
  const orderStatus = STATUS_IN[phase] ?? (phase as OrderStatus);
  return {
    orderStatus,
    grantedAt: phase === 'granted' ? AT : null,
    paidAt: RETURNING.includes(orderStatus) && !NEVER_PAID.includes(phase) ? AT : null,
    status,
    problem: null,
    settledAt: null,
    ageSeconds,
    amountMinor: 100,
    currency: 'USD',
  };
};

/** How long a pair and a holding fit, as a person would say it, else what the difference is called. */
function verdict(order: OrderPhaseName, payment: PaymentStatus, state: ProviderState): string {
  const kind = differenceOf(purchase(order, payment), SAMPLES[state]);
  if (kind) return kind;
  const limit = agrees(order, payment)![state]!;
  if (limit === Number.POSITIVE_INFINITY) return 'fits';
  return limit < DAY ? `fits for ${limit / 3_600} h` : `fits for ${limit / DAY} d`;
}

const agrees = (order: OrderPhaseName, payment: PaymentStatus) =>
  rowFor(order as OrderPhase, payment as PaymentPhase)?.agrees ?? null;

const pairs = (ORDER_PHASES as readonly OrderPhaseName[]).flatMap(order =>
  PAYMENT_STATUSES.map(payment => ({ order, payment })),
);

/** Such an attempt says nothing about its order. */
const ENDED: readonly PaymentStatus[] = ['declined', 'abandoned'];

describe('what fits what the provider holds', () => {
  it('is this table', async () => {
    const cells = (order: OrderPhaseName, payment: PaymentStatus) =>
      PROVIDER_STATES.map(state => `    ${state}: ${verdict(order, payment, state)}`);
    const live = pairs.flatMap(({ order, payment }) => {
      if (ENDED.includes(payment) || !agrees(order, payment)) return [];
      return [`${order} / ${payment}`, ...cells(order, payment)];
    });
    const ended = ENDED.flatMap(payment => [`any order / ${payment}`, ...cells('created', payment)]);
    const rows = [...live, ...ended, 'every other pair contradicts itself'];
    await expect(`${rows.join('\n')}\n`).toMatchFileSnapshot('compare.txt');
  });

  it('has a sample for everything that a provider can hold', () => {
    for (const state of PROVIDER_STATES) expect(providerStateOf(SAMPLES[state] ?? 'absent')).toBe(state);
  });

  it('is green in no cell that the table does not name, however young, and in none for longer than it says', () => {
    for (const { order, payment } of pairs) {
      const limits = agrees(order, payment);
      for (const state of PROVIDER_STATES) {
        const limit = limits?.[state];
        const young = differenceOf(purchase(order, payment, limit ?? 0), SAMPLES[state]);
        expect(young === null, `${order} / ${payment} / ${state}`).toBe(limit !== undefined);
        if (limit !== undefined && limit !== Number.POSITIVE_INFINITY) {
          expect(differenceOf(purchase(order, payment, limit + 1), SAMPLES[state])).toBe('overdue');
        }
      }
    }
  });

  it('is never a refusal, an unclear dispute, a part of the money or a contradiction', () => {
    for (const { order, payment } of pairs) {
      for (const state of ['refund_failed', 'dispute_unclear', 'partly_refunded'] as const) {
        expect(differenceOf(purchase(order, payment), SAMPLES[state])).not.toBeNull();
      }
    }
    expect(differenceOf(purchase('created', 'succeeded'), SAMPLES.captured)).toBe('record_contradicts');
  });

  it('does not call it a contradiction that the refund of a rejected order was refused: the table has that pair', () => {
    expect(differenceOf(purchase('rejected', 'succeeded'), SAMPLES.captured)).toBeNull();
    expect(differenceOf(purchase('rejected', 'succeeded', DAY), SAMPLES.captured)).toBe('overdue');
    expect(differenceOf(purchase('rejected', 'succeeded'), SAMPLES.refund_pending)).toBeNull();
    expect(differenceOf(purchase('rejected', 'succeeded'), SAMPLES.absent)).toBe('missing_there');
    expect(differenceOf(purchase('rejected', 'succeeded'), SAMPLES.refunded)).toBe('refund_missing_here');
  });

  it('knows every pair that the table has, and calls the others a contradiction', () => {
    for (const { order, payment } of pairs) {
      const isContradiction = differenceOf(purchase(order, payment), null) === 'record_contradicts';
      expect(isContradiction, `${order} / ${payment}`).toBe(agrees(order, payment) === null);
    }
  });

  it('is not green for money that the provider has never heard of', () => {
    const green = pairs.filter(({ order, payment }) => !differenceOf(purchase(order, payment, 3 * DAY), null));
    expect(new Set(green.map(({ payment }) => payment))).toEqual(new Set(['declined', 'abandoned']));
  });

  it('is green for money that a member settled elsewhere until a bank or the provider moves it', () => {
    const settled = { ...purchase('rejected', 'succeeded', 365 * DAY), settledAt: AT };
    const green = PROVIDER_STATES.filter(state => differenceOf(settled, SAMPLES[state]) === null);
    expect(green).toEqual(['absent', 'authorized', 'captured', 'refund_failed', 'dispute_won']);
    expect(differenceOf({ ...settled, settledAt: null }, SAMPLES.captured)).toBe('overdue');
    expect(differenceOf({ ...settled, amountMinor: 99 }, SAMPLES.captured)).toBe('amount_differs');
  });

  it('includes the amount and the currency of whatever is state', () => {
    for (const state of ['authorized', 'captured', 'refunded', 'disputed', 'partly_refunded'] as const) {
      const ours = purchase('paid', 'succeeded');
      expect(differenceOf(ours, { ...SAMPLES[state]!, amountMinor: 99 })).toBe('amount_differs');
      expect(differenceOf(ours, { ...SAMPLES[state]!, currency: 'EUR' })).toBe('currency_differs');
    }
  });
});

describe('a difference', () => {
  it.each([
    ['pending', 'pending', 'captured', 'status_differs'],
    ['created', 'declined', 'authorized', 'status_differs'],
    ['paid', 'succeeded', 'refunded', 'refund_missing_here'],
    ['paid', 'succeeded', 'disputed', 'dispute_missing_here'],
    ['paid', 'succeeded', 'dispute_lost', 'dispute_missing_here'],
    ['refunded', 'refunded', 'captured', 'refund_missing_there'],
    ['refunded', 'refunded', 'refund_failed', 'refund_failed'],
    ['rejected', 'voided', 'authorized', 'status_differs'],
    ['disputed', 'disputed', 'dispute_lost', 'dispute_differs'],
    ['charged_back', 'charged_back', 'captured', 'dispute_differs'],
  ] as const)('of %s / %s and %s is %s', (order, payment, state, kind) => {
    expect(differenceOf(purchase(order, payment), SAMPLES[state])).toBe(kind);
  });

  it('always has a sentence and says what to do', () => {
    for (const text of Object.values(differences.languages.en)) expect(text).toMatch(/^[A-Z].{20,}\.$/);
  });
});
