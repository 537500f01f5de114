import type { Environment } from '../../game/environment.ts';
import type { Order } from '../../order/order.ts';
import type { FindLiveProvider, LiveProvider } from '../../payment/live-provider.ts';
import { countryOfPlayer, type MethodOffer, type MethodSwitches, offerMethods } from '../../payment/methods.ts';

export interface LiveDeps {
  findLiveProvider: FindLiveProvider;
  switchesOf: (companyId: string) => Promise<MethodSwitches>;
  environmentOf: (environmentId: string) => Promise<Environment | null>;
}

/** The provider of a live order, and the methods that this player may pay with. */
export interface LiveFacts {
  provider: LiveProvider;
  offer: MethodOffer;
}

/** Null while the company has no payment provider. Every answer here is a few seconds old at most. */
export async function readLiveFacts(
  { findLiveProvider, switchesOf, environmentOf }: LiveDeps,
  order: Order,
  acceptLanguage: string | null,
): Promise<LiveFacts | null> {
  const [provider, environment] = await Promise.all([
    findLiveProvider(order.environmentId),
    environmentOf(order.environmentId),
  ]);
  if (!provider || !environment) return null;
  const { currency, amountMinor, details } = order;
  const country = countryOfPlayer({ country: details.country, currency, locale: details.locale, acceptLanguage });
  const switches = await switchesOf(environment.companyId);
  return { provider, offer: offerMethods({ currency, country, amountMinor, switches, abilities: provider.abilities }) };
}
