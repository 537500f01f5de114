import type { Order, Payment } from '@coinslot/sdk';
import type { Output } from '../terminal/output.ts';
import { plain } from '../terminal/style.ts';
import { moneyWord, orNone, statusWord, timeWord } from '../terminal/words.ts';

const itemsWord = ({ items }: Order): string =>
  items.map(({ sku, quantity }) => (quantity > 1 ? `${quantity} × ${plain(sku)}` : plain(sku))).join(', ');

export function printOrder(output: Output, order: Order): void {
  if (output.isJson) {
    output.json(order);
    return;
  }
  output.fields([
    ['order', order.order_id],
    ['status', statusWord(output.style, order.status)],
    ['player', plain(order.player_id)],
    ['items', itemsWord(order)],
    ['price', moneyWord(order)],
    ['payment', order.payment_id],
    ['problem', order.problem && output.style.red(plain(order.problem))],
    ['created', timeWord(order.created_at)],
    ['granted', timeWord(order.granted_at)],
    ['paid', timeWord(order.paid_at)],
    ['expires', order.status === 'created' ? timeWord(order.expires_at) : null],
    ['page', order.status === 'created' ? order.checkout_url : null],
  ]);
}

export const orderRow = (output: Output, order: Order): string[] => [
  order.order_id,
  statusWord(output.style, order.status),
  moneyWord(order),
  plain(order.player_id),
  itemsWord(order),
  timeWord(order.created_at),
];

export const paymentRow = (output: Output, payment: Payment): string[] => [
  payment.payment_id,
  statusWord(output.style, payment.status),
  moneyWord(payment),
  payment.last4 ? `${orNone(payment.brand)} …${payment.last4}` : plain(payment.method),
  payment.response_code ? plain(`${payment.response_code} ${payment.response_description ?? ''}`) : '-',
  payment.order_id,
  timeWord(payment.created_at),
];
