import { channel } from 'node:diagnostics_channel';
import type * as contract from '@coinslot/contract';
import type { EventKind } from '@coinslot/contract';
import type { Queryable, Tx } from '../../db/db.ts';
import { foundOr } from '../../kit/app-error.ts';
import { toUnixSeconds, unixOrNull } from '../../kit/clock.ts';
import { toDecimal } from '../../kit/money.ts';
import { onWire } from '../../kit/on-wire.ts';
import { insertEvents } from '../event/event.sql.ts';
import { type Environment, isSandbox } from '../game/environment.ts';
import { attentionView, problemText } from '../order/order-view.ts';
import { type DisputeRecord, listDisputesOf } from './disputes/dispute.sql.ts';
import { findPayment } from './payment.sql.ts';
import { isInReview, type Payment } from './payment.ts';

const disputeView = (dispute: DisputeRecord): contract.Dispute => ({
  ...onWire(dispute, 'id, status, currency, fee_currency, reason, opened_at'),
  amount: dispute.amountMinor,
  fee: dispute.feeMinor,
  evidence: dispute.evidenceStage,
  respond_by: unixOrNull(dispute.evidenceDueAt),
});

const viewOf = (
  environment: Environment,
  payment: Payment,
  disputes: readonly DisputeRecord[],
  language: contract.DashboardLocale,
): contract.Payment => ({
  ...paymentFacts(payment),
  attention: attentionView(payment.attention, language),
  ...onWire(payment, 'gateway, email, refund_reason, dispute_reason'),
  disputes: disputes.map(disputeView),
  problem: problemText(payment.problem, language),
  in_review: isInReview(payment),
  sandbox: isSandbox(environment),
  ...onWire(payment, 'updated_at, authorized_at, captured_at, refunded_at'),
});

/** Payments as every door shows them. Few were ever disputed, and only of those are the disputes read. */
export async function paymentViews(
  db: Queryable,
  environment: Environment,
  payments: readonly Payment[],
  language: contract.DashboardLocale = 'en',
): Promise<contract.Payment[]> {
  const disputed = payments.filter(({ disputeStatus }) => disputeStatus !== null).map(({ id }) => id);
  const disputes = disputed.length === 0 ? [] : await listDisputesOf(db, environment.id, disputed);
  return payments.map(payment =>
    viewOf(
      environment,
      payment,
      disputes.filter(({ paymentId }) => paymentId === payment.id),
      language,
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

export const readPayment = (db: Queryable, environmentId: string, id: string): Promise<Payment> =>
  foundOr('payment_not_found', findPayment(db, environmentId, id));

/** The payment as events store it, in one shape: each step of one writes it. What needs attention is put into words when it is read. */
export const paymentFacts = (payment: Payment) => ({
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
  refunded_amount: (payment.status === 'refunded' ? payment.amountMinor : payment.returnedMinor) || null,
  response_code: payment.responseCode,
  response_description: payment.responseDescription,
  attention: payment.attention && onWire(payment.attention, 'code, since, detail, next_check_at'),
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

export function emitPaymentEvent(tx: Tx, payment: Payment, kind: EventKind): void {
  const { environmentId, orderId } = payment;
  announcePayment(tx, payment, [kind]);
  insertEvents(tx, [{ environmentId, orderId, kind, data: paymentFacts(payment) }]);
}
