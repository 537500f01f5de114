/** Types of the API. Generated from the contract by `npm run generate`: change them there. */

import type { OrderItem } from './api-shapes.ts';
import type { OrderStatus, PaymentStatus, EventKind, ReasonCode } from './word-shapes.ts';

/** Items to grant to a player, or to revoke. */
export interface ItemEventData {
  /** Identifier of the player in the game backend. */ player_id: string;
  items: ItemEventItem[];
  /** The order. */ order_id: string;
  /** The payment; null for a free order. */ payment_id: string | null;
  /** Why, in a sentence. */ reason: string;
  /** Why, from a closed list. */ reason_code: ReasonCode;
  /** Of `item.remove` only: whether the game ever answered 2xx to the `item.add` of this order. Revoke only what was granted. */ grant?: 'confirmed' | 'unknown';
  /** Your own notes: up to 50 keys of 40 characters with text of 500. Returned in reads and webhooks. */ metadata: Record<string, string>;
}

/** An item to grant or to revoke. */
export interface ItemEventItem {
  sku: string;
  name: string | null;
  quantity: number;
  price_decimal: number | null;
  currency: string | null;
}

/** The order at the time of the event. */
export interface OrderEventData {
  /** Identifier of the order. */ order_id: string;
  /** Status of the order. */ status: OrderStatus;
  /** Identifier of the player in the game backend. */ player_id: string;
  items: OrderItem[];
  /** Amount to pay, in minor units. */ amount: number;
  /** ISO 4217. */ currency: string;
  /** The same amount in major units. */ price_decimal: number;
  /** Your own notes: up to 50 keys of 40 characters with text of 500. Returned in reads and webhooks. */ metadata: Record<string, string>;
  /** The current or completed payment; the latest when there were several. */ payment_id: string | null;
  /** A note for studio members, such as why it was rejected or why a refund failed. */ problem: string | null;
  /** When the order was created. Unix seconds. */ created_at: number;
  /** When it expires if it is not paid. Unix seconds. */ expires_at: number;
  /** When the items were granted and the money captured. Unix seconds. */ paid_at: number | null;
}

/** The payment at the time of the event. */
export interface PaymentEventData {
  /** Identifier of the payment. */ payment_id: string;
  /** Order it belongs to. */ order_id: string;
  /** Identifier of the player in the game backend. */ player_id: string;
  /** Status of the payment. */ status: PaymentStatus;
  /** Payment method. */ method: string;
  /** Brand of the card. */ brand: string | null;
  /** Last four digits of the card. */ last4: string | null;
  /** Country of the card, ISO 3166-1 alpha-2. */ country: string | null;
  /** In minor units. */ amount: number;
  /** ISO 4217. */ currency: string;
  /** The same amount in major units. */ price_decimal: number;
  /** What was refunded, in minor units. A part only if that was done at the provider itself. */ refunded_amount: number | null;
  /** Response code from the provider. */ response_code: string | null;
  /** The code in words. */ response_description: string | null;
  /** Why money waits for a person. */ attention: { code: 'grant_unanswered' | 'removal_unanswered' | 'capture_refused' | 'refund_refused' | 'refund_failed' | 'amount_differs' | 'dispute_open' | 'dispute_unclear' | 'fraud_warning' | 'provider_error'; since: number; detail: string; next_check_at: number | null } | null;
  /** When the attempt began. Unix seconds. */ created_at: number;
}

/** The order whose payment page was opened. */
export interface CheckoutEventData {
  /** The order. */ order_id: string;
  /** Identifier of the player in the game backend. */ player_id: string;
  /** What the page was opened on, as the browser says. */ device?: 'phone' | 'tablet' | 'desktop' | 'other';
}

/** A test of the endpoint. Nothing happened. */
export interface TestEventData {
  /** The subscription under test. */ webhook_id: string;
  message: string;
}

/** The fields around `event_data` in every webhook. */
export interface EventEnvelope {
  /** Identifier of the event. */ event_id: string;
  /** When it happened. Unix seconds. */ event_time: number;
  /** The game. */ game_id: string;
  /** True when no real money moves. */ sandbox: boolean;
  /** The same on every attempt. Handle each key once. */ idempotency_key: string;
  /** Present when the subscription has `player_context_enabled` and the event has a player. */ context?: { player: { player_id: string; name?: string; avatar_url?: string; attributes?: Record<string, string | number | boolean> } };
}

/** Every kind of event and its `event_data`. */
export interface EventDataByKind {
  /** A player bought items; the game is asked to grant them. The money is captured after a 2xx response. */ 'item.add': ItemEventData;
  /** A payment was reversed or refunded; the game is asked to revoke the items. */ 'item.remove': ItemEventData;
  /** An order was created. */ 'order.created': OrderEventData;
  /** The items were granted and the money was captured. */ 'order.paid': OrderEventData;
  /** The game declined to grant the items or never responded; the money was released. */ 'order.rejected': OrderEventData;
  /** An order was canceled before it was paid. */ 'order.canceled': OrderEventData;
  /** The order was not paid in time. */ 'order.expired': OrderEventData;
  /** An order was refunded. */ 'order.refunded': OrderEventData;
  /** A bank opened a dispute about an order’s payment. */ 'order.disputed': OrderEventData;
  /** A bank reversed an order’s payment. */ 'order.charged_back': OrderEventData;
  /** A player started a payment. */ 'payment.pending': PaymentEventData;
  /** The player must take another step, such as 3-D Secure. */ 'payment.requires_action': PaymentEventData;
  /** The money was reserved. */ 'payment.authorized': PaymentEventData;
  /** The money was captured. */ 'payment.succeeded': PaymentEventData;
  /** The payment was declined. */ 'payment.declined': PaymentEventData;
  /** The player did not complete the payment. */ 'payment.abandoned': PaymentEventData;
  /** The reservation was released. */ 'payment.voided': PaymentEventData;
  /** The payment was refunded. */ 'payment.refunded': PaymentEventData;
  /** A bank opened a dispute about the payment. */ 'payment.disputed': PaymentEventData;
  /** A bank reversed the payment. */ 'payment.charged_back': PaymentEventData;
  /** Money waits for a studio member; `attention` says why. */ 'payment.attention': PaymentEventData;
  /** A player opened the payment page for the first time. */ 'checkout.opened': CheckoutEventData;
  /** A studio member or API caller sent a test event. */ 'webhook.test': TestEventData;
}

/** A webhook's body. Switch on `event_type` to narrow it. */
export type WebhookEvent<K extends EventKind = EventKind> = {
  [Kind in K]: EventEnvelope & { event_type: Kind; event_data: EventDataByKind[Kind] };
}[K];
