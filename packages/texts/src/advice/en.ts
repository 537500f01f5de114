export const en = {
  clock_off: 'The clock of this server is {seconds} seconds off the provider’s. Let it follow a time server (NTP).',
  provider_key_invalid: 'The payment provider does not know the secret key.',
  provider_key_revoked: 'The secret key was revoked or has expired at the payment provider.',
  provider_key_wrong_mode:
    'The keys belong to the other mode of the payment provider (test instead of live, or live instead of test).',
  provider_permission_missing: 'The secret key is restricted and may not do this.',
  provider_account_not_active: 'The account at the payment provider may not take payments yet.',
  provider_said: 'The provider says: “{said}”.',
  'provider_key_invalid.fix': 'Copy the secret key again, whole, from the page of API keys at the provider.',
  'provider_key_revoked.fix': 'Make a new secret key at the provider and save it here.',
  'provider_key_wrong_mode.fix': 'Switch the provider to live mode and copy both keys from there.',
  'provider_permission_missing.fix':
    'Give the restricted key the permissions that the guide lists, or use a secret key.',
  'provider_account_not_active.fix':
    'Finish the activation of the account at the provider: it may not take payments yet.',
  keys_mixed: 'One key is of the test mode and the other of the live mode. Both must be of the same.',
  keys_of_test_mode: 'These are keys of the test mode. Live takes the live keys; to try things out, use sandbox.',
  keys_changed_mode: 'The keys are of the other mode than when they were saved. Save them here again.',
  callback_secret_missing: 'Save the signing secret of the callback here, or let Coinslot register the callback.',
  callback_not_registered:
    'Register the callback at the provider, or let Coinslot do it. Without it news arrives late.',
  callback_events_missing:
    'The provider does not send {events}. Register the callback at the provider, or let Coinslot do it. Without it news arrives late.',
  callback_not_https: 'Providers call an address that begins with https:// only. Set PUBLIC_URL to it.',
  callback_answered_by_other:
    'Something else than Coinslot answers at {url}, asked from this server. Look at PUBLIC_URL, the proxy and the firewall.',
  callback_unanswered:
    'Nothing answers at {url}, asked from this server. Look at PUBLIC_URL, the proxy and the firewall.',
  price_too_low: '{sku} ({price} of at least {least} {currency})',
  prices_too_low: 'Cheaper than the provider takes: {items}. Raise the prices.',
  prices_too_low_and_more: 'Cheaper than the provider takes: {items} and {rest} more. Raise the prices.',
  'stripe.method_off':
    '{method} is {status} at Stripe, so players do not see it. Finish it there: Settings → Payment methods.',
  'stripe.paypal_country':
    'PayPal through Stripe is for businesses in the EEA, the UK and Switzerland: players do not see it here. Connect PayPal itself to offer it.',
  'stripe.version':
    'Stripe answers in its version {answered}, and this program was written for {asked}. Update Coinslot.',
  'stripe.keys_differ':
    'The publishable key belongs to another account than the secret key. Copy both from the same page at Stripe.',
  'stripe.domain_off': '{wallet} is not active for {host} at Stripe. See Settings → Payment method domains there.',
  'stripe.may_not_read':
    'The secret key may not read {what}. Allow it at Stripe: Developers → API keys → the restricted key.',
  'stripe.no_answer_about': 'Stripe did not answer about {what}. Test again later.',
  'stripe.refunds': 'refunds',
  'stripe.disputes': 'disputes',
  'stripe.balance': 'the balance',
  'stripe.fraud_warnings': 'early fraud warnings',
  'stripe.capabilities': 'the account’s capabilities',
  'stripe.own_payment': 'a payment of its own',
  'stripe.domains': 'payment method domains',
  'paypal.payments':
    'The app may not take payments. Switch on “Accept payments” for it at PayPal: Apps & Credentials → the app → Features.',
  'paypal.refunds': 'The app may not refund. Switch on “Accept payments” with refunds for it at PayPal.',
  'paypal.transactions':
    'The app may not list transactions, so days cannot be compared. Switch on “Transaction search” for it at PayPal.',
  'paypal.disputes':
    'The app may not read disputes, so each stays unclear. Switch on “Customer disputes” for it at PayPal.',
  'paypal.evidence':
    'The app may not answer disputes, so evidence must be sent at PayPal. Switch on “Customer disputes” for it there.',
  'paypal.saved_methods':
    'The app may not save PayPal for the next order. Switch on “Save payment methods” for it at PayPal; players can pay without it.',
  'mollie.settlements':
    'An API key may not read settlements, so payouts are not listed here. Connect with an organization access token that may read balances and settlements.',
  'mollie.method_off':
    '{method} is not active for this profile at Mollie, so it is not offered through Mollie. Switch it on there: Settings → Payment methods.',
  'mollie.wants_address':
    '{method} is not offered through Mollie: it asks for the payer’s name and postal address, which players are not asked for.',
  'mollie.no_answer': 'Mollie did not answer about the profile’s methods. Test again later.',
  'paypal.no_answer': 'PayPal did not answer about the app’s permissions. Test again later.',
} as const;

export type AdviceTexts = Readonly<Record<keyof typeof en, string>>;
