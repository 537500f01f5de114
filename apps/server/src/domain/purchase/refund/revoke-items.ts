import type { ReasonCode } from '@coinslot/contract';
import { reasons } from '@coinslot/texts/reasons';
import type { Tx } from '../../../db/db.ts';
import { lockItemDelivery, updateDeliveryCanceled } from '../../webhook/delivery/delivery.sql.ts';
import type { Purchase } from '../engine/purchase.ts';
import { type ClaimedDelivery, queueItemEvent } from '../engine/queue-item-event.ts';
import { revocationFor } from './revocation.ts';

/** Under the order's lock: the items must go, once, by `item.remove` after `item.add` is settled. */
export async function revokeItems(
  tx: Tx,
  purchase: Purchase,
  reasonCode: Exclude<ReasonCode, 'order_paid'>,
  now: Date,
  reason: string = reasons.text('en', `revoked.${reasonCode}`),
): Promise<ClaimedDelivery | null> {
  const { order } = purchase;
  const { environmentId, id } = order;
  // A worker takes what is due without the order's lock: read and then withdrawn, the question could be on its way by then.
  const [grant, removal] = await Promise.all([
    lockItemDelivery(tx, environmentId, id, 'item.add'),
    lockItemDelivery(tx, environmentId, id, 'item.remove'),
  ]);
  const revocation = revocationFor({ order, grant, removal });
  if (revocation === 'none') return null;
  if (revocation === 'withdraw' || revocation === 'withdraw_and_remove') {
    await updateDeliveryCanceled(tx, grant!, 'withdrawn: the order was refunded before the game answered');
  }
  if (revocation === 'withdraw') return null;
  const behindAnother = revocation === 'remove_after_add';
  const { toSend } = await queueItemEvent(tx, purchase, {
    kind: 'item.remove',
    reasonCode,
    reason,
    now,
    behindAnother,
  });
  return toSend;
}
