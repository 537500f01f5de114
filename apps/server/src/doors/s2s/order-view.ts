import type {
  CreatedOrder as CreatedOrderView,
  Order as OrderView,
  PaymentBlock,
  Payment as PaymentView,
} from '@coinslot/contract';
import { type Environment, isSandbox } from '../../domain/account/environment.ts';
import type { CreatedOrder } from '../../domain/order/create-order.ts';
import type { OrderAt } from '../../domain/order/order.sql.ts';
import { statusAt } from '../../domain/order/order.ts';
import { orderFacts } from '../../domain/order/order-facts.ts';
import type { Payment } from '../../domain/payment/payment.ts';
import { paymentFacts } from '../../domain/payment/payment-facts.ts';
import { toUnixSeconds } from '../../kit/clock.ts';
import { toDecimal } from '../../kit/money.ts';

export type CheckoutUrlOf = (environmentId: string, orderId: string) => string;

const unixOrNull = (time: Date | null): number | null => time && toUnixSeconds(time);

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

export const orderView = (environment: Environment, found: OrderAt, checkoutUrlOf: CheckoutUrlOf): OrderView => {
  const { order, now, paymentId } = found;
  return {
    ...orderFacts(order, paymentId),
    status: statusAt(order, now),
    email: order.email,
    country: order.details.country,
    locale: order.details.locale,
    ui: { theme: order.details.theme },
    back_to_game_url: order.details.backToGameUrl,
    back_to_store_url: order.details.backToStoreUrl,
    checkout_url: checkoutUrlOf(environment.id, order.id),
    sandbox: isSandbox(environment),
    updated_at: toUnixSeconds(order.updatedAt),
    granted_at: unixOrNull(order.grantedAt),
  };
};

export const paymentView = (environment: Environment, payment: Payment): PaymentView => ({
  ...paymentFacts(payment),
  gateway: payment.gateway,
  email: payment.email,
  refund_reason: payment.refundReason,
  dispute_reason: payment.disputeReason,
  problem: payment.problem,
  sandbox: isSandbox(environment),
  updated_at: toUnixSeconds(payment.updatedAt),
  authorized_at: unixOrNull(payment.authorizedAt),
  captured_at: unixOrNull(payment.capturedAt),
  refunded_at: unixOrNull(payment.refundedAt),
});
