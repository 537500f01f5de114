/** About the company's account at a payment provider. */
export const PROVIDER_ERRORS = {
  provider_not_connected: {
    status: 409,
    title: 'No payment provider is connected',
    description: 'The company has connected no payment provider, so live payments cannot be taken.',
    whatToDo: 'Connect one under Company settings, Payment provider.',
  },
  provider_in_use: {
    status: 409,
    title: 'Payments are under way',
    description: 'Payments of this account are not at their end. Without its keys they cannot be brought there.',
    whatToDo: 'Wait until they are, or send the request again with `confirm=true`.',
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
    whatToDo: 'Set PUBLIC_URL to the address that the world reaches, or use the Stripe CLI in development.',
  },
  provider_key_invalid: {
    status: 422,
    title: 'The provider does not know the secret key',
    description: 'The payment provider answered that there is no such key.',
    whatToDo: 'Copy the secret key again, whole, from the provider’s page of API keys.',
  },
  provider_key_revoked: {
    status: 422,
    title: 'The secret key was revoked',
    description: 'The payment provider answered that the key was revoked or has expired.',
    whatToDo: 'Make a new secret key at the provider and save it here.',
  },
  provider_key_wrong_mode: {
    status: 422,
    title: 'The keys belong to the other mode',
    description: 'Live takes live keys of the provider. Keys of its test mode are taken in development only.',
    whatToDo: 'Switch the provider’s page to live mode and copy both keys from there.',
  },
  provider_permission_missing: {
    status: 422,
    title: 'The key may not do this',
    description: 'The secret key is restricted, and what it needs to do is not among its permissions.',
    whatToDo: 'Give the restricted key the permissions that the guide lists, or use a secret key.',
  },
  callback_refused: {
    status: 400,
    title: 'The callback is not signed by the provider',
    description: 'The signature is missing, wrong or too old, or no signing secret is set.',
    whatToDo: 'Copy the signing secret of this very endpoint from the provider, and check the clock of the server.',
  },
  provider_unreachable: {
    status: 503,
    title: 'The payment provider does not answer',
    description: 'The payment provider could not be reached, or had a fault of its own. Nothing was changed.',
    whatToDo: 'Try again in a moment.',
  },
} as const;
