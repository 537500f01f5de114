/** What Stripe must tell. The same list stands in the guide and on the dashboard's page. */
export const CALLBACK_EVENTS = [
  'payment_intent.succeeded',
  'payment_intent.amount_capturable_updated',
  'payment_intent.processing',
  'payment_intent.requires_action',
  'payment_intent.payment_failed',
  'payment_intent.canceled',
  'charge.refunded',
  'refund.created',
  'refund.updated',
  'refund.failed',
  'charge.dispute.created',
  'charge.dispute.updated',
  'charge.dispute.closed',
  'charge.dispute.funds_withdrawn',
  'charge.dispute.funds_reinstated',
] as const;

export type CallbackEvent = (typeof CALLBACK_EVENTS)[number];

/** Null: of the account that came with the program's settings. */
export const callbackUrl = (publicUrl: string, companyId: string | null): string =>
  `${publicUrl}/gateways/stripe${companyId === null ? '' : `/${companyId}`}`;
