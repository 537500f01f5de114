import type { Clock } from '../../../../kit/clock.ts';
import { createGateway } from '../base/create-gateway.ts';
import type { Gateway } from '../base/gateway.ts';
import type { Provider, ProviderKeys } from '../base/provider.ts';
import type { GatewayOptions } from '../base/session.ts';
import { askAccount, inspectAccount } from './account/inspect-account.ts';
import { PAYPAL_ABILITIES, PAYPAL_KEYS } from './account/paypal-account.ts';
import { paypalCallbacks } from './callbacks/paypal-callbacks.ts';
import { createPaypalCertificates } from './callbacks/paypal-certificates.ts';
import { paypalDay } from './list-day.ts';
import { paypalDriver } from './paypal-driver.ts';
import { createPaypalClient } from './wire/paypal-client.ts';

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
}

const BASES = { live: 'https://api-m.paypal.com', sandbox: 'https://api-m.sandbox.paypal.com' };

/** PayPal as the program uses it. Its pages are its own: ours needs no script of PayPal's. */
export function createPaypalProvider({ settings, version, clock, watch, ...options }: PaypalProviderOptions): Provider {
  const { apiBase, isTest } = settings;
  const bases = apiBase === undefined ? BASES : { live: apiBase, sandbox: apiBase };
  const client = createPaypalClient({ bases, isTestBase: isTest, version, clock });
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
