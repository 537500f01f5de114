import type { Signals } from '../../db/signals.ts';
import { type Delivery, updateDeliveryOutcome } from './delivery.sql.ts';
import { disableGone } from './disable-gone.ts';
import type { Ending } from './outcomes.sql.ts';
import { type AttemptDeps, attemptDelivery, targetOf } from './sending/attempt-delivery.ts';
import { judgeAttempt } from './sending/judge-attempt.ts';
import { lockEnvironmentShared, type Target } from './subscription.sql.ts';

export interface ObserverDeps extends AttemptDeps {
  recordOutcome: (ending: Ending) => Promise<void>;
  /** Where the subscription points now; those who are sent to it at the same moment may share the look. */
  readTarget: (environmentId: string, subscriptionId: string) => Promise<Target | null>;
  signals: Signals;
  random: () => number;
}

/** Tells an observer once and records what it answered. Nothing waits for it but its own next event. */
export async function deliverObserver(deps: ObserverDeps, delivery: Delivery, answered: () => void): Promise<void> {
  const target = await deps.readTarget(delivery.environmentId, delivery.subscriptionId!);
  if (!target) return hold(deps, delivery);
  const { exchange, headers } = await attemptDelivery(deps, delivery, target);
  answered();
  const { kind, lane, attemptsMade } = delivery;
  const facts = { kind, lane, attemptsMade, exchange, random: deps.random() };
  const verdict = judgeAttempt({ stillWanted: true, isGranted: false, ...facts });
  const outcome = { lastStatus: exchange.status, lastError: exchange.error, ...verdict };
  const log = target.enabledLogs ? { url: target.url, headers, exchange } : null;
  // First, so that what is held is held by a subscription that is off, also when this process ends here.
  if (verdict.disableSubscription) {
    await deps.db.transaction(tx => disableGone(tx, delivery.environmentId, target.subscriptionId));
  }
  await deps.recordOutcome({ delivery, outcome, log });
}

/** Decided under the lock that enabling takes too, so that it is either released or never held. */
function hold({ db, signals }: ObserverDeps, delivery: Delivery): Promise<void> {
  return db.transaction(async tx => {
    await lockEnvironmentShared(tx, delivery.environmentId);
    const status = (await targetOf(tx, delivery)) ? 'pending' : 'held';
    const lastError = 'the subscription is disabled';
    const { lastStatus } = delivery;
    await updateDeliveryOutcome(tx, delivery, { status, nextInMs: 0, lastStatus, lastError, notSent: true });
    if (status === 'pending') tx.afterCommit(() => signals.announce('deliveries'));
  });
}
