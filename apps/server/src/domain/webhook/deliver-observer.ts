import type { Signals } from '../../db/signals.ts';
import { insertAttempt } from './attempt.sql.ts';
import { type AttemptDeps, attemptDelivery, targetOf } from './attempt-delivery.ts';
import { type Delivery, updateDeliveryOutcome, updateNextUnblocked } from './delivery.sql.ts';
import { disableGone } from './disable-gone.ts';
import { judgeAttempt } from './judge-attempt.ts';
import { lockEnvironmentShared, type Target } from './subscription.sql.ts';

export interface ObserverDeps extends AttemptDeps {
  /** Where the subscription points now; those who are sent to it at the same moment may share the look. */
  readTarget: (environmentId: string, subscriptionId: string) => Promise<Target | null>;
  signals: Signals;
  random: () => number;
}

/** Tells an observer once and records what it answered. Nothing waits for it but its own next event. */
export async function deliverObserver(deps: ObserverDeps, delivery: Delivery): Promise<void> {
  const target = await deps.readTarget(delivery.environmentId, delivery.subscriptionId!);
  if (!target) return hold(deps, delivery);
  const { exchange, headers } = await attemptDelivery(deps, delivery, target);
  const { kind, lane, attemptsMade } = delivery;
  const facts = { kind, lane, attemptsMade, exchange, random: deps.random() };
  const verdict = judgeAttempt({ ...facts, stillWanted: true, isGranted: false });
  const outcome = { ...verdict, lastStatus: exchange.status, lastError: exchange.error };
  await deps.db.shared(delivery.orderId ?? delivery.id, async tx => {
    if (!(await updateDeliveryOutcome(tx, delivery, outcome))) return;
    if (target.enabledLogs) insertAttempt(tx, delivery, target.url, headers, exchange);
    if (verdict.disableSubscription) await disableGone(tx, delivery.environmentId, target.subscriptionId);
    if (verdict.status === 'pending' || verdict.status === 'held' || delivery.orderId === null) return;
    if (await updateNextUnblocked(tx, delivery)) tx.afterCommit(() => deps.signals.announce('deliveries'));
  });
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
