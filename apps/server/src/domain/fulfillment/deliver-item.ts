import type { OrderStatus } from '@coinslot/contract';
import { findOrder } from '../order/order.sql.ts';
import type { Delivery } from '../webhook/delivery.sql.ts';
import { attemptDelivery, targetOf } from '../webhook/sending/attempt-delivery.ts';
import type { Target } from '../webhook/subscription.sql.ts';
import { advancePurchase } from './advance-payment.ts';
import type { FulfillmentDeps } from './fulfillment-deps.ts';
import { holdItemDelivery, settleItemDelivery } from './settle-item-delivery.ts';

const GRANTABLE: readonly OrderStatus[] = ['authorized', 'paid'];

/** The process that sent it before died, and the order was refunded before its lease ended: it must not be asked again. */
async function isWithdrawn({ db }: FulfillmentDeps, { kind, attemptsMade, environmentId, orderId }: Delivery) {
  if (kind !== 'item.add' || attemptsMade === 1) return false;
  const found = await findOrder(db, environmentId, orderId!);
  return !GRANTABLE.includes(found!.order.status);
}

/** Asks the game once, records what it said, and collects or gives back the money at once. */
export async function deliverItem(deps: FulfillmentDeps, delivery: Delivery, known?: Target): Promise<void> {
  const target = known ?? (await targetOf(deps.db, delivery));
  if (!target || (await isWithdrawn(deps, delivery))) return holdItemDelivery(deps, delivery);
  const attempted = await attemptDelivery(deps, delivery, target);
  const settled = await settleItemDelivery(deps, delivery, attempted);
  if (settled?.moneyIsDue) await advancePurchase(deps, settled);
}
