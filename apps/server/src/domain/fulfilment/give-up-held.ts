import { listHeldTooLong, lockOpenDeliveries, updateDeliveryGivenUp } from '../webhook/delivery.sql.ts';
import { advanceStory } from './advance-payment.ts';
import type { FulfilmentDeps } from './fulfilment-deps.ts';
import { lockStory } from './save-story.ts';
import { finishItemDelivery, type Settled } from './settle-item-delivery.ts';

const BATCH = 50;

/** Nobody came to take them for as long as all retries would have lasted: the money goes back. */
export async function giveUpHeld(deps: FulfilmentDeps): Promise<boolean> {
  const due = await listHeldTooLong(deps.db, BATCH);
  for (const { environmentId, orderId, id } of due) {
    const settled = await deps.db.transaction<Settled | null>(async tx => {
      const story = await lockStory(tx, environmentId, orderId);
      const open = await lockOpenDeliveries(tx, environmentId, orderId, 'items');
      const delivery = open.find(candidate => candidate.id === id && candidate.status === 'held');
      if (!story || !delivery) return null;
      await updateDeliveryGivenUp(tx, delivery);
      return finishItemDelivery(tx, deps.signals, story, delivery, 'exhausted');
    });
    if (settled?.moneyIsDue) await advanceStory(deps, settled);
  }
  return due.length === BATCH;
}
