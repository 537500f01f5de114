import type { PaymentEventData } from '@coinslot/contract';
import { toUnixSeconds } from '../../kit/clock.ts';
import { toDecimal } from '../../kit/money.ts';
import { attentionView } from '../order/order-view.ts';
import type { Payment } from './payment.ts';

/** The payment as events tell it. */
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
