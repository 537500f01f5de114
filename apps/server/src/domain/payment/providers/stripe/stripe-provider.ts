import type { Gateway } from '../base/gateway.ts';
import type { Provider, ProviderKeys } from '../base/provider.ts';
import { askAccount } from './account/ask-account.ts';
import { inspectAccount } from './account/inspect-account.ts';
import { STRIPE_ABILITIES } from './account/stripe-abilities.ts';
import { STRIPE_KEYS } from './account/stripe-keys.ts';
import { stripeCallbacks } from './callbacks/stripe-callbacks.ts';
import { stripeEntries } from './list-balance.ts';
import { stripeDay } from './list-day.ts';
import { stripePageForm } from './page/page-form.ts';
import { createStripeClients, STRIPE, TIMEOUTS_MS } from './stripe-client.ts';
import type { StripeDeps } from './stripe-context.ts';
import { createStripeGateway } from './stripe-gateway.ts';

export interface StripeSettings {
  keys: ProviderKeys | undefined;
  apiBase: string;
  scriptUrl: string;
}

export interface StripeProviderOptions extends Omit<StripeDeps, 'clients'> {
  settings: StripeSettings;
  version: string;
  watch: (gateway: Gateway) => Gateway;
}

/** Stripe as the program uses it. Nothing of it is loaded before the first live payment. */
export function createStripeProvider({ settings, version, watch, ...deps }: StripeProviderOptions): Provider {
  const clients = createStripeClients({ apiBase: settings.apiBase, version });
  return {
    name: STRIPE,
    title: 'Stripe',
    gateway: watch(createStripeGateway({ ...deps, clients })),
    abilities: STRIPE_ABILITIES,
    keys: STRIPE_KEYS,
    callbacks: stripeCallbacks(clients),
    askAccount: ({ secretKey }) => askAccount(clients, secretKey),
    inspect: inspectAccount(clients),
    async testPayment({ secretKey }) {
      const client = await clients(secretKey);
      const made = { payment_method: 'pm_card_visa', return_url: 'https://example.com/return' };
      const { id } = await client.testHelpers.confirmationTokens.create(made, { timeout: TIMEOUTS_MS.ask });
      return { kind: 'provider_token', token: id };
    },
    pageForm: stripePageForm(settings.scriptUrl),
    async day({ secretKey }, range) {
      const client = await clients(secretKey);
      return { ...stripeDay(client, range), entries: () => stripeEntries(client, range) };
    },
  };
}
