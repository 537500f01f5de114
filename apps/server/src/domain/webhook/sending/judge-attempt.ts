import type { DeliveryStatus, EventKind } from '@coinslot/contract';
import type { Exchange } from './exchange.ts';
import { nextAttempt, type RetryKind } from './retry.ts';

export interface AttemptFacts {
  kind: EventKind;
  lane: RetryKind;
  attemptsMade: number;
  exchange: Pick<Exchange, 'succeeded' | 'declined' | 'status' | 'retryAfterSeconds'>;
  /** False when the order went another way while the attempt was under way. */
  stillWanted: boolean;
  /** The game said yes before; a grant that is sent again cannot undo it. */
  isGranted: boolean;
  random: number;
  /** Until the studio wants the money released; null: as long as there are attempts. */
  releaseInMs?: number | null;
}

export interface Verdict {
  /** `gone`: whether it is held is decided under the environment's lock, with the subscription that is disabled. */
  status: Exclude<DeliveryStatus, 'held'> | 'gone';
  nextInMs: number | null;
}

const GONE = 410;

/** What an answer means for the delivery. What it means for the order is read off the delivery's status. */
export function judgeAttempt(facts: AttemptFacts): Verdict {
  const { exchange } = facts;
  const final = (status: Verdict['status']): Verdict => ({ status, nextInMs: null });
  if (exchange.succeeded || facts.isGranted) return final('succeeded');
  if (!facts.stillWanted) return final('canceled');
  if (exchange.status === GONE) return final('gone');
  if (exchange.declined && facts.lane === 'items') return final('declined');
  const next = nextAttempt({
    kind: facts.lane,
    attemptsMade: facts.attemptsMade,
    retryAfterSeconds: exchange.retryAfterSeconds,
    random: facts.random,
  });
  const releaseInMs = facts.releaseInMs ?? Number.POSITIVE_INFINITY;
  if (next === 'exhausted' || releaseInMs <= 0) return final('exhausted');
  // The last attempt comes when the time is up, not before: the game may be back by then.
  return { status: 'pending', nextInMs: Math.min(next.delayMs, releaseInMs) };
}
