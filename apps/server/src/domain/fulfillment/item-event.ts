import type { ItemEventData, ReasonCode } from '@coinslot/contract';
import { itemFacts } from '../order/order-facts.ts';
import type { Purchase } from './apply-charge.ts';

export type ItemKind = 'item.add' | 'item.remove';

/** The same for every attempt and every worker: an order is granted under one key and taken back under one key. */
export const itemIdempotencyKey = (kind: ItemKind, orderId: string): string =>
  `${kind === 'item.add' ? 'add' : 'remove'}_${orderId.slice(orderId.indexOf('_') + 1)}`;

export function itemEventData({ order, payment }: Purchase, reasonCode: ReasonCode, reason: string): ItemEventData {
  return {
    player_id: order.playerId,
    items: order.items.map(item => {
      const { sku, name, quantity, price_decimal, currency } = itemFacts(item);
      return { sku, name, quantity, price_decimal, currency };
    }),
    order_id: order.id,
    payment_id: payment.id,
    reason,
    reason_code: reasonCode,
    metadata: order.details.metadata,
  };
}
