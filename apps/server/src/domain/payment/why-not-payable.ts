import type { OrderStatus, PaymentBlock } from '@coinslot/contract';
import type { Environment } from '../game/environment.ts';
import { countryOfPlayer, type NoMethod } from './methods/methods.ts';
import { routeMethods } from './methods/route-methods.ts';
import type { PaymentShop } from './payment-shop.ts';

export interface OrderToPay {
  status: OrderStatus;
  amountMinor: number;
  currency: string;
  country: string | null;
  locale: string | null;
}

const NO_PROVIDER: PaymentBlock = {
  code: 'no_payment_provider',
  message:
    'No payment provider is connected, so players cannot pay this order yet. Connect one in the dashboard: Company settings → Payment provider.',
};

const BLOCKS: Record<NoMethod, PaymentBlock> = {
  currency: { code: 'currency_unsupported', message: 'The payment provider does not take this currency.' },
  amount_low: {
    code: 'amount_below_minimum',
    message: 'The amount is below the least that the payment provider takes in this currency.',
  },
  amount_high: {
    code: 'amount_above_maximum',
    message: 'The amount is above the most that the payment provider takes.',
  },
  amount_not_exact: {
    code: 'amount_not_exact',
    message:
      'The payment provider takes fewer decimals of this currency than the amount has. Round the price, for example to tens of the smallest unit.',
  },
  method: {
    code: 'no_payment_method',
    message: 'No payment method that is switched on fits currency, country and amount of this order.',
  },
};

/** What the page would say to a player, told to the game at once. Sandbox takes every order. */
export async function whyNotPayable(
  { findLiveRouting, switchesOf }: Pick<PaymentShop, 'findLiveRouting' | 'switchesOf'>,
  environment: Environment,
  { status, amountMinor, currency, country, locale }: OrderToPay,
): Promise<PaymentBlock | null> {
  if (environment.mode === 'sandbox' || status !== 'created' || amountMinor === 0) return null;
  const routing = await findLiveRouting(environment.id);
  if (!routing) return NO_PROVIDER;
  const offer = routeMethods(routing, {
    currency,
    country: countryOfPlayer({ country, currency, locale, acceptLanguage: null }),
    amountMinor,
    switches: await switchesOf(environment.companyId),
  });
  return 'missing' in offer ? BLOCKS[offer.missing] : null;
}
