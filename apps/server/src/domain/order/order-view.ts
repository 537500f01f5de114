import type * as contract from '@coinslot/contract';
import type { EventKind, OrderEventData } from '@coinslot/contract';
import type { Tx } from '../../db/db.ts';
import { toUnixSeconds, unixOrNull } from '../../kit/clock.ts';
import { toDecimal } from '../../kit/money.ts';
import { insertEvents } from '../event/event.sql.ts';
import { type Environment, isSandbox } from '../game/environment.ts';
import type { CheckoutUrlOf } from './checkout-token.ts';
import type { CreatedOrder } from './create-order.ts';
import type { OrderAt } from './order.sql.ts';
import { type Attention, type Order, type OrderItem, statusAt } from './order.ts';
import { discountMinor, type Priced } from './pricing.ts';

export const attentionView = (attention: Attention | null): contract.Attention | null =>
  attention && {
    code: attention.code,
    since: toUnixSeconds(attention.since),
    detail: attention.detail,
    next_check_at: unixOrNull(attention.nextCheckAt),
  };

const discountView = (order: Priced): number | null => {
  const minor = discountMinor(order);
  return minor === null ? null : toDecimal(minor, order.currency);
};

/** An order as every door shows it. */
export const orderView = (
  environment: Environment,
  { order, now, paymentId }: OrderAt,
  checkoutUrlOf: CheckoutUrlOf,
): contract.Order => ({
  email: order.email,
  ...orderFacts(order, paymentId),
  discount_decimal: discountView(order),
  status: statusAt(order, now),
  country: order.details.country,
  locale: order.details.locale,
  ui: { theme: order.details.theme },
  back_to_game_url: order.details.backToGameUrl,
  back_to_store_url: order.details.backToStoreUrl,
  checkout_url: checkoutUrlOf(environment.id, order.id),
  attention: attentionView(order.attention),
  sandbox: isSandbox(environment),
  updated_at: toUnixSeconds(order.updatedAt),
  granted_at: unixOrNull(order.grantedAt),
});

/** The shorter answer to a creation, made without reading the order again. */
export const createdOrderView = (
  environment: Environment,
  order: CreatedOrder,
  checkoutUrlOf: CheckoutUrlOf,
  blocked: contract.PaymentBlock | null,
): contract.CreatedOrder => ({
  order_id: order.id,
  checkout_url: checkoutUrlOf(environment.id, order.id),
  status: 'created',
  amount: order.amountMinor,
  currency: order.currency,
  price_decimal: toDecimal(order.amountMinor, order.currency),
  discount_decimal: discountView(order),
  created_at: toUnixSeconds(order.createdAt),
  expires_at: toUnixSeconds(order.expiresAt),
  sandbox: isSandbox(environment),
  ...(blocked && { payment_blocked: blocked }),
  ...(order.warnings.length > 0 && { warnings: order.warnings }),
});

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
