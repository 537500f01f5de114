import { setTimeout as pause } from 'node:timers/promises';
import { AppError } from '../../../kit/app-error.ts';
import { expireOrders } from '../../order/expire-orders.ts';
import { lockOrder } from '../../order/order.sql.ts';
import { orderKey } from '../../order/order.ts';
import { advanceFromRow } from '../engine/advance-purchase.ts';
import { expireHeldGrants } from '../engine/expire-held-grants.ts';
import type { PurchaseShop } from '../engine/purchase.ts';
import { findOrderDue, listPaymentIds, updatePurchaseOlder } from './advance.sql.ts';

export interface AdvanceOrder {
  environmentId: string;
  orderId: string;
  seconds: number;
}

const LOOK_EVERY_MS = 100;
/** Two dozen attempts of a game that answers at once fit in; one that hangs goes on after the answer. */
const LONGEST_WAIT_MS = 10_000;

/** Sandbox time: the order, its payment at shop and provider, and its deliveries become that much older. */
async function makeOlder({ db, signals, simulator }: PurchaseShop, { environmentId, orderId, seconds }: AdvanceOrder) {
  const paymentIds = await listPaymentIds(db, environmentId, orderId);
  await db.transaction(async tx => {
    if (!(await lockOrder(tx, environmentId, orderId))) throw new AppError('order_not_found');
    await updatePurchaseOlder(tx, environmentId, orderId, seconds);
    tx.afterCommit(() => signals.announce(orderKey(orderId)));
  });
  for (const paymentId of paymentIds) await simulator.advance({ environmentId, paymentId }, seconds);
  return paymentIds;
}

/** What came due is done by the workers as at any other time; this only asks them to look now. */
async function untilNothingIsDue(shop: PurchaseShop, { environmentId, orderId }: AdvanceOrder) {
  const { db, signals, clock } = shop;
  const until = clock.nowMs() + LONGEST_WAIT_MS;
  while (clock.nowMs() < until && (await findOrderDue(db, environmentId, orderId))) {
    await expireOrders(shop);
    await expireHeldGrants(shop);
    signals.announce('deliveries');
    await pause(LOOK_EVERY_MS);
  }
}

/** Expiry, retries, giving up and disputes come due at once. Returns when what came due is done, or after ten seconds. */
export async function advanceOrder(shop: PurchaseShop, input: AdvanceOrder): Promise<void> {
  const { environmentId } = input;
  for (const paymentId of await makeOlder(shop, input)) await advanceFromRow(shop, { environmentId, paymentId });
  await untilNothingIsDue(shop, input);
}
