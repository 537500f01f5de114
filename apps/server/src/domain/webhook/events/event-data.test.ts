import { EVENT_KINDS, type EventKind } from '@coinslot/contract';
import { describe, expect, it } from 'vitest';
import { toUnixSeconds } from '../../../kit/clock.ts';
import { boughtReason, storedData } from '../../event/event.sql.ts';
import type { Order } from '../../order/order.ts';
import { grantedItemFacts, orderFacts } from '../../order/order-view.ts';
import { type EventOrder, eventData } from './event-data.ts';

const at = new Date('2026-11-16T04:29:23.876Z');

const order = {
  environmentId: 'env_1',
  id: 'ord_1',
  playerId: 'player_7',
  status: 'paid',
  amountMinor: 1_998,
  currency: 'USD',
  items: [
    {
      sku: 'a',
      name: null,
      description: null,
      imageUrl: null,
      quantity: 2,
      priceMinor: 999,
      fullPriceMinor: null,
      currency: 'USD',
    },
  ],
  details: {
    country: null,
    locale: null,
    theme: 'auto',
    backToGameUrl: null,
    backToStoreUrl: null,
    metadata: { level: '42' },
  },
  email: null,
  problem: null,
  attention: null,
  grantedAt: at,
  paidAt: at,
  createdAt: at,
  expiresAt: at,
  updatedAt: at,
  version: 5,
} as unknown as Order;

const eventOrder: EventOrder = {
  playerId: order.playerId,
  items: order.items,
  metadata: order.details.metadata,
  amountMinor: 1,
  currency: 'JPY',
  createdAt: toUnixSeconds(at),
  expiresAt: toUnixSeconds(at),
};

const payment = {
  payment_id: 'pay_1',
  order_id: 'ord_1',
  player_id: 'player_7',
  status: 'declined',
  method: 'card',
  brand: null,
  last4: null,
  country: 'GB',
  amount: 1_998,
  currency: 'USD',
  price_decimal: 19.98,
  refunded_amount: null,
  response_code: '51',
  response_description: 'Not enough money.',
  attention: null,
  created_at: 1,
};

const items = (reason: string, reasonCode: string) => ({
  player_id: order.playerId,
  items: order.items.map(grantedItemFacts),
  order_id: order.id,
  payment_id: 'pay_1',
  reason,
  reason_code: reasonCode,
  metadata: order.details.metadata,
});

const factsOf = (kind: EventKind): Record<string, unknown> => {
  if (kind === 'item.add') return items(boughtReason(order.playerId), 'order_paid');
  if (kind === 'item.remove') return items('The player asked for it.', 'refund');
  if (kind.startsWith('payment.')) return payment;
  if (kind.startsWith('order.')) return { ...orderFacts(order, 'pay_1') };
  return { order_id: order.id, player_id: order.playerId };
};

const ofOrders = EVENT_KINDS.filter(kind => kind !== 'webhook.test');

describe('an event of an order', () => {
  it.each(ofOrders)('is whole, byte by byte, from the part that is stored: %s', kind => {
    const data = factsOf(kind);
    const stored = JSON.stringify(storedData(kind, data));
    const read = eventData(kind, order.id, JSON.parse(stored) as Record<string, unknown>, eventOrder);
    expect(JSON.stringify(read)).toBe(JSON.stringify(data));
    expect(stored.length).toBeLessThan(JSON.stringify(data).length * 0.75);
  });

  it('stores nothing that its order knows', () => {
    expect(storedData('order.paid', factsOf('order.paid'))).toEqual({
      status: 'paid',
      amount: 1_998,
      currency: 'USD',
      payment_id: 'pay_1',
      paid_at: toUnixSeconds(at),
    });
  });

  it('tells a creation, which stores nothing, from the order as it was then', () => {
    const read = eventData('order.created', order.id, {}, { ...eventOrder, amountMinor: 1_998, currency: 'USD' });
    expect(read).toEqual(orderFacts({ ...order, status: 'created', paidAt: null }, null));
  });
});

it('an event of no order is sent as it is stored', () => {
  expect(eventData('order.paid', null, { any: 'thing' }, null)).toEqual({ any: 'thing' });
});
