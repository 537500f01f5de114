import type { Db } from '../../../db/db.ts';
import type { Signals } from '../../../db/signals.ts';
import type { DeliveryTarget } from '../endpoints/delivery-target.sql.ts';
import { attemptDelivery, judgeAttempt, regularIn } from '../sending/attempt-delivery.ts';
import type { WebhookShop } from '../sending/send.ts';
import { type Delivery, updateDeliveryOutcome, type WrittenStatus } from './delivery.sql.ts';
import { holdDelivery, holdGoneDelivery } from './hold-delivery.ts';
import { queuesOf, updateQueueHeads } from './order-queue.sql.ts';
import { type Ending, updateOutcomes } from './outcomes.sql.ts';

interface ObserverShop extends WebhookShop {
  recordOutcome: (ending: Ending) => Promise<void>;
  /** Where the subscription points now; deliveries that are sent to it at the same moment may share the look. */
  readTarget: (environmentId: string, subscriptionId: string) => Promise<DeliveryTarget | null>;
  signals: Signals;
  random: () => number;
}

const OPEN: readonly string[] = ['pending', 'held'];

/** Attempts that end at the same time are recorded together: one statement and one commit for many observers. */
export function createOutcomeRecorder({
  db,
  signals,
}: {
  db: Db;
  signals: Signals;
}): (ending: Ending) => Promise<void> {
  return db.coalesce<Ending, void>({
    maxBatch: 128,
    // One at a time: two would have half of the rows each, and no sender waits for them.
    maxInFlight: 1,
    runMany: async (tx, endings) => {
      const settled = await updateOutcomes(tx, endings);
      const lines = queuesOf(settled.filter(({ status }) => !OPEN.includes(status)));
      const freed = lines.length > 0 ? await updateQueueHeads(tx.last, lines) : 0;
      if (freed > 0) tx.afterCommit(() => signals.announce('deliveries'));
      return endings.map(() => undefined);
    },
  });
}

/** Sends an event to an observer once and records the answer. Nothing waits for it but the observer's own next event. */
export async function deliverObserver(shop: ObserverShop, delivery: Delivery, answered: () => void): Promise<void> {
  const target = await shop.readTarget(delivery.environmentId, delivery.subscriptionId!);
  if (!target) return hold(shop, delivery);
  const attempted = await attemptDelivery(shop, delivery, target);
  answered();
  if (!attempted) return;
  const { exchange, headers } = attempted;
  const { kind, lane, attemptsMade, earlyAttempts } = delivery;
  const regularInMs = regularIn(delivery, shop.clock.nowSeconds() * 1000);
  const facts = { kind, lane, attemptsMade, earlyAttempts, regularInMs, exchange, random: shop.random() };
  const verdict = judgeAttempt({ stillWanted: true, isGranted: false, ...facts });
  const { status, nextInMs } = verdict;
  const outcome = { lastStatus: exchange.status, lastError: exchange.error, nextInMs, isEarly: regularInMs !== null };
  const log = target.enabledLogs ? { url: target.url, headers, exchange } : null;
  const endingWith = (written: WrittenStatus): Ending => ({ delivery, outcome: { status: written, ...outcome }, log });
  await (status === 'gone' ? recordGone(shop, delivery, target, endingWith) : shop.recordOutcome(endingWith(status)));
  await shop.endpointWatch.note(delivery, target, exchange);
}

/** One transaction, so that no member can enable the subscription after it is disabled and before the event is held. */
function recordGone(
  { db, signals }: ObserverShop,
  delivery: Delivery,
  target: DeliveryTarget,
  endingWith: (status: WrittenStatus) => Ending,
): Promise<void> {
  return db.transaction(async tx => {
    const status = await holdGoneDelivery(tx, delivery, target);
    await updateOutcomes(tx, [endingWith(status)]);
    if (status === 'pending') tx.afterCommit(() => signals.announce('deliveries'));
  });
}

function hold({ db, signals }: ObserverShop, delivery: Delivery): Promise<void> {
  return db.transaction(async tx => {
    const status = await holdDelivery(tx, delivery);
    const lastError = status === 'canceled' ? 'the subscription was deleted' : 'the subscription is disabled';
    const { lastStatus } = delivery;
    await updateDeliveryOutcome(tx, delivery, { status, nextInMs: 0, lastStatus, lastError, notSent: true });
    if (status === 'pending') tx.afterCommit(() => signals.announce('deliveries'));
  });
}
