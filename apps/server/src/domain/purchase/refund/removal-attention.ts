import { phrase } from '@coinslot/texts/attention';
import type { Tx } from '../../../db/db.ts';
import type { Signals } from '../../../db/signals.ts';
import { type Attention, isErased } from '../../order/order.ts';
import {
  type Delivery,
  findItemDelivery,
  lockItemDelivery,
  updateDeliveryCanceled,
  updateDeliveryErased,
} from '../../webhook/delivery/delivery.sql.ts';
import { answerText } from '../../webhook/sending/exchange.ts';
import type { LockedPurchase, Purchase } from '../engine/purchase.ts';
import { savePurchase } from '../engine/save-purchase.ts';
import { nextAction } from '../table/purchase-rules.ts';
import { LEASE_SECONDS } from '../table/purchase-table.ts';

const CODE = 'removal_unanswered';

export const isRemovalUnanswered = ({ payment }: Purchase): boolean => payment.attention?.code === CODE;

/** No date: it is not sent again before a member or a replay says so. */
const unanswered = (now: Date, last: Pick<Delivery, 'lastStatus' | 'lastError'>): Attention => ({
  code: CODE,
  since: now,
  detail: [phrase('not_removed', { answer: answerText(last) })],
  isFinal: false,
  nextCheckAt: null,
});

/** The date of the payment is the provider's, which is asked for it again. */
const saveAttention = (tx: Tx, signals: Signals, before: LockedPurchase, attention: Attention | null): void => {
  const nextCheckInSeconds = nextAction(before) === 'none' ? null : LEASE_SECONDS;
  const after = { order: before.order, payment: { ...before.payment, attention } };
  savePurchase(tx, before, after, { nextCheckInSeconds, events: [], signals });
};

/** What an `item.remove` that is over means for the list of what needs attention. Answers whether it was put there. */
export function noteRemoval(
  tx: Tx,
  signals: Signals,
  purchase: LockedPurchase,
  status: string,
  last: Pick<Delivery, 'lastStatus' | 'lastError'>,
): boolean {
  const isListed = isRemovalUnanswered(purchase);
  if (status !== 'exhausted') {
    if (isListed && !['pending', 'blocked', 'held'].includes(status)) saveAttention(tx, signals, purchase, null);
    return false;
  }
  // What else needs attention stays until it is over, and then this is found again.
  if (isListed || purchase.payment.attention !== null) return isListed;
  saveAttention(tx, signals, purchase, unanswered(purchase.now, last));
  return true;
}

/** Lists an unanswered removal again, once the attention that hid it is over. */
export async function withHiddenRemoval<P extends Purchase>(tx: Tx, before: Purchase, after: P, now: Date): Promise<P> {
  if (before.payment.attention === null || after.payment.attention !== null) return after;
  const { environmentId, id } = after.order;
  const removal = await findItemDelivery(tx, environmentId, id, 'item.remove');
  if (removal?.status !== 'exhausted') return after;
  return { ...after, payment: { ...after.payment, attention: unanswered(now, removal) } };
}

/** A member has removed the items by hand or let the player keep them: `item.remove` is not sent any more. */
export async function settleRemoval(tx: Tx, signals: Signals, before: LockedPurchase, reason: string): Promise<void> {
  const { environmentId, id } = before.order;
  const removal = await lockItemDelivery(tx, environmentId, id, 'item.remove');
  if (removal) {
    await updateDeliveryCanceled(tx, removal, `settled elsewhere: ${reason}`);
    if (isErased(before.order)) updateDeliveryErased(tx, removal);
  }
  saveAttention(tx, signals, before, null);
}
