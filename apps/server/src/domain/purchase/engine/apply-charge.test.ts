import { ORDER_STATUSES, type OrderStatus, PAYMENT_STATUSES, type PaymentStatus } from '@coinslot/contract';
import { chargeIn, disputeIn, purchaseIn } from '@coinslot/testing/purchase-samples';
import { phrase } from '@coinslot/texts/attention';
import { describe, expect, it } from 'vitest';
import { NEXT_PHASE, type OrderPhase, phaseOf } from '../../order/order.ts';
import { NEXT_STATUS as NEXT_PAYMENT_STATUS } from '../../payment/payment.ts';
import type { Charge, ChargeStatus } from '../../payment/providers/base/charge-shape.ts';
import { nextAction, nextCheckInSeconds } from '../table/purchase-rules.ts';
import { applyCharge } from './apply-charge.ts';

const NOW = new Date('2026-01-01T12:00:00Z');
const CHARGE_STATUSES: ChargeStatus[] = [
  'requires_action',
  'processing',
  'authorized',
  'captured',
  'declined',
  'voided',
  'refunded',
];
const DISPUTES: Charge['disputes'][] = [
  [],
  [disputeIn('open')],
  [disputeIn('won')],
  [disputeIn('lost')],
  [disputeIn('prevented')],
];

const CHARGES: (Charge | 'absent')[] = [
  'absent',
  ...CHARGE_STATUSES.flatMap(status => DISPUTES.map(disputes => chargeIn(status, { disputes }))),
];

function reachable<Status extends string>(table: Record<Status, object>, from: Status): Set<Status> {
  const seen = new Set<Status>([from]);
  for (const status of seen) for (const next of Object.values(table[status])) seen.add(next as Status);
  return seen;
}

const NEVER_GRANTED: readonly OrderStatus[] = ['created', 'pending', 'canceled', 'expired'];

const CASES = ORDER_STATUSES.flatMap(order =>
  PAYMENT_STATUSES.flatMap(payment =>
    (NEVER_GRANTED.includes(order) ? [false] : [false, true]).map(granted => ({ order, payment, granted })),
  ),
);

describe.each(CASES)('an order that is $order with a payment that is $payment (granted: $granted)', facts => {
  const purchase = purchaseIn(facts.order, facts.payment, facts.granted ? NOW : null);

  it('takes every answer of the provider without failing and by the tables only', () => {
    for (const charge of CHARGES) {
      const after = applyCharge(purchase, charge, NOW);
      expect(reachable<OrderPhase>(NEXT_PHASE, phaseOf(purchase.order))).toContain(phaseOf(after.order));
      expect(reachable<PaymentStatus>(NEXT_PAYMENT_STATUS, facts.payment)).toContain(after.payment.status);
      expect(after.askGame).toBe(facts.order === 'pending' && after.order.status === 'authorized');
      const isCollected = ['paid', 'disputed', 'charged_back'].includes(after.order.status);
      expect(after.events.includes('order.paid')).toBe(facts.order === 'authorized' && isCollected);
      const isReturned = ['authorized', 'paid', 'disputed'].includes(facts.order) && after.order.status === 'refunded';
      const isEnded = facts.order === 'authorized' && after.order.status === 'rejected';
      const isReversed = facts.order !== 'charged_back' && after.order.status === 'charged_back';
      expect(after.revokeItems).toBe(isReversed ? 'chargeback' : isReturned || isEnded ? 'refund' : null);
    }
  });

  it('captures only what is granted, and gives a next step and date for whatever comes out', () => {
    for (const charge of CHARGES) {
      const after = applyCharge(purchase, charge, NOW);
      if (after.events.includes('order.paid')) expect(facts.granted).toBe(true);
      expect(['look_up', 'capture', 'void_or_refund', 'none']).toContain(nextAction(after));
      if (nextAction(after) === 'capture') expect(after.order).toMatchObject({ status: 'authorized', grantedAt: NOW });
      const seconds = nextCheckInSeconds(after, charge);
      expect(seconds === null || seconds >= 0).toBe(true);
    }
  });

  it('says the same when the same answer comes again (row 10)', () => {
    for (const charge of CHARGES) {
      const once = applyCharge(purchase, charge, NOW);
      const twice = applyCharge(once, charge, NOW);
      expect([twice.order.status, twice.payment.status]).toEqual([once.order.status, once.payment.status]);
      expect([twice.askGame, twice.revokeItems, twice.events]).toEqual([false, null, []]);
    }
  });
});

