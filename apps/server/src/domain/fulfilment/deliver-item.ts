import { attemptDelivery, targetOf } from '../webhook/attempt-delivery.ts';
import type { Delivery } from '../webhook/delivery.sql.ts';
import type { Target } from '../webhook/subscription.sql.ts';
import { advanceStory } from './advance-payment.ts';
import type { FulfilmentDeps } from './fulfilment-deps.ts';
import { holdItemDelivery, settleItemDelivery } from './settle-item-delivery.ts';

/** Asks the game once, records what it said, and collects or gives back the money at once. */
export async function deliverItem(deps: FulfilmentDeps, delivery: Delivery, known?: Target): Promise<void> {
  const target = known ?? (await targetOf(deps.db, delivery));
  if (!target) return holdItemDelivery(deps, delivery);
  const attempted = await attemptDelivery(deps, delivery, target);
  const settled = await settleItemDelivery(deps, delivery, attempted);
  if (settled?.moneyIsDue) await advanceStory(deps, settled);
}
