import type { Order } from '../../order/order.ts';
import {
  type LiveProvider,
  type LiveRouting,
  type RoutedOffer,
  routeMethods,
} from '../../payment/methods/live-routing.ts';
import { countryOfPlayer, type MethodSwitches } from '../../payment/methods/methods.ts';
import type { PaymentShop } from '../../payment/payment-shop.ts';

/** Who takes the money of a live order, and the methods that this player may pay with. */
export interface LiveFacts {
  /** Whose form the page draws, if any needs one. Methods of the others stand beside it. */
  provider: LiveProvider;
  providers: readonly LiveProvider[];
  offer: RoutedOffer;
}

/** Of those that take something here, the one with a form of its own, and the one that takes cards before others; a page draws one. */
function drawnBy({ providers }: LiveRouting, offer: RoutedOffer): LiveProvider {
  const methods = 'methods' in offer ? offer.methods : [];
  const used = [...methods.filter(({ id }) => id === 'card'), ...methods].map(({ by }) => by);
  return used.find(({ form }) => form !== null) ?? used[0] ?? providers[0]!;
}

/** Leaves out what needs the form of another account than the one whose form the page draws. */
function onOnePage(routing: LiveRouting, offer: RoutedOffer): RoutedOffer {
  if ('missing' in offer) return offer;
  const drawn = drawnBy(routing, offer);
  return { methods: offer.methods.filter(({ by, leavesPage }) => by === drawn || by.form === null || leavesPage) };
}

export interface Visit {
  currency: string;
  amountMinor: number;
  country: string | null;
  locale: string | null;
  acceptLanguage: string | null;
}

/** The methods that this visit is offered: the page asks it for players, the dashboard for members who want to know. */
export const offerFor = (routing: LiveRouting, switches: MethodSwitches, visit: Visit): RoutedOffer =>
  onOnePage(
    routing,
    routeMethods(routing, {
      currency: visit.currency,
      amountMinor: visit.amountMinor,
      country: countryOfPlayer(visit),
      switches,
    }),
  );

/** Whether a method that the player saved is among those that the order can be paid with now, and by the provider that keeps it. */
export const takesSaved = (offer: RoutedOffer, { method, gateway }: { method: string; gateway: string }): boolean =>
  'methods' in offer && offer.methods.some(({ id, by }) => id === method && by.gateway.name === gateway);

/** Null while the company has no payment provider. Every answer here is a few seconds old at most. */
export async function readLiveFacts(
  { findLiveRouting, switchesOf, environmentOf }: PaymentShop,
  order: Order,
  acceptLanguage: string | null,
): Promise<LiveFacts | null> {
  const [routing, environment] = await Promise.all([
    findLiveRouting(order.environmentId),
    environmentOf(order.environmentId),
  ]);
  if (!routing || !environment) return null;
  const { currency, amountMinor, details } = order;
  const { country, locale } = details;
  const switches = await switchesOf(environment.companyId);
  const offer = offerFor(routing, switches, { currency, amountMinor, country, locale, acceptLanguage });
  return { provider: drawnBy(routing, offer), providers: routing.providers, offer };
}
