import { reasonOf } from '@coinslot/texts/reasons';
import { createGateway } from '../base/create-gateway.ts';
import type { Gateway } from '../base/gateway.ts';
import { keyIssues } from '../base/problems.ts';
import type { KeyRules, OnAnswer, Provider, ProviderKeys } from '../base/provider.ts';
import type { GatewayOptions } from '../base/session.ts';
import { askAccount, inspectAccount } from './inspect-account.ts';
import { mollieDay } from './list-day.ts';
import { mollieCallbacks } from './mollie-callbacks.ts';
import { mollieDriver } from './mollie-driver.ts';
import { MOLLIE_ABILITIES } from './mollie-methods.ts';
import { createMollieClient } from './wire/mollie-client.ts';

const KEY = /^(?:live|test|access)_\w{20,200}$/;
const PROFILE = /^pfl_\w{6,60}$/;

/** A key of one profile, or a token of the organization, which reads settlements too. */
const MOLLIE_KEYS: KeyRules = {
  issues: ({ secretKey, publishableKey, callbackSecret }) =>
    keyIssues(why => reasonOf('mollie.key', why), {
      publishable_key: !PROFILE.test(publishableKey) && 'publishable_key',
      secret_key: !KEY.test(secretKey) && 'secret_key',
      callback_secret: callbackSecret !== null && 'callback_secret',
    }),
  modeOf: ({ secretKey }) => (secretKey.startsWith('test_') ? 'test' : 'live'),
  names: { publishableKey: 'Profile ID', secretKey: 'API key', callbackSecret: null },
};

export interface MollieSettings {
  keys: ProviderKeys | undefined;
  apiBase: string;
}

export interface MollieProviderOptions extends GatewayOptions {
  settings: MollieSettings;
  version: string;
  watch: (gateway: Gateway) => Gateway;
  onAnswer?: OnAnswer | undefined;
}

/** Mollie as the program uses it. Everything is typed on its own pages, card numbers too. */
export function createMollieProvider(made: MollieProviderOptions): Provider {
  const { settings, version, watch, onAnswer, ...options } = made;
  const client = createMollieClient({ apiBase: settings.apiBase, version, onAnswer });
  const driver = mollieDriver(client);
  return {
    name: driver.name,
    title: driver.title,
    gateway: watch(createGateway(options, driver)),
    abilities: MOLLIE_ABILITIES,
    keys: MOLLIE_KEYS,
    callbacks: mollieCallbacks,
    askAccount: keys => askAccount(client, keys),
    inspect: inspectAccount(client),
    testPayment: async () => ({ kind: 'redirect', method: 'card' }),
    pageForm: () => null,
    day: async (account, range) => mollieDay(client, account, range),
  };
}
