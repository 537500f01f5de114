import { PURCHASE_ERRORS } from './purchase-errors.ts';

/** Errors about a company's account at a payment provider. */
export const PROVIDER_ERRORS = {
  ...PURCHASE_ERRORS,
  provider_not_connected: {
    status: 409,
    title: 'No payment provider is connected',
    description: 'The company has not connected a payment provider, so it cannot accept live payments.',
    whatToDo: 'Connect one under Company settings, Payment provider.',
  },
  provider_in_use: {
    status: 409,
    title: 'Payments are in progress',
    description: 'Payments of this account could not be released yet, so its keys were not erased.',
    whatToDo: 'Send the request again in a minute. The account takes no new payments meanwhile.',
  },
  payment_not_in_review: {
    status: 409,
    title: 'The payment does not need this',
    description: 'Only a payment that needs attention can be acted on, and only by what is offered for it.',
    whatToDo: 'Read the payment again: another member may have acted already.',
  },
  provider_refused: {
    status: 409,
    title: 'The payment provider refused',
    description: 'The payment provider answered with a clear no. Nothing was moved.',
    whatToDo: 'The detail says why. Mend the cause at the provider and ask again, or settle it another way.',
  },
  callback_not_public: {
    status: 409,
    title: 'The provider cannot reach this address',
    description: 'Callbacks go to the public address of the installation, which must begin with https.',
    whatToDo:
      'Set PUBLIC_URL to the public address of this server, or have the provider’s own tool pass callbacks on in development.',
  },
  provider_key_invalid: {
    status: 422,
    title: 'The provider rejected the secret key',
    description: 'The payment provider does not recognize the key.',
    whatToDo: 'Copy the whole secret key again from the provider’s API keys page.',
  },
  provider_key_revoked: {
    status: 422,
    title: 'The secret key was revoked',
    description: 'The payment provider says the key was revoked or has expired.',
    whatToDo: 'Create a new secret key at the provider and save it here.',
  },
  provider_key_wrong_mode: {
    status: 422,
    title: 'The keys belong to the other mode',
    description: 'Live needs the provider’s live keys. Test keys are only accepted in development.',
    whatToDo: 'Switch the provider’s dashboard to live mode and copy both keys from there.',
  },
  provider_permission_missing: {
    status: 422,
    title: 'The key lacks a permission',
    description: 'The secret key is restricted and lacks a permission that Coinslot needs.',
    whatToDo: 'Give the restricted key the permissions listed in the guide, or use a secret key.',
  },
  provider_refused_setup: {
    status: 422,
    title: 'The payment provider refused',
    description:
      'The provider refused what the connection needs, such as one more callback address. The detail has its own words.',
    whatToDo: 'Do what the provider’s answer says, then try again.',
  },
  callback_refused: {
    status: 400,
    title: 'The callback is not signed by the provider',
    description: 'The signature is missing, wrong or too old, or no signing secret is set.',
    whatToDo: 'Copy the signing secret of this endpoint from the provider, and check the server’s clock.',
  },
  provider_unreachable: {
    status: 503,
    title: 'The payment provider is not responding',
    description: 'The payment provider could not be reached or returned an error. Nothing was changed.',
    whatToDo: 'Try again in a moment.',
  },
} as const;
