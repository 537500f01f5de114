import { listHeldTooLong, lockOpenDeliveries, updateDeliveryGivenUp } from '../webhook/delivery.sql.ts';
import { advancePurchase } from './advance-payment.ts';
import type { FulfillmentDeps } from './fulfillment-deps.ts';
import { lockPurchase } from './save-purchase.ts';
import { finishItemDelivery, type Settled } from './settle-item-delivery.ts';

const BATCH = 50;

/** Nobody came to take them for as long as all retries would have lasted: the money goes back. */
export async function expireHeldGrants(deps: FulfillmentDeps): Promise<boolean> {
  const due = await listHeldTooLong(deps.db, BATCH);
  for (const { environmentId, orderId, id } of due) {
    const settled = await deps.db.transaction<Settled | null>(async tx => {
      const purchase = await lockPurchase(tx, environmentId, orderId);
      const open = await lockOpenDeliveries(tx, environmentId, orderId, 'items');
      const delivery = open.find(candidate => candidate.id === id && candidate.status === 'held');
      if (!purchase || !delivery) return null;
      await updateDeliveryGivenUp(tx, delivery);
      return finishItemDelivery(tx, deps.signals, purchase, delivery, 'exhausted');
    });
    if (settled?.moneyIsDue) await advancePurchase(deps, settled);
  }
  return due.length === BATCH;
}
