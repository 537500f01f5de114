import { PAYMENT_STATUSES, type PaymentStatus } from '@coinslot/contract';
import { describe, expect, it } from 'vitest';
import { allowedPaymentCommands, decidePayment, NEXT_STATUS, type Payment, type PaymentCommand } from './payment.ts';

const NOW = new Date('2026-01-01T00:00:00Z');

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
  returnedMinor: 0,
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

/** Every legal step, written by hand from the contract's life of a payment and never computed. */
const LEGAL: readonly (readonly [PaymentStatus, PaymentCommand, PaymentStatus])[] = [
  ['pending', 'require_action', 'requires_action'],
  ['pending', 'authorize', 'authorized'],
  ['pending', 'decline', 'declined'],
  ['pending', 'abandon', 'abandoned'],
  ['requires_action', 'authorize', 'authorized'],
  ['requires_action', 'decline', 'declined'],
  ['requires_action', 'abandon', 'abandoned'],
  ['authorized', 'capture', 'succeeded'],
  ['authorized', 'void', 'voided'],
  ['authorized', 'request_refund', 'refund_requested'],
  ['succeeded', 'request_refund', 'refund_requested'],
  ['succeeded', 'open_dispute', 'disputed'],
  ['refund_requested', 'refund', 'refunded'],
  ['refund_requested', 'void', 'voided'],
  ['refund_requested', 'refuse_refund', 'succeeded'],
  ['refunded', 'fail_refund', 'succeeded'],
  ['disputed', 'win_dispute', 'succeeded'],
  ['disputed', 'lose_dispute', 'charged_back'],
  ['disputed', 'request_refund', 'refund_requested'],
];
const COMMANDS = [...new Set(LEGAL.map(([, command]) => command))];

describe.each(PAYMENT_STATUSES)('a payment that is %s', status => {
  it.each(COMMANDS)('answers %s as the contract says and in no other way', command => {
    const legal = LEGAL.find(([from, by]) => from === status && by === command);
    const decision = decidePayment(paymentIn(status), command, NOW);
    if (!legal) expect(decision).toEqual({ refused: 'wrong_status' });
    else expect(decision).toMatchObject({ payment: { status: legal[2], updatedAt: NOW, version: 1 } });
  });

  it('is offered exactly what is legal', () => {
    expect(allowedPaymentCommands(status)).toEqual(LEGAL.filter(([from]) => from === status).map(([, by]) => by));
  });
});

describe('the table', () => {
  it('is this', async () => {
    const rows = PAYMENT_STATUSES.map(status => {
      const steps = allowedPaymentCommands(status).map(command => {
        const decision = decidePayment(paymentIn(status), command, NOW);
        if ('refused' in decision) return `    ${command}: refused`;
        return `    ${command}: ${decision.payment.status}${decision.event ? `, emits ${decision.event}` : ''}`;
      });
      return [status, ...steps].join('\n');
    });
    await expect(`${rows.join('\n')}\n`).toMatchFileSnapshot('payment.txt');
  });

  it('reaches every status from pending', () => {
    const seen = new Set<PaymentStatus>(['pending']);
    for (const status of seen) for (const [from, , to] of LEGAL) if (from === status) seen.add(to);
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
