import { createGateway } from '../base/create-gateway.ts';
import type { Gateway } from '../base/gateway.ts';
import type { OnAnswer, OpenedAccount, PageForm, Provider, ProviderKeys } from '../base/provider.ts';
import type { GatewayOptions } from '../base/session.ts';
import { askAccount } from './account/ask-account.ts';
import { inspectAccount } from './account/inspect-account.ts';
import { keptFor, STRIPE_ABILITIES, STRIPE_KEYS, typeOf } from './account/stripe-account.ts';
import { stripeDay } from './list-day.ts';
import { PAGE_PART } from './page/page-script.ts';
import { toStripeAmount } from './stripe-amount.ts';
import { stripeCallbacks } from './stripe-callbacks.ts';
import { ASK, createStripeClients } from './stripe-client.ts';
import { stripeDriver } from './stripe-driver.ts';

/** What Stripe asks for, and nothing more: its script, its API, and the frames in which its fields and banks live. */
const STRIPES_OWN: PageForm['sources'] = {
  script: ['https://js.stripe.com', 'https://*.js.stripe.com'],
  connect: ['https://api.stripe.com'],
  frame: ['https://js.stripe.com', 'https://*.js.stripe.com', 'https://hooks.stripe.com'],
};

/** Another address than Stripe's own is a double that stands in for all of it. */
function sourcesOf(scriptUrl: string): PageForm['sources'] {
  const { origin, hostname } = new URL(scriptUrl);
  return hostname === 'js.stripe.com' ? STRIPES_OWN : { script: [origin], connect: [origin], frame: [origin] };
}

export function stripePageForm(scriptUrl: string): (account: OpenedAccount) => PageForm {
  const sources = sourcesOf(scriptUrl);
  const common = { scriptUrl, part: PAGE_PART, sources, typeOf, keptFor, amountOf: toStripeAmount };
  return ({ publishableKey }) => ({ publishableKey, ...common });
}

export interface StripeSettings {
  keys: ProviderKeys | undefined;
  apiBase: string;
  scriptUrl: string;
}

export interface StripeProviderOptions extends GatewayOptions {
  settings: StripeSettings;
  version: string;
  watch: (gateway: Gateway) => Gateway;
  onAnswer?: OnAnswer | undefined;
}

/** Stripe as the program uses it. Nothing of it is loaded before the first live payment. */
export function createStripeProvider(given: StripeProviderOptions): Provider {
  const { settings, version, watch, onAnswer, ...options } = given;
  const clients = createStripeClients({ apiBase: settings.apiBase, version, onAnswer });
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
