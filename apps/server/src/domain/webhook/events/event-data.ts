import type { DashboardLocale, EventKind } from '@coinslot/contract';
import { type Phrase, phrasesText } from '@coinslot/texts/attention';
import { toDecimal } from '../../../kit/money.ts';
import { boughtReason, type EventData, familyOf } from '../../event/event.sql.ts';
import { type StoredItem, toItem } from '../../order/order-row.ts';
import { grantedItemFacts, itemFacts, problemText } from '../../order/order-view.ts';

/** What an event says of its order and never changes: it is read from the order, so that no event holds a copy. */
export interface EventOrder {
  playerId: string;
  items: StoredItem[];
  metadata: unknown;
  amountMinor: number;
  currency: string;
  /** Unix seconds. */
  createdAt: number;
  expiresAt: number;
}

function orderData(orderId: string, data: EventData, order: EventOrder, language: DashboardLocale): EventData {
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
    problem: problemText((data.problem as Phrase[] | undefined) ?? null, language),
    created_at: order.createdAt,
    expires_at: order.expiresAt,
    paid_at: data.paid_at ?? null,
  };
}

const itemData = (orderId: string, data: EventData, order: EventOrder): EventData => ({
  player_id: order.playerId,
  items: order.items.map(item => grantedItemFacts(toItem(item))),
  order_id: orderId,
  payment_id: data.payment_id ?? null,
  reason: data.reason ?? (data.reason_code === 'order_paid' ? boughtReason(order.playerId) : ''),
  reason_code: data.reason_code,
  ...(data.grant !== undefined && { grant: data.grant }),
  metadata: order.metadata ?? {},
});

function attentionData({ attention }: EventData, language: DashboardLocale): unknown {
  const stored = attention as { detail: Phrase[] } | undefined;
  return stored ? { ...stored, detail: phrasesText(stored.detail, language) } : null;
}

const paymentData = (orderId: string, data: EventData, language: DashboardLocale): EventData => ({
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
  refunded_amount: data.refunded_amount ?? null,
  response_code: data.response_code ?? null,
  response_description: data.response_description ?? null,
  attention: attentionData(data, language),
  created_at: data.created_at,
});

/** The event as receivers get it, with every field in its place. An event about no order is stored whole. */
export function eventData(
  kind: EventKind,
  orderId: string | null,
  data: EventData,
  order: EventOrder | null,
  language: DashboardLocale = 'en',
): EventData {
  if (orderId === null) return data;
  const family = familyOf(kind);
  if (family === 'payment') return paymentData(orderId, data, language);
  if (!order) return data;
  if (family === 'order') return orderData(orderId, data, order, language);
  if (family === 'item') return itemData(orderId, data, order);
  return { order_id: orderId, player_id: order.playerId, ...data };
}
