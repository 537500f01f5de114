import type { DashboardLocale, OrderDetail, RefundPreview, Role, TransactionDetail } from '@coinslot/contract';
import type { Queryable } from '../../../db/db.ts';
import { onWire } from '../../../kit/on-wire.ts';
import { type Environment, isSandbox } from '../../game/environment.ts';
import { sumLedger } from '../../ledger/sum-ledger.ts';
import type { Order } from '../../order/order.ts';
import { orderView } from '../../order/order-view.ts';
import { readOrder } from '../../order/read-order.ts';
import type { Payment } from '../../payment/payment.ts';
import { paymentViews, readPayment } from '../../payment/payment-view.ts';
import { findChargeDetails } from '../../payment/providers/base/provider-charge.sql.ts';
import { attentionItems } from '../../purchase/member-actions/attention-view.ts';
import { orderActions, paymentActions } from '../../purchase/member-actions/order-actions.ts';
import { refundPreview } from '../../purchase/refund/refund-preview.ts';
import type { Shop } from '../../shop.ts';
import { findItemTarget } from '../../webhook/endpoints/delivery-target.sql.ts';
import { deliveryView } from '../../webhook/endpoints/webhook-views.ts';
import { readTimeline } from './read-timeline.ts';
import { listItemDeliveries, listPaymentsOfPlayer } from './timeline.sql.ts';
import { type OrderFacts, timelineOf } from './timeline.ts';

/** The environment that a member looks at, their role in it, and the language in which they read it. */
export interface Viewer {
  environment: Environment;
  role: Role;
  language: DashboardLocale;
}

const OTHER_PAYMENTS = 10;

const rawOf = (name: string, value: object) => ({ name, json: JSON.stringify(value, null, 2) });

const rawEvents = ({ events }: OrderFacts) => events.map(({ id, kind, data }) => rawOf(`${kind} ${id}`, data));

const needsAttention = (db: Queryable, viewer: Viewer, order: Order, payments: readonly Payment[]) => {
  const waiting = payments.filter(({ attention }) => attention !== null);
  return attentionItems(
    db,
    viewer,
    waiting.map(payment => ({ order, payment })),
  );
};

export async function readOrderDetail(
  { db, checkoutUrlOf }: Pick<Shop, 'db' | 'checkoutUrlOf'>,
  viewer: Viewer,
  id: string,
): Promise<OrderDetail> {
  const { environment, role, language } = viewer;
  const found = await readOrder(db, environment.id, id);
  const facts = await readTimeline(db, environment, found.order, language);
  const order = orderView(environment, found, checkoutUrlOf, language);
  const payments = await paymentViews(db, environment, facts.payments, language);
  return {
    order,
    payments,
    deliveries: facts.deliveries.map(delivery => deliveryView(delivery, facts.log)),
    timeline: timelineOf(facts),
    actions: orderActions(role, found, facts.deliveries, facts.payments),
    needs_attention: await needsAttention(db, viewer, found.order, facts.payments),
    raw: [
      rawOf('order', order),
      ...payments.map(payment => rawOf(`payment ${payment.payment_id}`, payment)),
      ...rawEvents(facts),
    ],
  };
}

/** The ledger is kept for real money only. */
async function moneyOf(
  db: Queryable,
  environment: Environment,
  paymentId: string,
): Promise<TransactionDetail['money']> {
  if (isSandbox(environment)) return null;
  const sums = (await sumLedger(db, environment.id, [paymentId])).get(paymentId)!;
  return {
    reserved: sums.authorizedMinor,
    captured: sums.capturedMinor,
    returned: sums.refundedMinor,
    reversed: sums.disputedMinor,
    fee: sums.feeCurrency === null ? null : sums.feeMinor,
    fee_currency: sums.feeCurrency,
  };
}

export async function readTransactionDetail(
  { db, checkoutUrlOf }: Pick<Shop, 'db' | 'checkoutUrlOf'>,
  viewer: Viewer,
  id: string,
): Promise<TransactionDetail> {
  const { environment, role, language } = viewer;
  const row = await readPayment(db, environment.id, id);
  const found = await readOrder(db, environment.id, row.orderId);
  const [facts, ofPlayer, money, details] = await Promise.all([
    readTimeline(db, environment, found.order, language),
    listPaymentsOfPlayer(db, environment.id, row.playerId, OTHER_PAYMENTS + 1),
    moneyOf(db, environment, id),
    findChargeDetails(db, { environmentId: environment.id, paymentId: id }),
  ]);
  const order = orderView(environment, found, checkoutUrlOf, language);
  const others = ofPlayer.filter(other => other.id !== id).slice(0, OTHER_PAYMENTS);
  const [payment, ...otherViews] = await paymentViews(db, environment, [row, ...others], language);
  return {
    payment: payment!,
    order,
    money,
    at_provider: details && {
      reference: details.intentId,
      ...onWire(details, 'evidence_due_at, warning, risk'),
      refusal: details.refusal && onWire(details.refusal, 'whose, code, reason, param, request_id'),
    },
    timeline: timelineOf(facts),
    other_payments: otherViews,
    actions: paymentActions(role, found, row),
    needs_attention: await needsAttention(db, viewer, found.order, [row]),
    raw: [rawOf('payment', payment!), rawOf('order', order), ...rawEvents(facts)],
  };
}

export async function previewRefund(db: Queryable, environmentId: string, paymentId: string): Promise<RefundPreview> {
  const payment = await readPayment(db, environmentId, paymentId);
  const [{ order }, deliveries, target] = await Promise.all([
    readOrder(db, environmentId, payment.orderId),
    listItemDeliveries(db, environmentId, payment.orderId),
    findItemTarget(db, environmentId),
  ]);
  const of = (kind: string) => deliveries.find(delivery => delivery.kind === kind) ?? null;
  const [grant, removal] = [of('item.add'), of('item.remove')];
  return refundPreview({ order, payment, grant, removal, hasReceiver: target !== null });
}
