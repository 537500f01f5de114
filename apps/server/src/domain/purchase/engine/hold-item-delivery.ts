import { phrase } from '@coinslot/texts/attention';
import type { Shop } from '../../shop.ts';
import { type Delivery, updateDeliveryOutcome } from '../../webhook/delivery/delivery.sql.ts';
import { holdDelivery } from '../../webhook/delivery/hold-delivery.ts';
import type { Followup } from './purchase.ts';
import { lockPurchase, markUnanswered, NO_ENDPOINT } from './save-purchase.ts';
import { finishItemDelivery, wantsOf } from './settle-item-delivery.ts';

/** Not sent: no endpoint takes items, so it waits for one; or the order went another way meanwhile. */
export function holdItemDelivery({ db, signals }: Shop, delivery: Delivery): Promise<Followup> {
  return db.transaction(async tx => {
    const purchase = await lockPurchase(tx, delivery.environmentId, delivery.orderId!);
    const { stillWanted, isGranted } = wantsOf(purchase!, delivery.kind);
    const status = isGranted ? 'succeeded' : stillWanted ? await holdDelivery(tx, delivery) : 'canceled';
    const lastError = stillWanted
      ? 'no enabled webhook subscription takes this event'
      : `not sent: the order is ${purchase!.order.status}`;
    const outcome = { status, nextInMs: 0, lastStatus: delivery.lastStatus, lastError, notSent: true } as const;
    if (!(await updateDeliveryOutcome(tx, delivery, outcome))) return {};
    if (status === 'held' && delivery.kind === 'item.add') markUnanswered(tx, signals, purchase!, NO_ENDPOINT, null);
    return finishItemDelivery(tx, signals, purchase!, delivery, status);
  });
}

/** Before a member has acted, an attempt could only come to the same. */
const PUT_OFF_MS = 3_600_000;

/** Not sent: the money could not be captured after a yes. A studio member must connect the account again or release the order. */
export function putOffItemDelivery({ db, signals }: Shop, delivery: Delivery): Promise<Followup> {
  return db.transaction(async tx => {
    const purchase = await lockPurchase(tx, delivery.environmentId, delivery.orderId!);
    const lastError = 'not sent: the account that reserved the money is disconnected';
    const { lastStatus } = delivery;
    const outcome = { status: 'pending', nextInMs: PUT_OFF_MS, lastStatus, lastError, notSent: true } as const;
    if (!(await updateDeliveryOutcome(tx, delivery, outcome))) return {};
    const nextAt = new Date(purchase!.now.getTime() + PUT_OFF_MS);
    markUnanswered(tx, signals, purchase!, phrase('account_gone'), nextAt);
    return {};
  });
}
