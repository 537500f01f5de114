import type * as contract from '@coinslot/contract';
import type { EventKind, OrderEventData } from '@coinslot/contract';
import { type Phrase, phrasesText } from '@coinslot/texts/attention';
import type { Tx } from '../../db/db.ts';
import { toUnixSeconds, unixOrNull } from '../../kit/clock.ts';
import { toDecimal } from '../../kit/money.ts';
import { onWire } from '../../kit/on-wire.ts';
import { insertEvents } from '../event/event.sql.ts';
import { type Environment, isSandbox } from '../game/environment.ts';
import type { CheckoutUrlOf } from './checkout-token.ts';
import type { CreatedOrder } from './create-order.ts';
import type { OrderAt } from './order.sql.ts';
import { type Attention, type Order, type OrderItem, statusAt } from './order.ts';
import { discountMinor, type Priced } from './pricing.ts';

export const problemText = (
  problem: readonly Phrase[] | null,
  language: contract.DashboardLocale = 'en',
): string | null => problem && phrasesText(problem, language);

export const attentionView = (
  attention: Attention | null,
  language: contract.DashboardLocale = 'en',
): contract.Attention | null =>
  attention && {
    ...onWire(attention, 'code, since'),
    detail: phrasesText(attention.detail, language),
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
  language: contract.DashboardLocale = 'en',
): contract.Order => ({
  email: order.email,
  ...orderFacts(order, paymentId),
  problem: problemText(order.problem, language),
  discount_decimal: discountView(order),
  status: statusAt(order, now),
  ...onWire(order.details, 'country, locale'),
  ui: { theme: order.details.theme },
  ...onWire(order.details, 'back_to_game_url, back_to_store_url'),
  checkout_url: checkoutUrlOf(environment.id, order.id),
  attention: attentionView(order.attention, language),
  sandbox: isSandbox(environment),
  ...onWire(order, 'updated_at, granted_at'),
});

/** The shorter answer to a creation, made without reading the order again, and in one shape: most calls are this one. */
export const createdOrderView = (
  environment: Environment,
  order: CreatedOrder,
  checkoutUrlOf: CheckoutUrlOf,
  blocked: contract.PaymentBlock | null,
): contract.CreatedOrder => {
  const view: contract.CreatedOrder = {
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
  };
  if (blocked) view.payment_blocked = blocked;
  if (order.warnings.length > 0) view.warnings = order.warnings;
  return view;
};

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

/** The order as events store it. Its problem is put into words when it is read. */
export const orderFacts = (
  order: Order,
  paymentId: string | null,
): Omit<OrderEventData, 'problem'> & Pick<Order, 'problem'> => ({
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
