export const en = {
  credit_not_processed: 'A promised refund did not arrive',
  duplicate: 'Charged twice',
  duplicate_transaction: 'Charged twice',
  fraudulent: 'The cardholder did not authorize it',
  general: 'No reason given',
  merchandise_or_service_not_as_described: 'Not as described',
  merchandise_or_service_not_received: 'Not received',
  product_not_received: 'Not received',
  product_unacceptable: 'Not as described',
  subscription_canceled: 'Charged after a cancellation',
  unauthorized: 'The account holder did not authorize it',
  unrecognized: 'The cardholder does not recognize it',
} as const;
