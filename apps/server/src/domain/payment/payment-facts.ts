import { channel } from 'node:diagnostics_channel';
import type { EventKind, PaymentEventData } from '@coinslot/contract';
import type { Tx } from '../../db/db.ts';
import { toUnixSeconds } from '../../kit/clock.ts';
import { toDecimal } from '../../kit/money.ts';
import { insertEvents } from '../event/event.sql.ts';
import { attentionView } from '../order/order-view.ts';
import type { Payment } from './payment.ts';

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
