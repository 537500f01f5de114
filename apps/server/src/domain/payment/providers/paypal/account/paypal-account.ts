import { reasonOf } from '@coinslot/texts/reasons';
import type { GatewayAbilities } from '../../../methods/methods.ts';
import { keyIssues } from '../../base/problems.ts';
import type { KeyRules } from '../../base/provider.ts';
import { PAYPAL_CURRENCIES, paypalStep } from '../wire/paypal-amount.ts';

/** Ten digits before the point are the most that PayPal reads; an account's own limit is lower, and PayPal says it. */
const MOST_MINOR = 999_999_999;

/** One method: the player approves it on PayPal's own pages, and PayPal can keep it for the next order. */
export const PAYPAL_ABILITIES: GatewayAbilities = {
  methods: new Set(['paypal']),
  savesMethods: true,
  currencies: PAYPAL_CURRENCIES,
  amountRange: currency => ({ min: paypalStep(currency), max: MOST_MINOR }),
  amountStep: paypalStep,
  changes: { paypal: { currencies: [...PAYPAL_CURRENCIES], canSave: true } },
};

const KEY = /^[A-Za-z0-9_-]{20,200}$/;
const WEBHOOK = /^[A-Za-z0-9]{6,50}$/;

/** Keys of the sandbox look like live ones: PayPal is asked which of the two takes them. */
export const PAYPAL_KEYS: KeyRules = {
  issues: ({ secretKey, publishableKey, callbackSecret }) =>
    keyIssues(why => reasonOf('paypal.key', why), {
      publishable_key: !KEY.test(publishableKey) && 'publishable_key',
      secret_key: !KEY.test(secretKey) ? 'secret_key' : secretKey === publishableKey && 'secret_key_publishable',
      callback_secret: callbackSecret !== null && !WEBHOOK.test(callbackSecret) && 'callback_secret',
    }),
  modeOf: () => 'unknown',
  names: { publishableKey: 'Client ID', secretKey: 'Secret', callbackSecret: 'Webhook ID' },
};
