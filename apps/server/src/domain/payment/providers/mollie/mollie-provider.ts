import { reasonOf } from '@coinslot/texts/reasons';
import { createGateway } from '../base/create-gateway.ts';
import type { Gateway } from '../base/gateway.ts';
import { keyIssues } from '../base/problems.ts';
import type { CallbackHint, Callbacks, KeyRules, OnAnswer, Provider, ProviderKeys } from '../base/provider.ts';
import type { GatewayOptions } from '../base/session.ts';
import { askAccount, inspectAccount } from './inspect-account.ts';
import { mollieDay } from './list-day.ts';
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

/** A form with the payment's id and nothing else: unsigned, so it is no more than a reason to ask. */
function readCallback(body: Buffer): CallbackHint | null {
  const id = new URLSearchParams(body.toString('utf8')).get('id');
  if (!id || !/^tr_\w{1,60}$/.test(id)) return null;
  return {
    eventId: null,
    type: 'payment',
    intentId: id,
    paymentId: null,
    environmentId: null,
    isDispute: false,
    isWarning: false,
  };
}

/** The address goes with each payment, and Mollie sends every change of it there. */
const CALLBACKS: Callbacks = { events: [], read: readCallback };

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
    callbacks: CALLBACKS,
    askAccount: keys => askAccount(client, keys),
    inspect: inspectAccount(client),
    testPayment: async () => ({ kind: 'redirect', method: 'card' }),
    pageForm: () => null,
    day: async (account, range) => mollieDay(client, account, range),
  };
}
