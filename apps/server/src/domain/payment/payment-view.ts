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
import { type DisputeRecord, listDisputesOf } from './disputes/dispute.sql.ts';
import { findPayment } from './payment.sql.ts';
import { isInReview, type Payment } from './payment.ts';

const disputeView = (dispute: DisputeRecord): contract.Dispute => ({
  id: dispute.id,
  status: dispute.status,
  amount: dispute.amountMinor,
  currency: dispute.currency,
  fee: dispute.feeMinor,
  fee_currency: dispute.feeCurrency,
  reason: dispute.reason,
  evidence: dispute.evidenceStage,
  respond_by: unixOrNull(dispute.evidenceDueAt),
  opened_at: toUnixSeconds(dispute.openedAt),
});

const viewOf = (environment: Environment, payment: Payment, disputes: readonly DisputeRecord[]): contract.Payment => ({
  ...paymentFacts(payment),
  gateway: payment.gateway,
  email: payment.email,
  refund_reason: payment.refundReason,
  dispute_reason: payment.disputeReason,
  disputes: disputes.map(disputeView),
  problem: payment.problem,
  in_review: isInReview(payment),
  sandbox: isSandbox(environment),
  updated_at: toUnixSeconds(payment.updatedAt),
  authorized_at: unixOrNull(payment.authorizedAt),
  captured_at: unixOrNull(payment.capturedAt),
  refunded_at: unixOrNull(payment.refundedAt),
});

/** Payments as every door shows them. Few were ever disputed, and only of those are the disputes read. */
export async function paymentViews(
  db: Queryable,
  environment: Environment,
  payments: readonly Payment[],
): Promise<contract.Payment[]> {
  const disputed = payments.filter(({ disputeStatus }) => disputeStatus !== null).map(({ id }) => id);
  const disputes = disputed.length === 0 ? [] : await listDisputesOf(db, environment.id, disputed);
  return payments.map(payment =>
    viewOf(
      environment,
      payment,
      disputes.filter(({ paymentId }) => paymentId === payment.id),
    ),
  );
}

export async function paymentView(
  db: Queryable,
  environment: Environment,
  payment: Payment,
): Promise<contract.Payment> {
  const [view] = await paymentViews(db, environment, [payment]);
  return view!;
}

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
