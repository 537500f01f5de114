import type { ItemEventData, ReasonCode } from '@coinslot/contract';
import type { Tx } from '../../../db/db.ts';
import { newId } from '../../../kit/ids.ts';
import { boughtReason, storedData } from '../../event/event.sql.ts';
import { lockEnvironmentShared } from '../../game/lock-environment.sql.ts';
import { grantedItemFacts } from '../../order/order-view.ts';
import {
  type Delivery,
  type DeliveryHold,
  holdUnder,
  insertItemDelivery,
  sendUntilMs,
} from '../../webhook/delivery/delivery.sql.ts';
import { type DeliveryTarget, findItemTarget } from '../../webhook/endpoints/delivery-target.sql.ts';
import { bodyFor, playerContext } from '../../webhook/sending/event-body.ts';
import { RETRY_STEPS_SECONDS } from '../../webhook/sending/retry.ts';
import type { Purchase } from './purchase.ts';

type ItemKind = 'item.add' | 'item.remove';

/** The same for every attempt and every worker: an order is granted under one key and taken back under one key. */
const itemIdempotencyKey = (kind: ItemKind, orderId: string): string =>
  `${kind === 'item.add' ? 'add' : 'remove'}_${orderId.slice(orderId.indexOf('_') + 1)}`;

function itemEventData({ order, payment }: Purchase, { kind, reasonCode, reason }: ItemEvent): ItemEventData {
  return {
    player_id: order.playerId,
    items: order.items.map(grantedItemFacts),
    order_id: order.id,
    payment_id: payment.id,
    reason,
    reason_code: reasonCode,
    // A removal may be for a grant that never arrived: the game must not take what the player owned before.
    ...(kind === 'item.remove' && { grant: order.grantedAt ? 'confirmed' : 'unknown' }),
    metadata: order.details.metadata,
  };
}

export interface ItemEvent {
  kind: ItemKind;
  reasonCode: ReasonCode;
  reason: string;
  now: Date;
  /** An earlier item event of the order is still being sent; this one waits behind it. */
  behindAnother: boolean;
  /** The claim under which this process sends it, where the caller must know it even if it never hears of the commit. */
  claimId?: string | undefined;
}

/** A delivery that this process has claimed for itself and sends as soon as the transaction is durable. */
export interface ClaimedDelivery {
  delivery: Delivery;
  target: DeliveryTarget;
}

export interface QueuedItemEvent {
  /** Null: a worker sends it, or it waits. */
  toSend: ClaimedDelivery | null;
  /** No endpoint takes it. */
  isHeld: boolean;
}

export const askEvent = ({ order }: Purchase, now: Date): ItemEvent => ({
  kind: 'item.add',
  reasonCode: 'order_paid',
  reason: boughtReason(order.playerId),
  now,
  behindAnother: false,
});

/** Longer than an attempt can take, so a second attempt begins only when the first one's process is gone. */
export const DELIVERY_LEASE_SECONDS = 30;

/** A held event is given up after as long as all retries would have taken. */
export const GIVE_UP_SECONDS = RETRY_STEPS_SECONDS.items.reduce<number>((sum, step) => sum + step, 0);

/** That no endpoint takes items is decided under the lock that a new subscription takes too. */
async function findTargetForSure(
  tx: Tx,
  environmentId: string,
): Promise<{ target: DeliveryTarget } | { held: DeliveryHold }> {
  const target = await findItemTarget(tx, environmentId);
  if (target) return { target };
  const environment = await lockEnvironmentShared(tx, environmentId);
  const late = await findItemTarget(tx, environmentId);
  return late ? { target: late } : { held: holdUnder(environment) };
}

/** Writes an item event and its delivery into the caller's transaction. */
export async function queueItemEvent(tx: Tx, purchase: Purchase, event: ItemEvent): Promise<QueuedItemEvent> {
  const { environmentId } = purchase.order;
  const found = await findTargetForSure(tx, environmentId);
  const needsPlayer = 'target' in found && found.target.playerContextEnabled;
  const data = itemEventData(purchase, event);
  const player = needsPlayer ? await playerContext(tx, { environmentId, data }) : null;
  return writeItemEvent(tx, purchase, event, found, player);
}

/** The same for an endpoint that was looked up before, and that takes no facts of the player. */
export const queueItemEventFor = (
  tx: Tx,
  purchase: Purchase,
  event: ItemEvent,
  target: DeliveryTarget,
): QueuedItemEvent => writeItemEvent(tx, purchase, event, { target }, null);

function writeItemEvent(
  tx: Tx,
  purchase: Purchase,
  event: ItemEvent,
  found: { target: DeliveryTarget } | { held: DeliveryHold },
  player: Awaited<ReturnType<typeof playerContext>>,
): QueuedItemEvent {
  const { environmentId, id: orderId } = purchase.order;
  const target = 'target' in found ? found.target : null;
  const data = itemEventData(purchase, event);
  const eventId = newId('evt');
  const idempotencyKey = itemIdempotencyKey(event.kind, orderId);
  const goesNow = target !== null && !target.isLimited && !event.behindAnother;
  const emitted = { id: eventId, kind: event.kind, createdAt: event.now, data };
  const body = target && bodyFor(emitted, target, idempotencyKey, player);
  const claim = goesNow ? { id: event.claimId ?? newId('job'), leaseSeconds: DELIVERY_LEASE_SECONDS } : null;
  const status = event.behindAnother ? 'blocked' : 'held' in found ? found.held : 'pending';
  const fresh = {
    environmentId,
    id: newId('dlv'),
    eventId,
    kind: event.kind,
    orderId,
    lane: 'items' as const,
    subscriptionId: target?.subscriptionId ?? null,
    idempotencyKey,
  };
  insertItemDelivery(tx, {
    body: player && body,
    status,
    giveUpInSeconds: GIVE_UP_SECONDS,
    claimId: claim?.id ?? null,
    leaseSeconds: claim?.leaseSeconds ?? null,
    attemptsMade: claim ? 1 : 0,
    data: storedData(event.kind, data),
    emittedAt: event.now,
    ...fresh,
  });
  if (!target || !claim) return { toSend: null, isHeld: target === null };
  const delivery: Delivery = {
    body,
    status: 'pending',
    attemptsMade: 1,
    earlyAttempts: 0,
    regularAt: null,
    nextAttemptAt: null,
    claimId: claim.id,
    sendUntilMs: sendUntilMs(claim.leaseSeconds),
    lastStatus: null,
    lastError: null,
    createdAt: event.now,
    finishedAt: null,
    ...fresh,
  };
  return { toSend: { delivery, target }, isHeld: false };
}
