import type { EventKind } from '@coinslot/contract';
import type { Tx } from '../../db/db.ts';
import { insertJob } from '../../jobs/jobs.sql.ts';
import { decide } from '../order/order.ts';
import { insertAttempt } from '../webhook/attempt.sql.ts';
import { type Delivery, updateDeliveryOutcome } from '../webhook/delivery.sql.ts';
import { holdDelivery, holdGoneDelivery } from '../webhook/hold-delivery.ts';
import { linesOf, updateLineHeads } from '../webhook/line.sql.ts';
import type { Attempted } from '../webhook/sending/attempt-delivery.ts';
import { judgeAttempt } from '../webhook/sending/judge-attempt.ts';
import type { Purchase } from './apply-charge.ts';
import type { FulfillmentDeps } from './fulfillment-deps.ts';
import { LEASE_SECONDS } from './next-step.ts';
import { type LockedPurchase, lockPurchase, savePurchase } from './save-purchase.ts';

export interface Settled extends Purchase {
  /** The order moved: its money must be collected or given back now. */
  moneyIsDue: boolean;
}

/** Steps up to here must be kept to the tenth of a second; beyond it the regular look every second is close enough. */
const REMIND_WITHIN_MS = 60_000;

const REJECTIONS = {
  declined: 'The game refused the items. The money was released.',
  exhausted: 'The game did not answer. The money was released.',
} as const;

const isRejection = (status: string): status is keyof typeof REJECTIONS => status in REJECTIONS;

/** What the game's answer to `item.add` does to the order; null: nothing. */
function moveOrder(
  { order, payment, now }: LockedPurchase,
  kind: EventKind,
  status: string,
): (Purchase & { events: EventKind[] }) | null {
  if (kind !== 'item.add' || order.status !== 'authorized') return null;
  if (status === 'succeeded') {
    return { order: { ...order, grantedAt: now, updatedAt: now, version: order.version + 1 }, payment, events: [] };
  }
  if (!isRejection(status)) return null;
  const decision = decide(order, 'reject', now);
  if ('refused' in decision) return null;
  return {
    order: { ...decision.order, problem: REJECTIONS[status] },
    payment,
    events: decision.event ? [decision.event] : [],
  };
}

const wishFor = ({ order }: Purchase, kind: EventKind) => ({
  stillWanted: kind !== 'item.add' || order.status === 'authorized',
  isGranted: kind === 'item.add' && order.grantedAt !== null,
});

/** How long an unanswered grant may still wait, where the studio has said. */
function releaseIn({ now }: LockedPurchase, { kind, createdAt }: Delivery, target: Attempted['target']): number | null {
  if (kind !== 'item.add' || target.releaseGrantAfterSeconds === null) return null;
  return createdAt.getTime() + target.releaseGrantAfterSeconds * 1000 - now.getTime();
}

/** Records the attempt, what it means for the delivery and for the order, and when to go on: one transaction. */
export function settleItemDelivery(
  { db, signals, random }: Pick<FulfillmentDeps, 'db' | 'signals' | 'random'>,
  delivery: Delivery,
  { exchange, target, headers }: Attempted,
): Promise<Settled | null> {
  return db.shared(delivery.orderId!, async tx => {
    const purchase = await lockPurchase(tx, delivery.environmentId, delivery.orderId!);
    const { attemptsMade, kind, lane } = delivery;
    const wish = wishFor(purchase!, kind);
    const releaseInMs = releaseIn(purchase!, delivery, target);
    const verdict = judgeAttempt({ kind, lane, attemptsMade, exchange, ...wish, random: random(), releaseInMs });
    const status = verdict.disableSubscription ? await holdGoneDelivery(tx, delivery, target) : verdict.status;
    const outcome = { lastStatus: exchange.status, lastError: exchange.error, ...verdict, status };
    if (!(await updateDeliveryOutcome(tx, delivery, outcome))) return null;
    if (target.enabledLogs) insertAttempt(tx, delivery, target.url, headers, exchange);
    const { nextInMs } = verdict;
    if (nextInMs !== null && nextInMs <= REMIND_WITHIN_MS) {
      tx.afterCommit(() => signals.remind('deliveries', nextInMs));
    }
    if (verdict.disableSubscription && status === 'pending') tx.afterCommit(() => signals.announce('deliveries'));
    return finishItemDelivery(tx, signals, purchase!, delivery, status);
  });
}

/** What the end of a delivery sets going, under the order's lock. */
export async function finishItemDelivery(
  tx: Tx,
  signals: FulfillmentDeps['signals'],
  purchase: LockedPurchase,
  delivery: Delivery,
  status: string,
): Promise<Settled> {
  const { environmentId, id: deliveryId } = delivery;
  if (status === 'exhausted') {
    insertJob(tx, { name: 'notice.send', environmentId, payload: { kind: 'delivery_exhausted', deliveryId } });
  }
  // Another can only be waiting once the order has left `authorized`; the common way saves the question.
  if (!['pending', 'held'].includes(status) && purchase.order.status !== 'authorized') {
    if ((await updateLineHeads(tx, linesOf([delivery]))) > 0) tx.afterCommit(() => signals.announce('deliveries'));
  }
  const moved = moveOrder(purchase, delivery.kind, status);
  if (!moved) return { order: purchase.order, payment: purchase.payment, moneyIsDue: false };
  savePurchase(tx, purchase, moved, { nextCheckInSeconds: LEASE_SECONDS, events: moved.events, signals });
  return { order: moved.order, payment: moved.payment, moneyIsDue: true };
}

/** Not sent: no endpoint takes items, so it waits for one; or the order went another way meanwhile. */
export function holdItemDelivery(
  { db, signals }: Pick<FulfillmentDeps, 'db' | 'signals'>,
  delivery: Delivery,
): Promise<void> {
  return db.transaction(async tx => {
    const purchase = await lockPurchase(tx, delivery.environmentId, delivery.orderId!);
    const { stillWanted, isGranted } = wishFor(purchase!, delivery.kind);
    const status = isGranted ? 'succeeded' : stillWanted ? await holdDelivery(tx, delivery) : 'canceled';
    const lastError = stillWanted
      ? 'no enabled webhook subscription takes this event'
      : `not sent: the order is ${purchase!.order.status}`;
    const outcome = { status, nextInMs: 0, lastStatus: delivery.lastStatus, lastError, notSent: true } as const;
    if (await updateDeliveryOutcome(tx, delivery, outcome))
      await finishItemDelivery(tx, signals, purchase!, delivery, status);
  });
}
