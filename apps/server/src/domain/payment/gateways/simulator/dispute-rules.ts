import type { Dispute } from '../gateway.ts';

export interface DisputeRules {
  /** From the capture until the bank questions it. */
  opensAfterSeconds: number;
  /** From then until the bank has decided. */
  closesAfterSeconds: number;
}

export const DISPUTE_RULES: DisputeRules = { opensAfterSeconds: 2, closesAfterSeconds: 3 };

export interface DisputeFacts {
  behavior: string;
  capturedAt: Date | null;
  refundedAt: Date | null;
  now: Date;
}

export interface DisputeNews {
  dispute: Dispute | null;
  askAgainInSeconds: number | null;
}

const REASON = 'fraudulent';
const QUIET: DisputeNews = { dispute: null, askAgainInSeconds: null };

/** A dispute is a function of time: it needs no worker, and a moved clock shows every stage. */
export function disputeAt({ behavior, capturedAt, refundedAt, now }: DisputeFacts, rules: DisputeRules): DisputeNews {
  if (capturedAt === null || (behavior !== 'dispute_lost' && behavior !== 'dispute_won')) return QUIET;
  const sinceCapture = (now.getTime() - capturedAt.getTime()) / 1000;
  const untilOpen = rules.opensAfterSeconds - sinceCapture;
  if (untilOpen > 0) return { dispute: null, askAgainInSeconds: Math.ceil(untilOpen) };
  const untilClosed = untilOpen + rules.closesAfterSeconds;
  if (untilClosed > 0) {
    return { dispute: { status: 'open', reason: REASON }, askAgainInSeconds: Math.ceil(untilClosed) };
  }
  // The player already has the money back, so the bank finds for the shop: nothing moves twice.
  const isWon = behavior === 'dispute_won' || refundedAt !== null;
  return { dispute: { status: isWon ? 'won' : 'lost', reason: REASON }, askAgainInSeconds: null };
}
