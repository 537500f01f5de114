import type { EventKind } from '@coinslot/contract';
import { phrase, phrasesText } from '@coinslot/texts/attention';
import type { Tx } from '../../../db/db.ts';
import { unlockedFirst } from '../../../db/unlocked-first.ts';
import { insertJob } from '../../../jobs/jobs.sql.ts';
import { decideOrder, isErased, orderWith } from '../../order/order.ts';
import type { Payment } from '../../payment/payment.ts';
import type { Shop } from '../../shop.ts';
import { insertAttempt } from '../../webhook/delivery/attempt.sql.ts';
import {
  type Delivery,
  updateDeliveryErased,
  updateDeliveryOutcome,
  updateDeliverySucceeded,
  updateRemovalConfirmed,
} from '../../webhook/delivery/delivery.sql.ts';
import { holdGoneDelivery } from '../../webhook/delivery/hold-delivery.ts';
import { queuesOf, updateQueueHeads } from '../../webhook/delivery/order-queue.sql.ts';
import { type Attempted, judgeAttempt, regularIn } from '../../webhook/sending/attempt-delivery.ts';
import { answerText, playerMessage } from '../../webhook/sending/exchange.ts';
import { noteRemoval } from '../refund/removal-attention.ts';
import { revokeItems } from '../refund/revoke-items.ts';
import { LEASE_SECONDS } from '../table/purchase-table.ts';
import type { Followup, LockedPurchase, Purchase, PurchaseShop } from './purchase.ts';
import { expectPurchase, lockPurchase, markUnanswered, savePurchase } from './save-purchase.ts';

/** Steps up to here must be kept to the tenth of a second; beyond it the regular look every second is close enough. */
const REMIND_WITHIN_MS = 60_000;

const REJECTIONS = {
  declined: [phrase('rejected.declined')],
  exhausted: [phrase('rejected.exhausted')],
};

const isRejection = (status: string): status is keyof typeof REJECTIONS => status in REJECTIONS;

const withoutAttention = (payment: Payment): Payment =>
  payment.attention === null ? payment : { ...payment, attention: null };

/** What the game's answer to `item.add` does to the order; null: nothing. */
function moveOrder(
  { order, payment, now }: LockedPurchase,
  kind: EventKind,
  status: string,
): (Purchase & { events: EventKind[] }) | null {
  if (kind !== 'item.add' || (status !== 'succeeded' && !isRejection(status))) return null;
  const decision = decideOrder(order, status === 'succeeded' ? 'grant' : 'reject', now);
  if ('refused' in decision) return null;
  const problem = isRejection(status) ? REJECTIONS[status] : order.problem;
  return {
    order: orderWith(decision.order, { problem }),
    payment: withoutAttention(payment),
    events: decision.event ? [decision.event] : [],
  };
}

export const wantsOf = ({ order }: Purchase, kind: EventKind) => ({
  stillWanted: kind !== 'item.add' || order.status === 'authorized',
  isGranted: kind === 'item.add' && order.grantedAt !== null,
});

/** How long an unanswered grant may still wait, where the studio has said. */
function releaseIn({ now }: LockedPurchase, { kind, createdAt }: Delivery, target: Attempted['target']): number | null {
  if (kind !== 'item.add' || target.releaseGrantAfterSeconds === null) return null;
  return createdAt.getTime() + target.releaseGrantAfterSeconds * 1000 - now.getTime();
}

/** The attempts that a waiting player sees are over; those that follow are minutes and hours apart. */
const PROMPT_ATTEMPTS = 5;

const isStuck = ({ kind, attemptsMade }: Delivery, status: string): boolean =>
  kind === 'item.add' && (status === 'held' || (status === 'pending' && attemptsMade >= PROMPT_ATTEMPTS));

/** Records the attempt, and then what it says of the endpoint. */
export async function settleItemDelivery(
  shop: PurchaseShop,
  delivery: Delivery,
  attempted: Attempted,
  /** The purchase as this process saved it a moment ago. */
  known?: LockedPurchase,
): Promise<Followup> {
  const followup = await recordAttempt(shop, delivery, attempted, known);
  await shop.endpointWatch.note(delivery, attempted.target, attempted.exchange);
  return followup;
}

const isWaitingForGame = ({ order, payment }: Purchase): boolean =>
  order.status === 'authorized' && order.grantedAt === null && payment.attention === null && !isErased(order);

/** The game said yes at once: on the purchase as it was saved last, without a lock. Null: it takes a look under the lock. */
function grantPlainly(
  tx: Tx,
  signals: PurchaseShop['signals'],
  known: LockedPurchase,
  delivery: Delivery,
  { exchange, target, headers }: Attempted,
): Followup | null {
  const before = expectPurchase(known);
  if (delivery.kind !== 'item.add' || !exchange.succeeded || !isWaitingForGame(before)) return null;
  const moved = moveOrder(before, 'item.add', 'succeeded');
  if (!moved) return null;
  const { status: lastStatus, error: lastError } = exchange;
  updateDeliverySucceeded(tx, delivery, { lastStatus, lastError });
  if (target.enabledLogs) insertAttempt(tx, delivery, target.url, headers, exchange);
  // The date of the reservation stands where it is sooner. It may be gone: a worker that looked at the payment meanwhile found nothing to do.
  return {
    toAsk: savePurchase(tx, before, moved, { nextCheckInSeconds: LEASE_SECONDS, events: moved.events, signals }),
  };
}

