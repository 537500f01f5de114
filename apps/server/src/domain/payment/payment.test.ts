import { PAYMENT_STATUSES, type PaymentStatus } from '@coinslot/contract';
import { describe, expect, it } from 'vitest';
import { decide, NEXT_STATUS, type Payment, type PaymentCommand } from './payment.ts';

const NOW = new Date('2026-01-01T00:00:00Z');
const COMMANDS = [...new Set(PAYMENT_STATUSES.flatMap(status => Object.keys(NEXT_STATUS[status]) as PaymentCommand[]))];

const paymentIn = (status: PaymentStatus): Payment => ({
  environmentId: 'env_1',
  id: 'pay_1',
  orderId: 'ord_1',
  playerId: 'p',
  status,
  gateway: 'simulator',
  method: 'card',
  brand: null,
  last4: null,
  country: null,
  email: null,
  amountMinor: 1,
  currency: 'USD',
  responseCode: null,
  responseDescription: null,
  refundReason: null,
  disputeReason: null,
  disputeStatus: null,
  problem: null,
  attention: null,
  instructions: null,
  saveMethod: false,
  createdAt: NOW,
  updatedAt: NOW,
  version: 1,
  authorizedAt: null,
  capturedAt: null,
  refundedAt: null,
  settledAt: null,
});

describe.each(PAYMENT_STATUSES)('a payment that is %s', status => {
  it.each(COMMANDS)('answers %s by the table and nothing else', command => {
    const expected = (NEXT_STATUS[status] as Partial<Record<PaymentCommand, PaymentStatus>>)[command];
    const decision = decide(paymentIn(status), command, NOW);
    if (!expected) expect(decision).toEqual({ refused: 'wrong_status' });
    else expect(decision).toMatchObject({ payment: { status: expected, updatedAt: NOW } });
  });
});

describe('the table', () => {
  it('reaches every status from pending', () => {
    const seen = new Set<PaymentStatus>(['pending']);
    for (const status of seen) for (const next of Object.values(NEXT_STATUS[status])) seen.add(next);
    expect([...seen].toSorted()).toEqual([...PAYMENT_STATUSES].toSorted());
  });

  it('captures only what is authorized, so money is captured at most once', () => {
    expect(PAYMENT_STATUSES.filter(status => 'capture' in NEXT_STATUS[status])).toEqual(['authorized']);
  });

  it('moves no money after a refund or a chargeback', () => {
    expect(NEXT_STATUS.refunded).toEqual({ fail_refund: 'succeeded' });
    expect(NEXT_STATUS.charged_back).toEqual({});
  });
});
