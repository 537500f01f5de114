import { listHeldTooLong, lockOpenItemDeliveries, updateDeliveryGivenUp } from '../../webhook/delivery/delivery.sql.ts';
import type { FulfillmentDeps } from './fulfillment-deps.ts';
import type { Leg } from './purchase.ts';
import { lockPurchase } from './save-purchase.ts';
import { finishItemDelivery } from './settle-item-delivery.ts';
import { walk } from './walk.ts';

const BATCH = 50;

/** No endpoint took them for as long as all retries would have lasted: the money goes back. */
export async function expireHeldGrants(deps: FulfillmentDeps): Promise<boolean> {
  const due = await listHeldTooLong(deps.db, BATCH);
  for (const { environmentId, orderId, id } of due) {
    const leg = await deps.db.transaction<Leg>(async tx => {
      const purchase = await lockPurchase(tx, environmentId, orderId);
      const open = await lockOpenItemDeliveries(tx, environmentId, orderId);
      const delivery = open.find(candidate => candidate.id === id && candidate.status === 'held');
      if (!purchase || !delivery) return {};
      await updateDeliveryGivenUp(tx, delivery);
      return finishItemDelivery(tx, deps.signals, purchase, delivery, 'exhausted');
    });
    await walk(deps, leg);
  }
  return due.length === BATCH;
}
