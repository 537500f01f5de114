import { PAYMENT_STATUSES } from '@coinslot/contract';
import { describe, expect, it } from 'vitest';
import { chargeIn } from '../../testing/purchase-samples.ts';
import { differenceOf, MONEY_STATUSES, SUMMARIES, WHAT_TO_DO } from './compare.ts';

const ours = (status: (typeof PAYMENT_STATUSES)[number]) => ({ status, amountMinor: 100, currency: 'USD' });

describe('our record and the provider’s', () => {
  it.each([
    ['succeeded', chargeIn('captured')],
    ['authorized', chargeIn('authorized')],
    ['authorized', chargeIn('captured')],
    ['declined', chargeIn('declined')],
    ['abandoned', chargeIn('voided')],
    ['pending', chargeIn('processing')],
    ['refund_requested', chargeIn('captured', { askAgainInSeconds: 60 })],
    ['refunded', chargeIn('refunded')],
    ['disputed', chargeIn('captured', { dispute: { status: 'open', reason: 'x' } })],
    ['charged_back', chargeIn('captured', { dispute: { status: 'lost', reason: 'x' } })],
    ['succeeded', chargeIn('captured', { dispute: { status: 'won', reason: 'x' } })],
  ] as const)('agree: %s', (status, charge) => {
    expect(differenceOf(ours(status), charge)).toBeNull();
  });

  it.each([
    ['pending', chargeIn('captured'), 'status_differs'],
    ['declined', chargeIn('authorized'), 'status_differs'],
    ['succeeded', chargeIn('captured', { amountMinor: 99 }), 'amount_differs'],
    ['succeeded', chargeIn('captured', { currency: 'EUR' }), 'currency_differs'],
    ['succeeded', chargeIn('refunded'), 'refund_missing_here'],
    ['refunded', chargeIn('captured'), 'refund_missing_there'],
    ['succeeded', chargeIn('captured', { refundedMinor: 40 }), 'partial_refund'],
    ['succeeded', chargeIn('captured', { dispute: { status: 'open', reason: 'x' } }), 'dispute_missing_here'],
    ['disputed', chargeIn('captured', { dispute: { status: 'lost', reason: 'x' } }), 'dispute_differs'],
    ['charged_back', chargeIn('captured'), 'dispute_differs'],
  ] as const)('differ: %s', (status, charge, kind) => {
    expect(differenceOf(ours(status), charge)).toBe(kind);
    expect([SUMMARIES[kind], WHAT_TO_DO[kind]].every(text => text.length > 20)).toBe(true);
  });

  it('differ when we count on money that the provider has never heard of', () => {
    for (const status of PAYMENT_STATUSES) {
      expect(differenceOf(ours(status), null)).toBe(MONEY_STATUSES.includes(status) ? 'missing_there' : null);
    }
  });
});