/** Records the attempt, what it means for the delivery and for the order, and when to go on: one transaction. */
function recordAttempt(
  { db, signals, random }: Shop,
  delivery: Delivery,
  attempted: Attempted,
  known: LockedPurchase | undefined,
): Promise<Followup> {
  const { exchange, target, headers } = attempted;
  const plainly = (tx: Tx) => (known ? grantPlainly(tx, signals, known, delivery, attempted) : null);
  const underLock = async (tx: Tx): Promise<Followup> => {
    const purchase = await lockPurchase(tx, delivery.environmentId, delivery.orderId!);
    const { attemptsMade, earlyAttempts, kind, lane } = delivery;
    const regularInMs = regularIn(delivery, purchase!.now.getTime());
    const wants = wantsOf(purchase!, kind);
    const releaseInMs = releaseIn(purchase!, delivery, target);
    const attempt = { kind, lane, attemptsMade, earlyAttempts, regularInMs, exchange };
    const verdict = judgeAttempt({ ...attempt, ...wants, random: random(), releaseInMs });
    const { nextInMs } = verdict;
    const isGone = verdict.status === 'gone';
    const status = verdict.status === 'gone' ? await holdGoneDelivery(tx, delivery, target) : verdict.status;
    const outcome = {
      lastStatus: exchange.status,
      lastError: exchange.error,
      nextInMs,
      status,
      isEarly: regularInMs !== null,
    };
    if (!(await updateDeliveryOutcome(tx, delivery, outcome))) return {};
    if (target.enabledLogs) insertAttempt(tx, delivery, target.url, headers, exchange);
    if (nextInMs !== null && nextInMs <= REMIND_WITHIN_MS) {
      tx.afterCommit(() => signals.remind('deliveries', nextInMs));
    }
    if (isStuck(delivery, status)) {
      const nextAt = nextInMs === null ? null : new Date(purchase!.now.getTime() + nextInMs);
      markUnanswered(tx, signals, purchase!, phrase('not_granted', { answer: answerText(outcome) }), nextAt);
    }
    if (isGone && status === 'pending') tx.afterCommit(() => signals.announce('deliveries'));
    const message = kind === 'item.add' && status === 'declined' ? playerMessage(exchange.responseBody) : null;
    return finishItemDelivery(tx, signals, purchase!, delivery, status, message, outcome);
  };
  return db.shared(delivery.orderId!, unlockedFirst(plainly, underLock));
}

const isWaiting = (kind: EventKind, status: string): boolean =>
  ['pending', 'blocked', 'held'].includes(status) || (kind === 'item.remove' && status === 'exhausted');

/** What the end of a delivery sets going, under the order's lock. */
export async function finishItemDelivery(
  tx: Tx,
  signals: PurchaseShop['signals'],
  purchase: LockedPurchase,
  delivery: Delivery,
  status: string,
  message: string | null = null,
  answer: Pick<Delivery, 'lastStatus' | 'lastError'> = delivery,
): Promise<Followup> {
  const { environmentId, id: deliveryId } = delivery;
  if (isErased(purchase.order) && !isWaiting(delivery.kind, status)) updateDeliveryErased(tx, delivery);
  const isListed = delivery.kind === 'item.remove' && noteRemoval(tx, signals, purchase, status, answer);
  if (status === 'exhausted' && !isListed) {
    insertJob(tx, { name: 'notice.send', environmentId, payload: { kind: 'delivery_exhausted', deliveryId } });
  }
  // Another can only be waiting once the order has left `authorized`; the common way saves the question.
  if (!['pending', 'held'].includes(status) && purchase.order.status !== 'authorized') {
    if (delivery.kind === 'item.add' && status === 'succeeded') updateRemovalConfirmed(tx, delivery);
    if ((await updateQueueHeads(tx, queuesOf([delivery]))) > 0) tx.afterCommit(() => signals.announce('deliveries'));
  }
  const moved = moveOrder(purchase, delivery.kind, status);
  if (!moved) return {};
  const toAsk = savePurchase(tx, purchase, moved, {
    nextCheckInSeconds: LEASE_SECONDS,
    events: moved.events,
    signals,
    playerMessage: message,
  });
  if (status !== 'exhausted') return { toAsk };
  // One of the attempts may have granted all the same, without our hearing of it.
  return { toAsk, toSend: await revokeItems(tx, toAsk, 'refund', purchase.now, phrasesText([phrase('unanswered')])) };
}
