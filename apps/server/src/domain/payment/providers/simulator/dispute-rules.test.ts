import { expect, it } from 'vitest';
import { disputeAt } from './dispute-rules.ts';

const rules = { opensAfterSeconds: 2, closesAfterSeconds: 3, evidenceForSeconds: 100 };
const capturedAt = new Date('2026-01-01T00:00:00Z');
const charge = { paymentId: 'pay_1', amountMinor: 499, currency: 'USD' };
const after = (seconds: number): Date => new Date(capturedAt.getTime() + seconds * 1000);
const at = (behavior: string, seconds: number, refundedAt: Date | null = null) => {
  const facts = { ...charge, behavior, capturedAt, refundedAt, now: after(seconds) };
  const { disputes, askAgainInSeconds } = disputeAt(facts, rules);
  return [disputes[0]?.status ?? null, askAgainInSeconds];
};

it('a dispute opens, then closes, and news is promised until it has closed', () => {
  expect(at('dispute_lost', 0)).toEqual([null, 2]);
  expect(at('dispute_lost', 1.5)).toEqual([null, 1]);
  expect(at('dispute_lost', 2)).toEqual(['open', 3]);
  expect(at('dispute_lost', 4.9)).toEqual(['open', 1]);
  expect(at('dispute_lost', 5)).toEqual(['lost', null]);
  expect(at('dispute_won', 5)).toEqual(['won', null]);
});

it('a dispute about returned money is won, so that it is not returned twice', () => {
  expect(at('dispute_lost', 3, after(1))).toEqual(['open', 2]);
  expect(at('dispute_lost', 9, after(1))).toEqual(['won', null]);
});

it('other cards, and charges that were never captured, have no dispute and promise none', () => {
  expect(at('approve', 9)).toEqual([null, null]);
  const facts = { ...charge, behavior: 'dispute_lost', capturedAt: null, refundedAt: null, now: after(9) };
  expect(disputeAt(facts, rules)).toEqual({ disputes: [], askAgainInSeconds: null });
});

it('a bank that waits for evidence decides by whether it came, and a refund ends an inquiry', () => {
  const stageOf = (behavior: string, seconds: number, more: { evidenceAt?: Date; refundedAt?: Date } = {}) => {
    const facts = { ...charge, behavior, capturedAt, refundedAt: null, now: after(seconds), ...more };
    const [dispute] = disputeAt(facts, rules).disputes;
    return [dispute?.status, dispute?.evidenceStage];
  };
  const sent = { evidenceAt: after(10) };
  expect(stageOf('dispute_evidence', 50)).toEqual(['open', 'needed']);
  expect(stageOf('dispute_evidence', 12, sent)).toEqual(['open', 'submitted']);
  expect(stageOf('dispute_evidence', 13, sent)).toEqual(['won', 'submitted']);
  expect(stageOf('dispute_evidence', 102)).toEqual(['lost', 'closed']);
  expect(stageOf('inquiry', 50)).toEqual(['inquiry', 'needed']);
  expect(stageOf('inquiry', 50, { refundedAt: after(20) })).toEqual(['won', 'closed']);
  expect(stageOf('dispute_unclear', 5_000)).toEqual(['unclear', 'closed']);
});
