import { type Delivery, lockOpenItemDeliveries } from '../../webhook/delivery/delivery.sql.ts';
import { listHeldTooLong, updateDeliveryGivenUp } from '../../webhook/delivery/held-too-long.sql.ts';
import { advancePurchase } from './advance-purchase.ts';
import type { Followup, PurchaseShop } from './purchase.ts';
import { lockPurchase } from './save-purchase.ts';
import { finishItemDelivery } from './settle-item-delivery.ts';

const BATCH = 50;

/** A worker that has claimed it records what comes of that. */
const isIdle = ({ status, claimId }: Delivery): boolean =>
  status === 'held' || (status === 'pending' && claimId === null);

/** No endpoint took them for as long as all retries would have lasted: the money goes back. */
export async function expireHeldGrants(shop: PurchaseShop): Promise<boolean> {
  const due = await listHeldTooLong(shop.db, BATCH);
  for (const { environmentId, orderId, id } of due) {
    const followup = await shop.db.transaction<Followup>(async tx => {
      const purchase = await lockPurchase(tx, environmentId, orderId);
      const open = await lockOpenItemDeliveries(tx, environmentId, orderId);
      const delivery = open.find(candidate => candidate.id === id && isIdle(candidate));
      if (!purchase || !delivery) return {};
      await updateDeliveryGivenUp(tx, delivery);
      return finishItemDelivery(tx, shop.signals, purchase, delivery, 'exhausted');
    });
    await advancePurchase(shop, followup);
  }
  return due.length === BATCH;
}
