/** The shapes of the wire. Generated from the contract by `npm run generate`: change them there. */

import type { OrderStatus, PaymentStatus, Theme } from './word-shapes.ts';

/** One page of a list, newest first. */
export interface Page<T> {
  data: T[];
  /** Give it as `cursor` to read on; null at the end. */ next_cursor: string | null;
}

export interface GetOrderQuery {
  /** Seconds to wait for a change of status. */ wait?: number;
}

/** What a player is buying or has bought. */
export interface Order {
  /** Identifier of the order. */ order_id: string;
  /** Where the order stands. */ status: OrderStatus;
  /** Identifier of the player in the game backend. */ player_id: string;
  items: OrderItem[];
  /** What is to be paid, in minor units. */ amount: number;
  /** ISO 4217. */ currency: string;
  /** The same amount in major units. */ price_decimal: number;
  /** From the request, or from the payment form once paid. */ email: string | null;
  country: string | null;
  locale: string | null;
  /** Your own notes: up to 50 keys of 40 characters with text of 500. They come back in reads and webhooks. */ metadata: Record<string, string>;
  ui: { theme: Theme };
  back_to_game_url: string | null;
  back_to_store_url: string | null;
  /** The payment form. Opaque: send the player there exactly as it is, never build or change it. */ checkout_url: string;
  /** The payment under way or done; the last one when several were tried. */ payment_id: string | null;
  /** What people should know: why it was rejected, or why a refund failed. */ problem: string | null;
  /** True when no real money moves. */ sandbox: boolean;
  /** Why nobody can pay this live order as things stand. The order exists; the page says the same to the player. */ payment_blocked?: PaymentBlock;
  /** When the order was created. Unix seconds. */ created_at: number;
  /** When it last changed. Unix seconds. */ updated_at: number;
  /** When it lapses if nobody pays. Unix seconds. */ expires_at: number;
  /** When the game accepted the items. Unix seconds. */ granted_at: number | null;
  /** When it was granted and collected. Unix seconds. */ paid_at: number | null;
}

/** An item as it was bought. */
export interface OrderItem {
  /** Identifier of the item, unique within the game backend. */ sku: string;
  name: string | null;
  description: string | null;
  image_url: string | null;
  quantity: number;
  /** Price of one piece with the sale applied; null when only the order has a price. */ price_decimal: number | null;
  /** Price of one piece before the sale; null when there is no sale. */ full_price_decimal: number | null;
  currency: string | null;
}

/** Why nobody can pay this live order as things stand. The order exists; the page says the same to the player. */
export interface PaymentBlock {
  /** What is in the way. */ code: 'no_payment_provider' | 'currency_unsupported' | 'amount_below_minimum' | 'amount_above_maximum' | 'amount_not_exact' | 'no_payment_method';
  /** The same in words, with what to do. */ message: string;
}

export interface ListOrdersQuery {
  /** Entries on one page. */ limit?: number;
  /** `next_cursor` of the page before. */ cursor?: string;
  /** Where the order stands. */ status?: OrderStatus;
  /** Identifier of the player in the game backend. */ player_id?: string;
  /** Only what was created at this time or later. Unix seconds. */ created_from?: number;
  /** Only what was created before this time. Unix seconds. */ created_to?: number;
}

export interface ListPaymentsQuery {
  /** Entries on one page. */ limit?: number;
  /** `next_cursor` of the page before. */ cursor?: string;
  /** Order it belongs to. */ order_id?: string;
  /** Identifier of the player in the game backend. */ player_id?: string;
  /** Where the payment stands. */ status?: PaymentStatus;
  /** Only what was created at this time or later. Unix seconds. */ created_from?: number;
  /** Only what was created before this time. Unix seconds. */ created_to?: number;
}

/** A transaction record: one attempt to pay an order. Unsuccessful attempts are records too. */
export interface Payment {
  /** Identifier of the payment. */ payment_id: string;
  /** Order it belongs to. */ order_id: string;
  /** Identifier of the player in the game backend. */ player_id: string;
  /** Where the payment stands. */ status: PaymentStatus;
  /** Who moves the money. */ gateway: string;
  /** How the player pays. */ method: string;
  /** Brand of the card. */ brand: string | null;
  /** Last four digits of the card. */ last4: string | null;
  /** Country of the card, ISO 3166-1 alpha-2. */ country: string | null;
  /** E-mail address entered on the form. */ email: string | null;
  /** In minor units. */ amount: number;
  /** ISO 4217. */ currency: string;
  /** The same amount in major units. */ price_decimal: number;
  /** Code the provider answered. */ response_code: string | null;
  /** The code in words. */ response_description: string | null;
  /** Why the refund was asked for. */ refund_reason: string | null;
  /** Why the bank questions the payment. */ dispute_reason: string | null;
  /** What people should look at, such as a refund the provider refused. */ problem: string | null;
  /** True while somebody must decide in the dashboard, because what the provider holds does not fit. */ in_review: boolean;
  /** True when no real money moved. */ sandbox: boolean;
  /** When the attempt began. Unix seconds. */ created_at: number;
  /** When it last changed. Unix seconds. */ updated_at: number;
  /** When the money was reserved. Unix seconds. */ authorized_at: number | null;
  /** When the money was collected. Unix seconds. */ captured_at: number | null;
  /** When the money was returned. Unix seconds. */ refunded_at: number | null;
}

/** An item of the catalogue. */
export interface Item {
  /** Identifier within Coinslot. */ id: string;
  /** Identifier of the item, unique within the game backend. */ sku: string;
  /** Display name. */ name: string | null;
  /** Description. */ description: string | null;
  /** Picture of the item. */ image_url: string | null;
  /** Price of one piece, in major units. */ price_decimal: number | null;
  /** ISO 4217. */ currency: string | null;
  /** A sale: either a discount or a price, with an optional time span. */ sale: { discount_percent?: number; price_decimal?: number; starts_at?: number; ends_at?: number } | null;
  /** True in the sandbox environment. */ sandbox: boolean;
  /** When the item was first seen. Unix seconds. */ created_at: number;
  /** When it last changed. Unix seconds. */ updated_at: number;
}

