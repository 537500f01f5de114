import type { EventKind, OrderEventData } from '@coinslot/contract';
import type { Tx } from '../../db/db.ts';
import { toUnixSeconds, unixOrNull } from '../../kit/clock.ts';
import { toDecimal } from '../../kit/money.ts';
import { insertEvents } from '../event/event.sql.ts';
import type { Order, OrderItem } from './order.ts';

const decimalOrNull = (minor: number | null, currency: string | null): number | null =>
  minor === null || currency === null ? null : toDecimal(minor, currency);

export const itemFacts = (item: OrderItem) => ({
  sku: item.sku,
  name: item.name,
  description: item.description,
  image_url: item.imageUrl,
  quantity: item.quantity,
  price_decimal: decimalOrNull(item.priceMinor, item.currency),
  full_price_decimal: decimalOrNull(item.fullPriceMinor, item.currency),
  currency: item.currency,
});

/** An item as `item.add` and `item.remove` name it. */
export function grantedItemFacts(item: OrderItem) {
  const { sku, name, quantity, price_decimal, currency } = itemFacts(item);
  return { sku, name, quantity, price_decimal, currency };
}

/** The order as events carry it. */
export const orderFacts = (order: Order, paymentId: string | null): OrderEventData => ({
  order_id: order.id,
  status: order.status,
  player_id: order.playerId,
  items: order.items.map(itemFacts),
  amount: order.amountMinor,
  currency: order.currency,
  price_decimal: toDecimal(order.amountMinor, order.currency),
  metadata: order.details.metadata,
  payment_id: paymentId,
  problem: order.problem,
  created_at: toUnixSeconds(order.createdAt),
  expires_at: toUnixSeconds(order.expiresAt),
  paid_at: unixOrNull(order.paidAt),
});

/** Writes an event about an order in the order's transaction. */
export const emitOrderEvent = (tx: Tx, order: Order, kind: EventKind): void =>
  insertEvents(tx, [{ environmentId: order.environmentId, orderId: order.id, kind, data: orderFacts(order, null) }]);