describe('an amount or currency that is not the order’s (row 13)', () => {
  const WRONG = [{ amountMinor: 101 }, { amountMinor: 1 }, { currency: 'EUR' }, { amountMinor: 0 }];

  it('waits for review, and says so if the bank questions it', () => {
    const charge = chargeIn('captured', { amountMinor: 101, disputes: [disputeIn('open')] });
    const { payment } = applyCharge(purchaseIn('pending', 'pending'), charge, NOW);
    expect(payment.attention).toMatchObject({
      code: 'amount_differs',
      detail: [{ key: 'amount_differs', values: { theirs: '1.01 USD', ours: '1.00 USD' } }, { key: 'questioned' }],
    });
  });

  it.each(WRONG)('is held for review and not asked of the game: %j', wrong => {
    for (const status of ['authorized', 'captured'] as const) {
      const after = applyCharge(purchaseIn('pending', 'pending'), chargeIn(status, wrong), NOW);
      expect(after.order.status).toBe('pending');
      expect(after.payment).toMatchObject({ status: 'pending', problem: [{ key: 'amount_differs' }] });
      expect(after.askGame).toBe(false);
      expect(nextCheckInSeconds(after, chargeIn(status, wrong))).toBeNull();
    }
  });

  it.each(WRONG)('never completes an order: %j', wrong => {
    const after = applyCharge(purchaseIn('authorized', 'authorized', NOW), chargeIn('captured', wrong), NOW);
    expect(after.order.status).toBe('authorized');
    expect(after).toMatchObject({ events: [], payment: { problem: [{ key: 'amount_differs' }] } });
    expect(nextCheckInSeconds(after, chargeIn('captured', wrong))).toBeNull();
  });
});

describe('money at the provider for an attempt that is over here (row 9)', () => {
  it.each(['declined', 'abandoned'] as const)('is given back when the payment was %s', status => {
    for (const order of ['created', 'expired', 'canceled', 'paid'] as const) {
      for (const held of ['authorized', 'captured'] as const) {
        const after = applyCharge(purchaseIn(order, status), chargeIn(held), NOW);
        expect(after.order.status).toBe(order);
        expect(nextAction(after)).toBe('void_or_refund');
        expect(nextCheckInSeconds(after, chargeIn(held))).toBeGreaterThan(0);
        const done = applyCharge(after, chargeIn(held === 'captured' ? 'refunded' : 'voided'), NOW);
        expect(done.payment.problem).toBeNull();
        expect([nextAction(done), nextCheckInSeconds(done, chargeIn('voided'))]).toEqual(['none', null]);
      }
    }
  });

  it('is not thought to be there when the provider declined as well', () => {
    const after = applyCharge(purchaseIn('created', 'abandoned'), chargeIn('declined'), NOW);
    expect([after.payment.problem, nextAction(after)]).toEqual([null, 'none']);
  });
});

describe('a record that contradicts itself', () => {
  it('is held for people to look at instead of asking the provider for ever', () => {
    const after = applyCharge(purchaseIn('canceled', 'pending'), chargeIn('authorized'), NOW);
    expect(after.order.status).toBe('canceled');
    expect(after.payment).toMatchObject({ status: 'pending', problem: [{ key: 'contradiction' }] });
    expect(after).toMatchObject({ askGame: false, changed: true });
  });
});

describe('a dispute', () => {
  it('that is lost before it was ever seen open passes through disputed', () => {
    const lost = chargeIn('captured', { disputes: [disputeIn('lost')] });
    const after = applyCharge(purchaseIn('paid', 'succeeded', NOW), lost, NOW);
    expect(after).toMatchObject({ order: { status: 'charged_back' }, payment: { status: 'charged_back' } });
    expect(after.events).toEqual(['payment.disputed', 'order.disputed', 'payment.charged_back', 'order.charged_back']);
  });

  it('that closed before the answer to the capture came is not missed', () => {
    const lost = chargeIn('captured', { disputes: [disputeIn('lost')] });
    const after = applyCharge(purchaseIn('authorized', 'authorized', NOW), lost, NOW);
    expect(after).toMatchObject({ order: { status: 'charged_back' }, revokeItems: 'chargeback' });
    expect(after.events).toContain('order.paid');
  });

  it('of a refunded payment is recorded and moves nothing (row 36)', () => {
    const lost = chargeIn('refunded', { disputes: [disputeIn('lost')] });
    const after = applyCharge(purchaseIn('refunded', 'refunded', NOW), lost, NOW);
    expect(after).toMatchObject({ order: { status: 'refunded' }, payment: { disputeReason: 'fraudulent' } });
    expect([after.revokeItems, after.events]).toEqual([null, []]);
  });
});

