/** Types of the API. Generated from the contract by `npm run generate`: change them there. */

export const ORDER_STATUSES = ['created', 'pending', 'authorized', 'paid', 'rejected', 'canceled', 'expired', 'refund_requested', 'refunded', 'disputed', 'charged_back'] as const;
export type OrderStatus = (typeof ORDER_STATUSES)[number];

export const PAYMENT_STATUSES = ['pending', 'requires_action', 'authorized', 'succeeded', 'declined', 'abandoned', 'voided', 'refund_requested', 'refunded', 'disputed', 'charged_back'] as const;
export type PaymentStatus = (typeof PAYMENT_STATUSES)[number];

export const DELIVERY_STATUSES = ['pending', 'blocked', 'held', 'succeeded', 'declined', 'exhausted', 'canceled'] as const;
export type DeliveryStatus = (typeof DELIVERY_STATUSES)[number];

export type EventKind = 'item.add' | 'item.remove' | 'order.created' | 'order.paid' | 'order.rejected' | 'order.canceled' | 'order.expired' | 'order.refunded' | 'order.disputed' | 'order.charged_back' | 'payment.pending' | 'payment.requires_action' | 'payment.authorized' | 'payment.succeeded' | 'payment.declined' | 'payment.abandoned' | 'payment.voided' | 'payment.refunded' | 'payment.disputed' | 'payment.charged_back' | 'payment.attention' | 'checkout.opened' | 'webhook.test';

export const EVENT_SELECTORS = ['item.add', 'item.remove', 'order.created', 'order.paid', 'order.rejected', 'order.canceled', 'order.expired', 'order.refunded', 'order.disputed', 'order.charged_back', 'payment.pending', 'payment.requires_action', 'payment.authorized', 'payment.succeeded', 'payment.declined', 'payment.abandoned', 'payment.voided', 'payment.refunded', 'payment.disputed', 'payment.charged_back', 'payment.attention', 'checkout.opened', 'webhook.test', '*', 'item.*', 'order.*', 'payment.*', 'checkout.*', 'webhook.*'] as const;
export type EventSelector = (typeof EVENT_SELECTORS)[number];

export type ReasonCode = 'order_paid' | 'refund' | 'chargeback' | 'fraud';

export type Theme = 'auto' | 'light' | 'dark';

export type ErrorCode = 'price_unknown' | 'idempotency_key_reused' | 'validation_failed' | 'invalid_json' | 'request_timeout' | 'body_too_large' | 'unsupported_media_type' | 'invalid_request' | 'unauthorized' | 'rate_limited' | 'internal' | 'unavailable' | 'order_not_found' | 'order_wrong_status' | 'partial_refund_unsupported' | 'payment_not_found' | 'item_not_found' | 'player_not_found' | 'item_endpoint_exists' | 'too_many_webhooks' | 'webhook_not_found' | 'delivery_not_found' | 'delivery_not_retryable' | 'sandbox_only' | 'too_many_attempts' | 'events_gone' | 'too_many_listeners' | 'upgrade_required' | 'not_found' | 'method_not_allowed' | 'uri_too_long' | 'headers_too_large';

export type IssueCode = 'required' | 'type' | 'too_short' | 'too_long' | 'too_small' | 'too_big' | 'too_few' | 'too_many' | 'enum' | 'one_of' | 'line_break' | 'carriage_return' | 'nul' | 'pattern' | 'format_email' | 'format_web_url' | 'format_return_url' | 'format_country' | 'format_currency' | 'format_day' | 'format_locale' | 'number_not_exact' | 'too_many_decimals' | 'currency_required' | 'currency_mixed' | 'total_too_big' | 'time_past' | 'time_too_late' | 'time_order' | 'url_refused' | 'cursor' | 'store_link' | 'password_weak' | 'password_common' | 'password_pattern' | 'password_repeated' | 'password_date' | 'password_personal' | 'picture' | 'cannot_be_switched_off' | 'setup_code';

/** Nothing that a caller could wait for follows. */
export const FINAL_ORDER_STATUSES: readonly OrderStatus[] = ['rejected', 'canceled', 'expired', 'refunded', 'charged_back'];

/** No payment ever held money for it. */
export const UNPAID_ORDER_STATUSES: readonly OrderStatus[] = ['created', 'canceled', 'expired'];
