/** Types of the API. Generated from the contract by `npm run generate`: change them there. */

import type { OrderStatus, PaymentStatus, Theme } from './word-shapes.ts';

/** One page of a list, newest first. */
export interface Page<T> {
  data: T[];
  /** Send it as `cursor` to get the next page; null on the last page. */ next_cursor: string | null;
}

export interface GetOrderQuery {
  /** Seconds to wait for the status to change. */ wait?: number;
}

/** An order: the items a player is buying or has bought. */
export interface Order {
  /** Identifier of the order. */ order_id: string;
  /** Status of the order. */ status: OrderStatus;
  /** Identifier of the player in the game backend. */ player_id: string;
  items: OrderItem[];
  /** Amount to pay, in minor units. */ amount: number;
  /** ISO 4217. */ currency: string;
  /** The same amount in major units. */ price_decimal: number;
  /** What the order’s own price takes off the sum of the item prices, in major units; null when it takes off nothing. Page and receipt show it as a discount. */ discount_decimal: number | null;
  /** From the request, or from the payment form once paid. */ email: string | null;
  country: string | null;
  locale: string | null;
  /** Your own notes: up to 50 keys of 40 characters with text of 500. Returned in reads and webhooks. */ metadata: Record<string, string>;
  ui: { theme: Theme };
  back_to_game_url: string | null;
  back_to_store_url: string | null;
  /** URL of the payment page. It is opaque: send the player to it unchanged, and never build it yourself. */ checkout_url: string;
  /** The current or completed payment; the latest when there were several. */ payment_id: string | null;
  /** A note for studio members, such as why it was rejected or why a refund failed. */ problem: string | null;
  /** Why money waits for a person. */ attention: { code: 'grant_unanswered' | 'removal_unanswered' | 'capture_refused' | 'refund_refused' | 'refund_failed' | 'amount_differs' | 'dispute_open' | 'dispute_unclear' | 'fraud_warning' | 'provider_error'; since: number; detail: string; next_check_at: number | null } | null;
  /** True when no real money moves. */ sandbox: boolean;
  /** Why this live order cannot be paid right now. The order exists; the payment page shows the player the same reason. */ payment_blocked?: PaymentBlock;
  /** When the order was created. Unix seconds. */ created_at: number;
  /** When it last changed. Unix seconds. */ updated_at: number;
  /** When it expires if it is not paid. Unix seconds. */ expires_at: number;
  /** When the game accepted the items. Unix seconds. */ granted_at: number | null;
  /** When the items were granted and the money captured. Unix seconds. */ paid_at: number | null;
}

/** An item as it was bought. */
export interface OrderItem {
  /** Identifier of the item, unique within the game backend. */ sku: string;
  name: string | null;
  description: string | null;
  image_url: string | null;
  quantity: number;
  /** Unit price with the sale applied; null when only the order has a price. */ price_decimal: number | null;
  /** Unit price before the sale; null when there is no sale. */ full_price_decimal: number | null;
  currency: string | null;
}

/** Why this live order cannot be paid right now. The order exists; the payment page shows the player the same reason. */
export interface PaymentBlock {
  /** What blocks payment. */ code: 'no_payment_provider' | 'currency_unsupported' | 'amount_below_minimum' | 'amount_above_maximum' | 'amount_not_exact' | 'no_payment_method';
  /** A readable explanation with what to do. */ message: string;
}

export interface ListOrdersQuery {
  /** Entries on one page. */ limit?: number;
  /** `next_cursor` of the previous page. */ cursor?: string;
  /** Status of the order. */ status?: OrderStatus;
  /** Identifier of the player in the game backend. */ player_id?: string;
  /** Only what needs attention. */ attention?: 'true';
  /** Only what was created at this time or later. Unix seconds. */ created_from?: number;
  /** Only what was created before this time. Unix seconds. */ created_to?: number;
}