describe('money that the provider returned without being asked', () => {
  it('makes the order refunded and takes the items back, once', () => {
    const after = applyCharge(purchaseIn('paid', 'succeeded', NOW), chargeIn('refunded'), NOW);
    expect(after).toMatchObject({
      order: { status: 'refunded' },
      payment: { status: 'refunded' },
      revokeItems: 'refund',
    });
    expect(after.payment.refundReason).toBe('Returned at the provider.');
    expect(after.events).toEqual(['payment.refunded', 'order.refunded']);
    expect(applyCharge(after, chargeIn('refunded'), NOW)).toMatchObject({ revokeItems: null, events: [] });
  });

  it('while the bank only asked settles the question and refunds', () => {
    const open = chargeIn('refunded', { disputes: [disputeIn('won', { reason: 'general' })] });
    const after = applyCharge(purchaseIn('disputed', 'disputed', NOW), open, NOW);
    expect(after).toMatchObject({
      order: { status: 'refunded' },
      payment: { status: 'refunded' },
      revokeItems: 'refund',
    });
  });

  it('before we counted on it leaves the order payable', () => {
    const after = applyCharge(purchaseIn('pending', 'pending'), chargeIn('refunded'), NOW);
    expect(after).toMatchObject({ order: { status: 'created' }, payment: { status: 'abandoned' }, revokeItems: null });
  });
});

describe('a reservation that ends at the provider while the game is asked', () => {
  it('ends the sale: without money nothing is sold, and what was granted goes', () => {
    const after = applyCharge(purchaseIn('authorized', 'authorized', NOW), chargeIn('voided'), NOW);
    expect(after).toMatchObject({
      order: { status: 'rejected' },
      payment: { status: 'voided' },
      revokeItems: 'refund',
    });
    expect(after.order.problem).toEqual([{ key: 'reservation_ended' }]);
  });
});

describe('money that takes days', () => {
  it('leaves the order pending and is asked for when the provider says', () => {
    const slow = chargeIn('processing', { askAgainInSeconds: 86_400 });
    for (const status of ['pending', 'requires_action'] as const) {
      const after = applyCharge(purchaseIn('pending', status), slow, NOW);
      expect([after.order.status, after.payment.status]).toEqual(['pending', status]);
      expect(nextCheckInSeconds(after, slow)).toBe(86_400);
    }
  });
});

describe('a bank that reports fraud', () => {
  const warned = chargeIn('captured', { warning: { kind: 'fraud_warning', reason: 'made_with_lost_card' } });
  const paid = purchaseIn('paid', 'succeeded');

  it('is what a member looks at, as long as nothing else is', () => {
    const { payment } = applyCharge(paid, warned, NOW);
    expect(payment.attention).toMatchObject({ code: 'fraud_warning', since: NOW });
    const later = applyCharge({ ...paid, payment }, warned, new Date('2026-01-02T12:00:00Z'));
    expect(later.payment.attention).toMatchObject({ code: 'fraud_warning', since: NOW });
    expect(applyCharge({ ...paid, payment }, chargeIn('captured'), NOW).payment.attention).toBeNull();
  });

  it('does not hide a refund that was refused: that stays until it is done', () => {
    const detail = [phrase('refused.refund', { reason: 'no' })];
    const attention = { code: 'refund_refused' as const, detail, isFinal: true, since: NOW, nextCheckAt: null };
    const refused = { ...paid, payment: { ...paid.payment, attention } };
    expect(applyCharge(refused, warned, NOW).payment.attention).toEqual(attention);
  });
});

it('a part that went back is listed again once the dispute that hid it is over (row 165)', () => {
  const part = { refundedMinor: 40 };
  const open = applyCharge(
    purchaseIn('paid', 'succeeded'),
    chargeIn('captured', { ...part, disputes: [disputeIn('open')] }),
    NOW,
  );
  expect(open.payment).toMatchObject({ status: 'disputed', attention: { code: 'dispute_open' } });
  const won = chargeIn('captured', { ...part, disputes: [disputeIn('won')] });
  const after = applyCharge(open, won, NOW);
  expect(after.payment).toMatchObject({ status: 'succeeded', attention: { code: 'amount_differs' } });
  const settled = { ...open, payment: { ...open.payment, settledAt: NOW } };
  expect(applyCharge(settled, won, NOW).payment.attention).toBeNull();
});