export interface ListItemsQuery {
  /** Entries on one page. */ limit?: number;
  /** `next_cursor` of the page before. */ cursor?: string;
}

/** A player of the game. Every order makes or updates its player. */
export interface Player {
  /** Identifier of the player in the game backend. */ player_id: string;
  /** Name the player goes by. */ name: string | null;
  /** Picture of the player. */ avatar_url: string | null;
  /** Last e-mail address given for the player. */ email: string | null;
  /** What the game knows about the player: level, guild. Comes back in the player context of webhooks. */ attributes: Record<string, string | number | boolean>;
  /** True in the sandbox environment. */ sandbox: boolean;
  /** When the player was first seen. Unix seconds. */ created_at: number;
  /** When the player last changed. Unix seconds. */ updated_at: number;
}

/** What a player is about to buy. `player_id` and items with only a `sku` are enough. */
export interface CreateOrder {
  /** Identifier of the player in the game backend. */ player_id: string;
  /** Items being bought. */ items: OrderItemInput[];
  /** Price of the whole order, in major units. Without it the item prices count. 0 is a free order. */ price_decimal?: number;
  /** Currency of the price, ISO 4217 in upper case. */ currency?: string;
  /** Player e-mail, prefills the payment form. */ email?: string;
  /** Deep link to return to after payment. `{order_id}` is replaced. */ back_to_game_url?: string;
  /** Where the player goes who does not pay. `{order_id}` is replaced. */ back_to_store_url?: string;
  /** Country of the player, ISO 3166-1 alpha-2. */ country?: string;
  /** Language of page and receipt, BCP 47. */ locale?: string;
  /** Your own notes: up to 50 keys of 40 characters with text of 500. They come back in reads and webhooks. */ metadata?: Record<string, string>;
  /** When the order lapses; at most 24 hours after its creation, which is also the default. Unix seconds. */ expires_at?: number;
  /** What the game tells about its player. */ player?: PlayerInput;
  /** How the payment page looks. */ ui?: CheckoutLook;
}

/** An item being bought. Only `sku` is needed; what else is given also updates the catalogue. */
export interface OrderItemInput {
  /** Identifier of the item, unique within the game backend. */ sku: string;
  /** Display name, in one line. */ name?: string;
  /** Description. May have line feeds. */ description?: string;
  /** Picture of the item. */ image_url?: string;
  /** How many pieces. */ quantity?: number;
  /** Price of one piece, in major units. */ price_decimal?: number;
  /** Currency of the price, ISO 4217 in upper case. */ currency?: string;
  /** A sale: either a discount or a price, with an optional time span. */ sale?: SaleInput;
}

/** A sale: either a discount or a price, with an optional time span. */
export interface SaleInput {
  /** Percent off the price, with at most two decimals. */ discount_percent?: number;
  /** The price during the sale, in the currency of the item. */ price_decimal?: number;
  /** The sale starts then; at once when absent. Unix seconds. */ starts_at?: number;
  /** The sale ends then; never when absent. Unix seconds. */ ends_at?: number;
}

/** What the game tells about its player. */
export interface PlayerInput {
  /** Name the player goes by. */ name?: string;
  /** Picture of the player. */ avatar_url?: string;
  /** What the game knows about the player: level, guild. Comes back in the player context of webhooks. */ attributes?: Record<string, string | number | boolean>;
}

/** How the payment page looks. */
export interface CheckoutLook {
  /** Colours of the payment page. */ theme?: Theme;
}

/** The order, just created. Redirect the player to `checkout_url`. */
export interface CreatedOrder {
  /** Identifier of the order. */ order_id: string;
  /** The payment form. Opaque: send the player there exactly as it is, never build or change it. */ checkout_url: string;
  /** Where the order stands. */ status: OrderStatus;
  /** What is to be paid, in minor units. */ amount: number;
  /** ISO 4217. */ currency: string;
  /** The same amount in major units. */ price_decimal: number;
  /** When the order was created. Unix seconds. */ created_at: number;
  /** When it lapses if nobody pays. Unix seconds. */ expires_at: number;
  /** True when no real money moves. */ sandbox: boolean;
  /** Why nobody can pay this live order as things stand. The order exists; the page says the same to the player. */ payment_blocked?: PaymentBlock;
  /** JSON Pointers of request fields and parameters this version does not know. They were ignored. Absent when there are none. */ warnings?: string[];
}

/** A refund is always whole. */
export interface RefundOrder {
  /** Why, in a sentence. It is told to the game in `item.remove`. */ reason?: string;
}

/** The order being refunded. */
export interface OrderRefunded extends Order {
  /** JSON Pointers of request fields and parameters this version does not know. They were ignored. Absent when there are none. */ warnings?: string[];
}

/** What the catalogue keeps of an item. Fields left out are emptied. */
export interface ItemInput {
  /** Display name, in one line. */ name?: string;
  /** Description. May have line feeds. */ description?: string;
  /** Picture of the item. */ image_url?: string;
  /** Price of one piece, in major units. */ price_decimal?: number;
  /** Currency of the price, ISO 4217 in upper case. */ currency?: string;
  /** A sale: either a discount or a price, with an optional time span. */ sale?: SaleInput;
}

/** An item of the catalogue, just saved. */
export interface ItemSaved extends Item {
  /** JSON Pointers of request fields and parameters this version does not know. They were ignored. Absent when there are none. */ warnings?: string[];
}
