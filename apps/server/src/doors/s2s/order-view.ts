import type { CreatedOrder as CreatedOrderView, Order as OrderView, PaymentBlock } from '@coinslot/contract';
import { type Environment, isSandbox } from '../../domain/game/environment.ts';
import type { CreatedOrder } from '../../domain/order/create-order.ts';
import type { OrderAt } from '../../domain/order/order.sql.ts';
import { orderView as viewOf } from '../../domain/order/order-view.ts';
import { toUnixSeconds } from '../../kit/clock.ts';
import { toDecimal } from '../../kit/money.ts';

export type CheckoutUrlOf = (environmentId: string, orderId: string) => string;

export const createdOrderView = (
  environment: Environment,
  order: CreatedOrder,
  checkoutUrlOf: CheckoutUrlOf,
  blocked: PaymentBlock | null = null,
): CreatedOrderView => ({
  order_id: order.id,
  checkout_url: checkoutUrlOf(environment.id, order.id),
  status: 'created',
  amount: order.amountMinor,
  currency: order.currency,
  price_decimal: toDecimal(order.amountMinor, order.currency),
  created_at: toUnixSeconds(order.createdAt),
  expires_at: toUnixSeconds(order.expiresAt),
  sandbox: isSandbox(environment),
  ...(blocked && { payment_blocked: blocked }),
  ...(order.warnings.length > 0 && { warnings: order.warnings }),
});

export const orderView = (environment: Environment, found: OrderAt, checkoutUrlOf: CheckoutUrlOf): OrderView =>
  viewOf(environment, found, checkoutUrlOf(environment.id, found.order.id));
