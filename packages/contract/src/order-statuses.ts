// By itself, so that the one page which lists these takes nothing else along.

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
