// By itself, so that the one page which lists these takes nothing else along.

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