export interface ListPaymentsQuery {
  /** Entries on one page. */ limit?: number;
  /** `next_cursor` of the previous page. */ cursor?: string;
  /** Order it belongs to. */ order_id?: string;
  /** Identifier of the player in the game backend. */ player_id?: string;
  /** Status of the payment. */ status?: PaymentStatus;
  /** Only what needs attention. */ attention?: 'true';
  /** Only what was created at this time or later. Unix seconds. */ created_from?: number;
  /** Only what was created before this time. Unix seconds. */ created_to?: number;
}

/** A transaction record: one attempt to pay an order, successful or not. */
export interface Payment {
  /** Identifier of the payment. */ payment_id: string;
  /** Order it belongs to. */ order_id: string;
  /** Identifier of the player in the game backend. */ player_id: string;
  /** Status of the payment. */ status: PaymentStatus;
  /** The gateway that processes the payment. */ gateway: string;
  /** Payment method. */ method: string;
  /** Brand of the card. */ brand: string | null;
  /** Last four digits of the card. */ last4: string | null;
  /** Country of the card, ISO 3166-1 alpha-2. */ country: string | null;
  /** Email address entered on the form. */ email: string | null;
  /** In minor units. */ amount: number;
  /** ISO 4217. */ currency: string;
  /** The same amount in major units. */ price_decimal: number;
  /** What was refunded, in minor units. A part only if that was done at the provider itself. */ refunded_amount: number | null;
  /** Response code from the provider. */ response_code: string | null;
  /** The code in words. */ response_description: string | null;
  /** Reason for the refund. */ refund_reason: string | null;
  /** Reason for the dispute, from the bank. */ dispute_reason: string | null;
  /** Every dispute about it, oldest first. */ disputes: Dispute[];
  /** What studio members should look at, such as a refund that the provider refused. */ problem: string | null;
  /** True while a studio member must decide, because what the provider holds does not fit. */ in_review: boolean;
  /** Why money waits for a person. */ attention: { code: 'grant_unanswered' | 'removal_unanswered' | 'capture_refused' | 'refund_refused' | 'refund_failed' | 'amount_differs' | 'dispute_open' | 'dispute_unclear' | 'fraud_warning' | 'provider_error'; since: number; detail: string; next_check_at: number | null } | null;
  /** True when no real money moved. */ sandbox: boolean;
  /** When the attempt began. Unix seconds. */ created_at: number;
  /** When it last changed. Unix seconds. */ updated_at: number;
  /** When the money was reserved. Unix seconds. */ authorized_at: number | null;
  /** When the money was captured. Unix seconds. */ captured_at: number | null;
  /** When the money was refunded. Unix seconds. */ refunded_at: number | null;
}

/** A dispute: a bank questions a payment or a part of it. */
export interface Dispute {
  /** What the provider calls the dispute. */ id: string;
  /** Where it stands. `inquiry`: the bank only asks, and a refund ends it. `prevented`: the money went back in time. */ status: 'inquiry' | 'open' | 'won' | 'lost' | 'prevented' | 'unclear';
  /** What the bank disputes, in minor units. It can be a part of the payment. */ amount: number;
  /** ISO 4217. */ currency: string;
  /** What the provider charged for it, in minor units. */ fee: number | null;
  /** Currency of the fee, ISO 4217. */ fee_currency: string | null;
  /** Why, in the provider’s word. */ reason: string;
  /** Whether the bank takes evidence. */ evidence: 'needed' | 'submitted' | 'closed';
  /** Until when the bank takes evidence. Unix seconds. */ respond_by: number | null;
  /** When it was first heard of. Unix seconds. */ opened_at: number;
}

export interface GetItemQuery {
  /** Instead of the path, for a sku of `.` or `..`, which no path can carry. Any other value may stand in the path then. */ sku?: string;
}

/** A catalog item. */
export interface Item {
  /** Identifier within Coinslot. */ id: string;
  /** Identifier of the item, unique within the game backend. */ sku: string;
  /** Display name. */ name: string | null;
  /** Description. */ description: string | null;
  /** Picture of the item. */ image_url: string | null;
  /** Unit price, in major units. */ price_decimal: number | null;
  /** ISO 4217. */ currency: string | null;
  /** A sale: either a discount or a price, with an optional time span. */ sale: { discount_percent?: number; price_decimal?: number; starts_at?: number; ends_at?: number } | null;
  /** True in the sandbox environment. */ sandbox: boolean;
  /** When the item was first seen. Unix seconds. */ created_at: number;
  /** When it last changed. Unix seconds. */ updated_at: number;
}

