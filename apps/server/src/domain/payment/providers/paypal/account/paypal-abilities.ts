import type { GatewayAbilities } from '../../../methods/methods.ts';
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
