import { reasonOf } from '@coinslot/texts/reasons';
import type { Clock } from '../../../../kit/clock.ts';
import type { GatewayAbilities } from '../../methods/methods.ts';
import { createGateway } from '../base/create-gateway.ts';
import type { Gateway } from '../base/gateway.ts';
import { keyIssues } from '../base/problems.ts';
import type { KeyRules, OnAnswer, Provider, ProviderKeys } from '../base/provider.ts';
import type { GatewayOptions } from '../base/session.ts';
import { askAccount, inspectAccount } from './account/inspect-account.ts';
import { paypalCallbacks } from './callbacks/paypal-callbacks.ts';
import { createPaypalCertificates } from './callbacks/paypal-certificates.ts';
import { paypalDay } from './list-day.ts';
import { paypalDriver } from './paypal-driver.ts';
import { PAYPAL_CURRENCIES, paypalStep } from './wire/paypal-amount.ts';
import { createPaypalClient } from './wire/paypal-client.ts';

/** Ten digits before the point are the most that PayPal reads; an account's own limit is lower, and PayPal says it. */
const MOST_MINOR = 999_999_999;

/** One method: the player approves it on PayPal's own pages, and PayPal can keep it for the next order. */
export const PAYPAL_ABILITIES: GatewayAbilities = {
  methods: new Set(['paypal']),
  ownMethods: new Set(['paypal']),
  savesMethods: true,
  currencies: PAYPAL_CURRENCIES,
  amountRange: currency => ({ min: paypalStep(currency), max: MOST_MINOR }),
  amountStep: paypalStep,
  changes: { paypal: { currencies: [...PAYPAL_CURRENCIES], canSave: true } },
};

const KEY = /^[A-Za-z0-9_-]{20,200}$/;
const WEBHOOK = /^[A-Za-z0-9]{6,50}$/;

/** Keys of the sandbox look like live ones: PayPal is asked which of the two takes them. */
const PAYPAL_KEYS: KeyRules = {
  issues: ({ secretKey, publishableKey, callbackSecret }) =>
    keyIssues(why => reasonOf('paypal.key', why), {
      publishable_key: !KEY.test(publishableKey) && 'publishable_key',
      secret_key: !KEY.test(secretKey) ? 'secret_key' : secretKey === publishableKey && 'secret_key_publishable',
      callback_secret: callbackSecret !== null && !WEBHOOK.test(callbackSecret) && 'callback_secret',
    }),
  modeOf: () => 'unknown',
  names: { publishableKey: 'Client ID', secretKey: 'Secret', callbackSecret: 'Webhook ID' },
};

export interface PaypalSettings {
  keys: ProviderKeys | undefined;
  /** The keys of the settings are of PayPal's sandbox. */
  isTest: boolean;
  /** Where the API answers instead of PayPal's own two addresses. */
  apiBase: string | undefined;
}

export interface PaypalProviderOptions extends GatewayOptions {
  settings: PaypalSettings;
  version: string;
  clock: Clock;
  watch: (gateway: Gateway) => Gateway;
  onAnswer?: OnAnswer | undefined;
}

const BASES = { live: 'https://api-m.paypal.com', sandbox: 'https://api-m.sandbox.paypal.com' };

/** PayPal as the program uses it. Its pages are its own: ours needs no script of PayPal's. */
export function createPaypalProvider(made: PaypalProviderOptions): Provider {
  const { settings, version, clock, watch, onAnswer, ...options } = made;
  const { apiBase, isTest } = settings;
  const bases = apiBase === undefined ? BASES : { live: apiBase, sandbox: apiBase };
  const client = createPaypalClient({ bases, isTestBase: isTest, version, clock, onAnswer });
  const certificates = createPaypalCertificates({ clock, ownBases: Object.values(bases) });
  const driver = paypalDriver(client);
  return {
    name: driver.name,
    title: driver.title,
    gateway: watch(createGateway(options, driver)),
    abilities: PAYPAL_ABILITIES,
    keys: PAYPAL_KEYS,
    callbacks: paypalCallbacks(client, certificates),
    askAccount: keys => askAccount(client, keys),
    inspect: inspectAccount(client),
    testPayment: async () => ({ kind: 'redirect', method: 'paypal' }),
    pageForm: () => null,
    day: async (account, range) => paypalDay(client, account, range),
  };
}