export interface ListItemsQuery {
  /** Entries on one page. */ limit?: number;
  /** `next_cursor` of the previous page. */ cursor?: string;
}

export interface GetPlayerQuery {
  /** Instead of the path, for a player_id of `.` or `..`, which no path can carry. Any other value may stand in the path then. */ player_id?: string;
}

/** A player of the game. Every order creates or updates its player. */
export interface Player {
  /** Identifier of the player in the game backend. */ player_id: string;
  /** Display name of the player. */ name: string | null;
  /** Picture of the player. */ avatar_url: string | null;
  /** Last email address given for the player. */ email: string | null;
  /** What the game knows about the player, such as level or guild. Returned in the player context of webhooks. */ attributes: Record<string, string | number | boolean>;
  /** True in the sandbox environment. */ sandbox: boolean;
  /** When the player was first seen. Unix seconds. */ created_at: number;
  /** When the player last changed. Unix seconds. */ updated_at: number;
}

export interface ExportPlayerQuery {
  /** Instead of the path, for a player_id of `.` or `..`, which no path can carry. Any other value may stand in the path then. */ player_id?: string;
}

/** Everything that is known about one player. */
export interface PlayerExport {
  /** A player of the game. Every order creates or updates its player. */ player: { player_id: string; name: string | null; avatar_url: string | null; email: string | null; attributes: Record<string, string | number | boolean>; sandbox: boolean; created_at: number; updated_at: number } | null;
  /** Newest first. */ orders: Order[];
  /** Newest first. */ payments: Payment[];
  /** Payment methods saved for one-tap payment. */ saved_methods: Array<{ method: string; brand: string; last4: string; expiry_month: number; expiry_year: number; created_at: number }>;
  /** Receipts that are still kept. */ mails: Array<{ kind: string; recipient: string; subject: string; created_at: number }>;
}

/** An order to create. `player_id` and items with only a `sku` are enough. */
export interface CreateOrder {
  /** Identifier of the player in the game backend. */ player_id: string;
  /** Items to buy. */ items: OrderItemInput[];
  /** Price of the whole order, in major units. If omitted, item prices are used. 0 makes the order free. */ price_decimal?: number;
  /** Currency of the price, ISO 4217 in upper case. */ currency?: string;
  /** The player’s email address; prefills the payment form. */ email?: string;
  /** Deep link to return to after payment. `{order_id}` is replaced. */ back_to_game_url?: string;
  /** Where the player can go instead of paying. `{order_id}` is replaced. */ back_to_store_url?: string;
  /** The player’s country, ISO 3166-1 alpha-2. */ country?: string;
  /** Language of the page and the receipt, BCP 47. */ locale?: string;
  /** Your own notes: up to 50 keys of 40 characters with text of 500. Returned in reads and webhooks. */ metadata?: Record<string, string>;
  /** When the order expires; at most 24 hours after creation, which is also the default. Unix seconds. */ expires_at?: number;
  /** What the game knows about its player. */ player?: PlayerInput;
  /** How the payment page looks. */ ui?: CheckoutLook;
}

/** An item to buy. Only `sku` is required; other fields also update the catalog. */
export interface OrderItemInput {
  /** Identifier of the item, unique within the game backend. */ sku: string;
  /** Display name, in one line. */ name?: string;
  /** Description. May have line feeds. */ description?: string;
  /** Picture of the item. */ image_url?: string;
  /** Quantity. */ quantity?: number;
  /** Unit price, in major units. */ price_decimal?: number;
  /** Currency of the price, ISO 4217 in upper case. */ currency?: string;
  /** A sale: either a discount or a price, with an optional time span. */ sale?: SaleInput;
}

