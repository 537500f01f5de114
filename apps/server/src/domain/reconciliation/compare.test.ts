import { ORDER_STATUSES, PAYMENT_STATUSES, type PaymentStatus } from '@coinslot/contract';
import { chargeIn } from '@coinslot/testing/purchase-samples';
import { describe, expect, it } from 'vitest';
import type { Charge } from '../payment/providers/base/gateway.ts';
import { differenceOf, SUMMARIES, WHAT_TO_DO } from './compare.ts';
import { fitsFor, type Held, heldBy, type OrderPhase } from './expected.ts';

const ORDERS: readonly OrderPhase[] = [...ORDER_STATUSES, 'granted'];
const DAY = 86_400;

const dispute = (status: NonNullable<Charge['dispute']>['status']) => ({ dispute: { status, reason: 'x' } });

/** A charge for everything that a provider can hold. */
const SAMPLES: Readonly<Record<Held, Charge | null>> = {
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
const HELD = Object.keys(SAMPLES) as Held[];

const purchase = (orderPhase: OrderPhase, status: PaymentStatus, ageSeconds = 0) => ({
  orderPhase,
  status,
  ageSeconds,
  isSettled: false,
  amountMinor: 100,
  currency: 'USD',
});

/** How long a pair and a holding fit, as a person would say it, else what the difference is called. */
function verdict(order: OrderPhase, payment: PaymentStatus, held: Held): string {
  const kind = differenceOf(purchase(order, payment), SAMPLES[held]);
  if (kind) return kind;
  const limit = fitsFor(order, payment)![held]!;
  if (limit === Number.POSITIVE_INFINITY) return 'fits';
  return limit < DAY ? `fits for ${limit / 3_600} h` : `fits for ${limit / DAY} d`;
}

const pairs = ORDERS.flatMap(order => PAYMENT_STATUSES.map(payment => ({ order, payment })));

describe('what fits what the provider holds', () => {
  it('is this table', async () => {
    const rows = pairs.map(({ order, payment }) => {
      if (!fitsFor(order, payment)) return `${order} / ${payment}: contradicts itself`;
      const cells = HELD.map(held => `    ${held}: ${verdict(order, payment, held)}`);
      return [`${order} / ${payment}`, ...cells].join('\n');
    });
    await expect(`${rows.join('\n')}\n`).toMatchFileSnapshot('expected.txt');
  });

  it('has a sample for everything that a provider can hold', () => {
    for (const held of HELD) expect(heldBy(SAMPLES[held])).toBe(held);
  });

  it('is green in no cell that the table does not name, however young, and in none for longer than it says', () => {
    for (const { order, payment } of pairs) {
      const fits = fitsFor(order, payment);
      for (const held of HELD) {
        const limit = fits?.[held];
        const young = differenceOf(purchase(order, payment, limit ?? 0), SAMPLES[held]);
        expect(young === null, `${order} / ${payment} / ${held}`).toBe(limit !== undefined);
        if (limit !== undefined && limit !== Number.POSITIVE_INFINITY) {
          expect(differenceOf(purchase(order, payment, limit + 1), SAMPLES[held])).toBe('overdue');
        }
      }
    }
  });

  it('is never a refusal, an unclear dispute, a part of the money or a contradiction', () => {
    for (const { order, payment } of pairs) {
      for (const held of ['refund_failed', 'dispute_unclear', 'partly_refunded'] as const) {
        expect(differenceOf(purchase(order, payment), SAMPLES[held])).not.toBeNull();
      }
    }
    expect(differenceOf(purchase('created', 'succeeded'), SAMPLES.captured)).toBe('record_contradicts');
  });

  it('is not green for money that the provider has never heard of', () => {
    const green = pairs.filter(({ order, payment }) => !differenceOf(purchase(order, payment, 3 * DAY), null));
    expect(new Set(green.map(({ payment }) => payment))).toEqual(new Set(['declined', 'abandoned']));
  });

  it('is green for money that a member settled elsewhere until a bank or the provider moves it', () => {
    const settled = { ...purchase('rejected', 'succeeded', 365 * DAY), isSettled: true };
    const green = HELD.filter(held => differenceOf(settled, SAMPLES[held]) === null);
    expect(green).toEqual(['absent', 'authorized', 'captured', 'refund_failed', 'dispute_won']);
    expect(differenceOf({ ...settled, isSettled: false }, SAMPLES.captured)).toBe('record_contradicts');
    expect(differenceOf({ ...settled, amountMinor: 99 }, SAMPLES.captured)).toBe('amount_differs');
  });

  it('includes the amount and the currency of whatever is held', () => {
    for (const held of ['authorized', 'captured', 'refunded', 'disputed', 'partly_refunded'] as const) {
      const ours = purchase('paid', 'succeeded');
      expect(differenceOf(ours, { ...SAMPLES[held]!, amountMinor: 99 })).toBe('amount_differs');
      expect(differenceOf(ours, { ...SAMPLES[held]!, currency: 'EUR' })).toBe('currency_differs');
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
  ] as const)('of %s / %s and %s is %s', (order, payment, held, kind) => {
    expect(differenceOf(purchase(order, payment), SAMPLES[held])).toBe(kind);
  });

  it('always has a sentence and says what to do', () => {
    for (const text of [...Object.values(SUMMARIES), ...Object.values(WHAT_TO_DO)])
      expect(text).toMatch(/^[A-Z].{20,}\.$/);
  });
});
