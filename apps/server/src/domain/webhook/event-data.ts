import type { EventKind } from '@coinslot/contract';
import { toDecimal } from '../../kit/money.ts';
import { grantedItemFacts, itemFacts } from '../order/order-facts.ts';
import { type StoredItem, toItem } from '../order/stored-order.ts';

type Data = Record<string, unknown>;

/** What an event tells of its order that stays the same: read from the order, in place of a copy in each event. */
export interface ToldOrder {
  playerId: string;
  items: StoredItem[];
  /** Null: none. */
  metadata: unknown;
  amountMinor: number;
  currency: string;
  /** Unix seconds. */
  createdAt: number;
  expiresAt: number;
}

export const boughtReason = (playerId: string): string => `Player ${playerId} bought these items.`;

/** By the beginning of a kind: what its order knows or what follows from the rest. */
const NOT_STORED: Readonly<Record<string, readonly string[]>> = {
  order: ['order_id', 'player_id', 'items', 'metadata', 'created_at', 'expires_at', 'price_decimal'],
  item: ['order_id', 'player_id', 'items', 'metadata'],
  // The player's name stays: archives are searched by it.
  payment: ['order_id', 'price_decimal'],
  checkout: ['order_id', 'player_id'],
};

const familyOf = (kind: EventKind): string => kind.slice(0, kind.indexOf('.'));

const isUsualReason = (data: Data): boolean => data.reason === boughtReason(String(data.player_id));

/** The part of an order's event that is written into its row. */
export function storedData(kind: EventKind, data: Data): Data {
  const left = NOT_STORED[familyOf(kind)] ?? [];
  const stored: Data = {};
  for (const key in data) {
    const isKnown = data[key] === null || left.includes(key) || (key === 'reason' && isUsualReason(data));
    if (!isKnown) stored[key] = data[key];
  }
  return stored;
}

function orderData(orderId: string, data: Data, order: ToldOrder): Data {
  const amount = typeof data.amount === 'number' ? data.amount : order.amountMinor;
  const currency = typeof data.currency === 'string' ? data.currency : order.currency;
  return {
    order_id: orderId,
    status: data.status ?? 'created',
    player_id: order.playerId,
    items: order.items.map(item => itemFacts(toItem(item))),
    amount,
    currency,
    price_decimal: toDecimal(amount, currency),
    metadata: order.metadata ?? {},
    payment_id: data.payment_id ?? null,
    problem: data.problem ?? null,
    created_at: order.createdAt,
    expires_at: order.expiresAt,
    paid_at: data.paid_at ?? null,
  };
}

const itemData = (orderId: string, data: Data, order: ToldOrder): Data => ({
  player_id: order.playerId,
  items: order.items.map(item => grantedItemFacts(toItem(item))),
  order_id: orderId,
  payment_id: data.payment_id ?? null,
  reason: data.reason ?? (data.reason_code === 'order_paid' ? boughtReason(order.playerId) : ''),
  reason_code: data.reason_code,
  metadata: order.metadata ?? {},
});

const paymentData = (orderId: string, data: Data): Data => ({
  payment_id: data.payment_id,
  order_id: orderId,
  player_id: data.player_id,
  status: data.status,
  method: data.method,
  brand: data.brand ?? null,
  last4: data.last4 ?? null,
  country: data.country ?? null,
  amount: data.amount,
  currency: data.currency,
  price_decimal: toDecimal(Number(data.amount), String(data.currency)),
  response_code: data.response_code ?? null,
  response_description: data.response_description ?? null,
  attention: data.attention ?? null,
  created_at: data.created_at,
});

/** The event as it was told, with every field in its place. What is about no order is stored whole. */
export function toldData(kind: EventKind, orderId: string | null, data: Data, order: ToldOrder | null): Data {
  if (orderId === null) return data;
  const family = familyOf(kind);
  if (family === 'payment') return paymentData(orderId, data);
  if (!order) return data;
  if (family === 'order') return orderData(orderId, data, order);
  if (family === 'item') return itemData(orderId, data, order);
  return { order_id: orderId, player_id: order.playerId, ...data };
}
