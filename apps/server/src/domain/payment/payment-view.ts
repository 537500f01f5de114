import { channel } from 'node:diagnostics_channel';
import type * as contract from '@coinslot/contract';
import type { EventKind, PaymentEventData } from '@coinslot/contract';
import type { Queryable, Tx } from '../../db/db.ts';
import { AppError } from '../../kit/app-error.ts';
import { toUnixSeconds, unixOrNull } from '../../kit/clock.ts';
import { toDecimal } from '../../kit/money.ts';
import { insertEvents } from '../event/event.sql.ts';
import { type Environment, isSandbox } from '../game/environment.ts';
import { attentionView } from '../order/order-view.ts';
import { findPayment } from './payment.sql.ts';
import { isInReview, type Payment } from './payment.ts';

/** A payment as every door shows it. */
export const paymentView = (environment: Environment, payment: Payment): contract.Payment => ({
  ...paymentFacts(payment),
  gateway: payment.gateway,
  email: payment.email,
  refund_reason: payment.refundReason,
  dispute_reason: payment.disputeReason,
  problem: payment.problem,
  in_review: isInReview(payment),
  sandbox: isSandbox(environment),
  updated_at: toUnixSeconds(payment.updatedAt),
  authorized_at: unixOrNull(payment.authorizedAt),
  captured_at: unixOrNull(payment.capturedAt),
  refunded_at: unixOrNull(payment.refundedAt),
});

export async function readPayment(db: Queryable, environmentId: string, id: string): Promise<Payment> {
  const payment = await findPayment(db, environmentId, id);
  if (!payment) throw new AppError('payment_not_found');
  return payment;
}

/** The payment as events carry it. */
export const paymentFacts = (payment: Payment): PaymentEventData => ({
  payment_id: payment.id,
  order_id: payment.orderId,
  player_id: payment.playerId,
  status: payment.status,
  method: payment.method,
  brand: payment.brand,
  last4: payment.last4,
  country: payment.country,
  amount: payment.amountMinor,
  currency: payment.currency,
  price_decimal: toDecimal(payment.amountMinor, payment.currency),
  response_code: payment.responseCode,
  response_description: payment.responseDescription,
  attention: attentionView(payment.attention),
  created_at: toUnixSeconds(payment.createdAt),
});

export interface PaymentChanged {
  payment: Payment;
  kinds: readonly EventKind[];
}

/** For metrics. It costs nothing without a subscriber, and no behavior may depend on one. */
export const paymentChanged = channel('coinslot.payment');

/** Publishes what happened to a payment once it is durable. */
export function announcePayment(tx: Tx, payment: Payment, kinds: readonly EventKind[]): void {
  if (!paymentChanged.hasSubscribers) return;
  tx.afterCommit(() => paymentChanged.publish({ payment, kinds } satisfies PaymentChanged));
}

/** Writes an event about a payment in the payment's transaction. */
export function emitPaymentEvent(tx: Tx, payment: Payment, kind: EventKind): void {
  const { environmentId, orderId } = payment;
  announcePayment(tx, payment, [kind]);
  insertEvents(tx, [{ environmentId, orderId, kind, data: paymentFacts(payment) }]);
}