/** A sale: either a discount or a price, with an optional time span. */
export interface SaleInput {
  /** Percent off the price, with at most two decimals. */ discount_percent?: number;
  /** The price during the sale, in the currency of the item. */ price_decimal?: number;
  /** When the sale starts; immediately when omitted. Unix seconds. */ starts_at?: number;
  /** When the sale ends; never when omitted. Unix seconds. */ ends_at?: number;
}

/** What the game knows about its player. */
export interface PlayerInput {
  /** Display name of the player. */ name?: string;
  /** Picture of the player. */ avatar_url?: string;
  /** What the game knows about the player, such as level or guild. Returned in the player context of webhooks. */ attributes?: Record<string, string | number | boolean>;
}

/** How the payment page looks. */
export interface CheckoutLook {
  /** Color theme of the payment page. */ theme?: Theme;
}

/** The new order. Redirect the player to `checkout_url`. */
export interface CreatedOrder {
  /** Identifier of the order. */ order_id: string;
  /** URL of the payment page. It is opaque: send the player to it unchanged, and never build it yourself. */ checkout_url: string;
  /** Status of the order. */ status: OrderStatus;
  /** Amount to pay, in minor units. */ amount: number;
  /** ISO 4217. */ currency: string;
  /** The same amount in major units. */ price_decimal: number;
  /** What the order’s own price takes off the sum of the item prices, in major units; null when it takes off nothing. Page and receipt show it as a discount. */ discount_decimal: number | null;
  /** When the order was created. Unix seconds. */ created_at: number;
  /** When it expires if it is not paid. Unix seconds. */ expires_at: number;
  /** True when no real money moves. */ sandbox: boolean;
  /** Why this live order cannot be paid right now. The order exists; the payment page shows the player the same reason. */ payment_blocked?: PaymentBlock;
  /** JSON Pointers to request fields and parameters that this version does not know and ignored. Absent when there are none. */ warnings?: string[];
}

/** A refund. It is always for the full amount: any field but `reason` is refused. */
export interface RefundOrder {
  /** Reason for the refund, in a sentence. The game receives it in `item.remove`. */ reason?: string;
  /** Refused: a refund is always whole. */ amount?: unknown;
  /** Refused: a refund is always whole. */ price_decimal?: unknown;
}

/** The order being refunded. */
export interface OrderRefunded extends Order {
  /** JSON Pointers to request fields and parameters that this version does not know and ignored. Absent when there are none. */ warnings?: string[];
}

/** The catalog’s data about an item. Omitted fields are cleared. */
export interface ItemInput {
  /** Display name, in one line. */ name?: string;
  /** Description. May have line feeds. */ description?: string;
  /** Picture of the item. */ image_url?: string;
  /** Unit price, in major units. */ price_decimal?: number;
  /** Currency of the price, ISO 4217 in upper case. */ currency?: string;
  /** A sale: either a discount or a price, with an optional time span. */ sale?: SaleInput;
}

export interface PutItemQuery {
  /** Instead of the path, for a sku of `.` or `..`, which no path can carry. Any other value may stand in the path then. */ sku?: string;
}

/** A catalog item that was just saved. */
export interface ItemSaved extends Item {
  /** JSON Pointers to request fields and parameters that this version does not know and ignored. Absent when there are none. */ warnings?: string[];
}

export interface DeleteItemQuery {
  /** Instead of the path, for a sku of `.` or `..`, which no path can carry. Any other value may stand in the path then. */ sku?: string;
}

export interface ErasePlayerQuery {
  /** Instead of the path, for a player_id of `.` or `..`, which no path can carry. Any other value may stand in the path then. */ player_id?: string;
}

/** What erasing a player did. */
export interface ErasedPlayer {
  /** Stands in orders and payments in place of the player. */ digest: string;
  /** How many orders now carry the digest. */ orders: number;
  /** How many orders waited for the player and are canceled now. */ canceled_orders: number;
  /** How many `item.remove` still carry the player’s id, each until your game has accepted it. */ waiting_deliveries: number;
  /** How many lines of archives were changed. */ archived_lines: number;
}
