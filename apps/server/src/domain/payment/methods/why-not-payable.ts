import type { OrderStatus, PaymentBlock } from '@coinslot/contract';
import { reasons } from '@coinslot/texts/reasons';
import type { Environment } from '../../game/environment.ts';
import type { PaymentShop } from '../payment-shop.ts';
import { routeMethods } from './live-routing.ts';
import { countryOfPlayer, type NoMethod } from './methods.ts';

interface OrderToPay {
  status: OrderStatus;
  amountMinor: number;
  currency: string;
  country: string | null;
  locale: string | null;
}

const block = (code: PaymentBlock['code']): PaymentBlock => ({ code, message: reasons.languages.en[`block.${code}`] });

const BLOCKS: Record<NoMethod, PaymentBlock['code']> = {
  currency: 'currency_unsupported',
  amount_low: 'amount_below_minimum',
  amount_high: 'amount_above_maximum',
  amount_not_exact: 'amount_not_exact',
  method: 'no_payment_method',
};

type RoutingShop = Pick<PaymentShop, 'findLiveRouting' | 'switchesOf'>;

/** Answers the game at once with what the page would say to a player. Sandbox takes every order, and waits for nothing. */
export const whyNotPayable = (
  shop: RoutingShop,
  environment: Environment,
  order: OrderToPay,
): Promise<PaymentBlock | null> | null =>
  environment.mode === 'sandbox' || order.status !== 'created' || order.amountMinor === 0
    ? null
    : whyNotRouted(shop, environment, order);

async function whyNotRouted(
  { findLiveRouting, switchesOf }: RoutingShop,
  environment: Environment,
  { amountMinor, currency, country, locale }: OrderToPay,
): Promise<PaymentBlock | null> {
  const routing = await findLiveRouting(environment.id);
  if (!routing) return block('no_payment_provider');
  const offer = routeMethods(routing, {
    currency,
    country: countryOfPlayer({ country, currency, locale, acceptLanguage: null }),
    amountMinor,
    switches: await switchesOf(environment.companyId),
  });
  return 'missing' in offer ? block(BLOCKS[offer.missing]) : null;
}
