import type { ReasonCode } from '@coinslot/contract';
import type { Tx } from '../../../db/db.ts';
import { findItemDelivery, updateDeliveryCanceled } from '../../webhook/delivery/delivery.sql.ts';
import type { Purchase } from '../engine/purchase.ts';
import { type ClaimedDelivery, queueItemEvent } from '../engine/queue-item-event.ts';

const REASONS: Record<Exclude<ReasonCode, 'order_paid'>, string> = {
  refund: 'The payment was refunded.',
  chargeback: 'The bank reversed the payment.',
  fraud: 'The payment was fraudulent.',
};

/**
 * Under the order's lock: the items must go, once, by `item.remove` after `item.add` is settled. If the game was never
 * asked, the question is withdrawn and nothing is sent; if an attempt may have reached it, the removal follows.
 */
export async function revokeItems(
  tx: Tx,
  purchase: Purchase,
  reasonCode: Exclude<ReasonCode, 'order_paid'>,
  now: Date,
  reason: string = REASONS[reasonCode],
): Promise<ClaimedDelivery | null> {
  const { environmentId, id } = purchase.order;
  const add = await findItemDelivery(tx, environmentId, id, 'item.add');
  if (!add) return null;
  // A grant that was sent again later may have ended otherwise; what was granted once must go all the same.
  if (!purchase.order.grantedAt && (add.status === 'canceled' || add.status === 'declined')) return null;
  if (!purchase.order.grantedAt && add.status === 'exhausted' && add.attemptsMade === 0) return null;
  // A refund that the provider refused had it sent already.
  if (await findItemDelivery(tx, environmentId, id, 'item.remove')) return null;
  const isOpen = ['pending', 'blocked', 'held'].includes(add.status);
  const isOnTheWire = isOpen && add.claimId !== null;
  if (isOpen && !isOnTheWire) {
    await updateDeliveryCanceled(tx, add, 'withdrawn: the order was refunded before the game answered');
    if (add.attemptsMade === 0) return null;
  }
  return queueItemEvent(tx, purchase, { kind: 'item.remove', reasonCode, reason, now, behindAnother: isOnTheWire });
}
