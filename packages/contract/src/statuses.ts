// By themselves, so that a page can name them without the shapes of every call.

export const ORDER_STATUSES = [
  'created',
  'pending',
  'authorized',
  'paid',
  'rejected',
  'canceled',
  'expired',
  'refund_requested',
  'refunded',
  'disputed',
  'charged_back',
] as const;
export type OrderStatus = (typeof ORDER_STATUSES)[number];

export const PAYMENT_STATUSES = [
  'pending',
  'requires_action',
  'authorized',
  'succeeded',
  'declined',
  'abandoned',
  'voided',
  'refund_requested',
  'refunded',
  'disputed',
  'charged_back',
] as const;
export type PaymentStatus = (typeof PAYMENT_STATUSES)[number];
