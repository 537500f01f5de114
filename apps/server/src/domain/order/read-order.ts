import type { Queryable } from '../../db/db.ts';
import { foundOr } from '../../kit/app-error.ts';
import type { Shop } from '../shop.ts';
import { findOrder, type OrderAt } from './order.sql.ts';
import { isFinal, orderKey, phaseOf, statusAt } from './order.ts';

export async function readOrder(db: Queryable, environmentId: string, id: string): Promise<OrderAt> {
  const found = await foundOr('order_not_found', findOrder(db, environmentId, id));
  return found;
}

const LOOK_AGAIN_MS = 1_000;

/** An order whose time is over counts as expired, whether or not the sweep has written it yet. */
const shownStatus = ({ order, now }: OrderAt) => statusAt(order, now);

/** Answers when the status changes or the time is up, and at once when nothing can change it any more. */
export async function waitForOrder(
  { db, clock, signals }: Shop,
  environmentId: string,
  id: string,
  seconds: number,
): Promise<OrderAt> {
  const deadline = clock.nowMs() + seconds * 1000;
  const first = await readOrder(db, environmentId, id);
  if (isFinal(phaseOf({ ...first.order, status: shownStatus(first) }))) return first;
  for (let current = first; ; current = await readOrder(db, environmentId, id)) {
    const leftMs = deadline - clock.nowMs();
    if (shownStatus(current) !== shownStatus(first) || leftMs <= 0 || signals.isEnding()) return current;
    // The signal may be lost with the process that sent it; the second look cannot.
    await signals.wait(orderKey(id), Math.min(leftMs, LOOK_AGAIN_MS));
  }
}
