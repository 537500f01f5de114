import type { Issue } from '@coinslot/contract';
import type { GatewayAbilities } from '../../../methods/methods.ts';
import type { KeyRules, ProviderKeys } from '../../base/provider.ts';
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

const issue = (pointer: string, message: string): Issue => ({ pointer, code: 'pattern', message });

function issues({ secretKey, publishableKey, callbackSecret }: ProviderKeys): Issue[] {
  const found: Issue[] = [];
  if (!KEY.test(publishableKey)) {
    found.push(issue('/publishable_key', 'A client ID of PayPal has about 80 letters, digits, _ and -.'));
  }
  if (!KEY.test(secretKey)) {
    found.push(issue('/secret_key', 'A secret of PayPal has about 80 letters, digits, _ and -.'));
  } else if (secretKey === publishableKey) {
    found.push(issue('/secret_key', 'This is the client ID. The secret stands below it, behind “Show”.'));
  }
  if (callbackSecret !== null && !WEBHOOK.test(callbackSecret)) {
    found.push(
      issue('/callback_secret', 'A webhook ID of PayPal is letters and digits, such as 8PT597110X687430LKGECATA.'),
    );
  }
  return found;
}

/** Keys of the sandbox look like live ones: PayPal is asked which of the two takes them. */
export const PAYPAL_KEYS: KeyRules = {
  issues,
  modeOf: () => 'unknown',
  names: { publishableKey: 'Client ID', secretKey: 'Secret', callbackSecret: 'Webhook ID' },
};
