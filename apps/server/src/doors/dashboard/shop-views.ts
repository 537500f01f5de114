import type * as contract from '@coinslot/contract';
import { type Environment, isSandbox } from '../../domain/account/environment.ts';
import type { Item, Player } from '../../domain/catalog/catalog.sql.ts';
import { checkoutToken } from '../../domain/order/checkout-token.ts';
import type { OrderAt } from '../../domain/order/order.sql.ts';
import { statusAt } from '../../domain/order/order.ts';
import { orderFacts } from '../../domain/order/order-facts.ts';
import type { Payment } from '../../domain/payment/payment.ts';
import { paymentFacts } from '../../domain/payment/payment-facts.ts';
import type { Attempt } from '../../domain/webhook/attempt.sql.ts';
import type { Delivery } from '../../domain/webhook/delivery.sql.ts';
import { isTestDelivery } from '../../domain/webhook/listen/trigger-event.ts';
import { toUnixSeconds } from '../../kit/clock.ts';
import { toDecimal } from '../../kit/money.ts';
import type { Seal } from '../../kit/seal.ts';

export const unixOrNull = (time: Date | null): number | null => time && toUnixSeconds(time);

export const orderView =
  ({ seal, publicUrl }: { seal: Seal; publicUrl: string }, environment: Environment) =>
  ({ order, now, paymentId }: OrderAt): contract.Order => ({
    ...orderFacts(order, paymentId),
    status: statusAt(order, now),
    email: order.email,
    country: order.details.country,
    locale: order.details.locale,
    ui: { theme: order.details.theme },
    back_to_game_url: order.details.backToGameUrl,
    back_to_store_url: order.details.backToStoreUrl,
    checkout_url: `${publicUrl}/c/${checkoutToken(seal, environment.id, order.id)}`,
    sandbox: isSandbox(environment),
    updated_at: toUnixSeconds(order.updatedAt),
    granted_at: unixOrNull(order.grantedAt),
  });

export const paymentView = (environment: Environment, payment: Payment): contract.Payment => ({
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

export const deliverySummary = (delivery: Delivery): contract.DeliverySummary => ({
  id: delivery.id,
  webhook_id: delivery.subscriptionId,
  event_id: delivery.eventId,
  event_type: delivery.kind,
  order_id: delivery.orderId,
  idempotency_key: delivery.idempotencyKey,
  status: delivery.status,
  test: isTestDelivery(delivery),
  attempts_made: delivery.attemptsMade,
  next_attempt_at: unixOrNull(delivery.nextAttemptAt),
  last_status: delivery.lastStatus,
  last_error: delivery.lastError,
  created_at: toUnixSeconds(delivery.createdAt),
  finished_at: unixOrNull(delivery.finishedAt),
});

export const deliveryView = (delivery: Delivery, attempts: readonly Attempt[]): contract.Delivery => ({
  ...deliverySummary(delivery),
  attempts: attempts
    .filter(({ deliveryId }) => deliveryId === delivery.id)
    .map(attempt => ({
      attempt: attempt.attempt,
      time: toUnixSeconds(attempt.startedAt),
      duration_ms: attempt.durationMs,
      status: attempt.status,
      request: { url: attempt.url, headers: attempt.requestHeaders, body: delivery.body },
      response: attempt.responseHeaders && { headers: attempt.responseHeaders, body: attempt.responseBody },
      error: attempt.error,
    })),
});

export const itemView = (environment: Environment, item: Item): contract.Item => ({
  id: item.id,
  sku: item.sku,
  name: item.name,
  description: item.description,
  image_url: item.imageUrl,
  price_decimal: item.priceMinor === null ? null : toDecimal(item.priceMinor, item.currency!),
  currency: item.currency,
  sale: item.sale,
  sandbox: isSandbox(environment),
  created_at: toUnixSeconds(item.createdAt),
  updated_at: toUnixSeconds(item.updatedAt),
});

export const playerView = (environment: Environment, player: Player): contract.Player => ({
  player_id: player.playerId,
  name: player.name,
  avatar_url: player.avatarUrl,
  email: player.email,
  attributes: player.attributes ?? {},
  sandbox: isSandbox(environment),
  created_at: toUnixSeconds(player.createdAt),
  updated_at: toUnixSeconds(player.updatedAt),
});
