import { createGateway } from '../base/create-gateway.ts';
import type { Gateway } from '../base/gateway.ts';
import type { Provider, ProviderKeys } from '../base/provider.ts';
import type { GatewayOptions } from '../base/session.ts';
import { askAccount, inspectAccount } from './account/inspect-account.ts';
import { STRIPE_ABILITIES } from './account/stripe-abilities.ts';
import { STRIPE_KEYS } from './account/stripe-keys.ts';
import { stripeDay } from './list-day.ts';
import { stripePageForm } from './page/page-form.ts';
import { stripeCallbacks } from './stripe-callbacks.ts';
import { ASK, createStripeClients } from './stripe-client.ts';
import { stripeDriver } from './stripe-driver.ts';

export interface StripeSettings {
  keys: ProviderKeys | undefined;
  apiBase: string;
  scriptUrl: string;
}

export interface StripeProviderOptions extends GatewayOptions {
  settings: StripeSettings;
  version: string;
  watch: (gateway: Gateway) => Gateway;
}

/** Stripe as the program uses it. Nothing of it is loaded before the first live payment. */
export function createStripeProvider({ settings, version, watch, ...options }: StripeProviderOptions): Provider {
  const clients = createStripeClients({ apiBase: settings.apiBase, version });
  const driver = stripeDriver(clients);
  return {
    name: driver.name,
    title: driver.title,
    gateway: watch(createGateway(options, driver)),
    abilities: STRIPE_ABILITIES,
    keys: STRIPE_KEYS,
    callbacks: stripeCallbacks(clients),
    askAccount: ({ secretKey }) => askAccount(clients, secretKey),
    inspect: inspectAccount(clients),
    async testPayment({ secretKey }) {
      const client = await clients(secretKey);
      const made = { payment_method: 'pm_card_visa', return_url: 'https://example.com/return' };
      const { id } = await client.testHelpers.confirmationTokens.create(made, ASK);
      return { kind: 'provider_token', token: id };
    },
    pageForm: stripePageForm(settings.scriptUrl),
    day: async ({ secretKey }, range) => stripeDay(await clients(secretKey), range),
  };
}
