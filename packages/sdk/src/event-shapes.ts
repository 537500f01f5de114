/** The shapes of the wire. Generated from the contract by `npm run generate`: change them there. */

import type { OrderItem } from './api-shapes.ts';
import type { OrderStatus, PaymentStatus, EventKind, ReasonCode } from './word-shapes.ts';

/** Items of one player, to grant or to take back. */
export interface ItemEventData {
  /** Identifier of the player in the game backend. */ player_id: string;
  items: ItemEventItem[];
  /** The order. */ order_id: string;
  /** The payment; null for a free order. */ payment_id: string | null;
  /** Why, in a sentence. */ reason: string;
  /** Why, from a closed list. */ reason_code: ReasonCode;
  /** Your own notes: up to 50 keys of 40 characters with text of 500. They come back in reads and webhooks. */ metadata: Record<string, string>;
}

/** An item to grant or to take back. */
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
  /** Where the order stands. */ status: OrderStatus;
  /** Identifier of the player in the game backend. */ player_id: string;
  items: OrderItem[];
  /** What is to be paid, in minor units. */ amount: number;
  /** ISO 4217. */ currency: string;
  /** The same amount in major units. */ price_decimal: number;
  /** Your own notes: up to 50 keys of 40 characters with text of 500. They come back in reads and webhooks. */ metadata: Record<string, string>;
  /** The payment under way or done; the last one when several were tried. */ payment_id: string | null;
  /** What people should know: why it was rejected, or why a refund failed. */ problem: string | null;
  /** When the order was created. Unix seconds. */ created_at: number;
  /** When it lapses if nobody pays. Unix seconds. */ expires_at: number;
  /** When it was granted and collected. Unix seconds. */ paid_at: number | null;
}

/** The payment at the time of the event. */
export interface PaymentEventData {
  /** Identifier of the payment. */ payment_id: string;
  /** Order it belongs to. */ order_id: string;
  /** Identifier of the player in the game backend. */ player_id: string;
  /** Where the payment stands. */ status: PaymentStatus;
  /** How the player pays. */ method: string;
  /** Brand of the card. */ brand: string | null;
  /** Last four digits of the card. */ last4: string | null;
  /** Country of the card, ISO 3166-1 alpha-2. */ country: string | null;
  /** In minor units. */ amount: number;
  /** ISO 4217. */ currency: string;
  /** The same amount in major units. */ price_decimal: number;
  /** Code the provider answered. */ response_code: string | null;
  /** The code in words. */ response_description: string | null;
  /** Why money waits for a person. */ attention: { code: 'grant_unanswered' | 'capture_refused' | 'refund_refused' | 'refund_failed' | 'amount_differs' | 'dispute_open' | 'dispute_unclear' | 'provider_error'; since: number; detail: string; next_check_at: number | null } | null;
  /** When the attempt began. Unix seconds. */ created_at: number;
}

/** Whose payment form was opened. */
export interface CheckoutEventData {
  /** The order. */ order_id: string;
  /** Identifier of the player in the game backend. */ player_id: string;
}

/** Nothing happened; the endpoint is being tried. */
export interface TestEventData {
  /** The subscription under test. */ webhook_id: string;
  message: string;
}

/** What surrounds the `event_data` of every webhook. */
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
  /** A player has bought items; the game is asked to grant them. The money is collected after a 2xx answer. */ 'item.add': ItemEventData;
  /** A payment was reversed or refunded; the game is asked to take the items back. */ 'item.remove': ItemEventData;
  /** An order was created. */ 'order.created': OrderEventData;
  /** An order was granted and collected. */ 'order.paid': OrderEventData;
  /** The game refused the items or stayed silent to the end; the money was released. */ 'order.rejected': OrderEventData;
  /** An order was canceled before it was paid. */ 'order.canceled': OrderEventData;
  /** Nobody paid the order in time. */ 'order.expired': OrderEventData;
  /** The money of an order was returned. */ 'order.refunded': OrderEventData;
  /** A bank questions the payment of an order. */ 'order.disputed': OrderEventData;
  /** A bank reversed the payment of an order. */ 'order.charged_back': OrderEventData;
  /** A player began to pay. */ 'payment.pending': PaymentEventData;
  /** The player must do something more, such as 3-D Secure. */ 'payment.requires_action': PaymentEventData;
  /** The money is reserved. */ 'payment.authorized': PaymentEventData;
  /** The money is collected. */ 'payment.succeeded': PaymentEventData;
  /** The payment was declined. */ 'payment.declined': PaymentEventData;
  /** The player did not finish the payment. */ 'payment.abandoned': PaymentEventData;
  /** The reservation was released. */ 'payment.voided': PaymentEventData;
  /** The money was returned. */ 'payment.refunded': PaymentEventData;
  /** A bank questions the payment. */ 'payment.disputed': PaymentEventData;
  /** A bank reversed the payment. */ 'payment.charged_back': PaymentEventData;
  /** Money waits for a studio member; `attention` says why. */ 'payment.attention': PaymentEventData;
  /** A player opened the payment form for the first time. */ 'checkout.opened': CheckoutEventData;
  /** Somebody pressed the test button. */ 'webhook.test': TestEventData;
}

/** A webhook's body. Switch on `event_type` to narrow it. */
export type WebhookEvent<K extends EventKind = EventKind> = {
  [Kind in K]: EventEnvelope & { event_type: Kind; event_data: EventDataByKind[Kind] };
}[K];
