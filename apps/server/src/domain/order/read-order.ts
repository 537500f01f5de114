import type { Queryable } from '../../db/db.ts';
import { foundOr } from '../../kit/app-error.ts';
import { beginWait, lookAgainMs } from '../../kit/look-again.ts';
import type { Shop } from '../shop.ts';
import { findOrder, type OrderAt } from './order.sql.ts';
import { isFinal, orderKey, phaseOf, statusAt } from './order.ts';

export async function readOrder(db: Queryable, environmentId: string, id: string): Promise<OrderAt> {
  const found = await foundOr('order_not_found', findOrder(db, environmentId, id));
  return found;
}

/** An order whose time is over counts as expired, whether or not the sweep has written it yet. */
const shownStatus = ({ order, now }: OrderAt) => statusAt(order, now);

/** Answers when the status changes or the time is up, and at once when nothing can change it any more. */
export async function waitForOrder(shop: Shop, environmentId: string, id: string, seconds: number): Promise<OrderAt> {
  const first = await readOrder(shop.db, environmentId, id);
  if (isFinal(phaseOf({ ...first.order, status: shownStatus(first) }))) return first;
  const end = beginWait();
  return waitForChange(shop, first, seconds).finally(end);
}

async function waitForChange({ db, clock, signals }: Shop, first: OrderAt, seconds: number): Promise<OrderAt> {
  const { environmentId, id } = first.order;
  const deadline = clock.nowMs() + seconds * 1000;
  for (let current = first; ; current = await readOrder(db, environmentId, id)) {
    const leftMs = deadline - clock.nowMs();
    if (shownStatus(current) !== shownStatus(first) || leftMs <= 0 || signals.isEnding()) return current;
    // The signal may be lost with the process that sent it; the second look cannot.
    await signals.wait(orderKey(id), Math.min(leftMs, lookAgainMs()));
  }
}
