import {
  type CheckoutState,
  type ChosenLanguage,
  type FieldErrors,
  type FormProblem,
  type ItemView,
  type Language,
  languageOf,
  type OpenForm,
} from '@coinslot/checkout-page';
import type { Order, OrderItem } from '../../domain/order/order.ts';
import { discountMinor } from '../../domain/order/pricing.ts';
import type { SavedMethodRecord } from '../../domain/payment/saved-methods/saved-method.sql.ts';
import type { Checkout } from '../../domain/purchase/checkout/checkout.ts';
import { formatCount, formatLocale, formatMoney } from '../../kit/format.ts';
import { demoOf, scriptOf } from './live-view.ts';
import { sellerView } from './purchase-view.ts';

export interface PageFacts extends Checkout {
  /** The path of this page, `/c/<token>`. */
  base: string;
  /** The player's saved methods; read only where they are shown. */
  saved: readonly SavedMethodRecord[];
  acceptLanguage: string | null;
  /** What the player picked on the page: the `lang` of its address, not vetted. */
  chosenLanguage: string | null;
  /** The page came over an encrypted connection. */
  secure: boolean;
  /** What the player typed into a form that was declined and that is no secret. Only without script it comes from outside. */
  kept: OpenForm['kept'];
}

export interface RefusedForm {
  email: string;
  fieldErrors: FieldErrors;
  kept?: OpenForm['kept'];
  problem?: FormProblem;
  retryInMinutes?: number;
}

export const languagePreferencesOf = ({ chosenLanguage, order, acceptLanguage }: PageFacts) => ({
  chosen: chosenLanguage,
  locale: order.details.locale,
  acceptLanguage,
});

/** The order's locale writes the numbers, until the player picks a language that is not the locale's. */
export function numberLocale({ chosenLanguage, order }: PageFacts, { language, tag }: ChosenLanguage): string {
  const { locale } = order.details;
  const isPicked = languageOf(chosenLanguage ?? '') !== null;
  const own = locale !== null && (!isPicked || languageOf(locale) === language) ? locale : tag;
  return formatLocale(own, language);
}

/** While the player may still pay, and nowhere else, the page may load the provider's script. */
const OPEN_STATES: readonly CheckoutState[] = ['ready', 'challenge', 'paying', 'checking', 'awaiting'];

export function orderFrame(facts: PageFacts, state: CheckoutState, language: Language, locale: string) {
  const { base, order, gameName, gameIconUrl, logoUrl, accentColor, playerName, sandbox } = facts;
  const { details } = order;
  const provider = facts.live?.provider ?? null;
  return {
    language,
    chosenLanguage: languageOf(facts.chosenLanguage ?? ''),
    theme: details.theme,
    base,
    version: order.version,
    sandbox,
    demo: provider ? demoOf(provider) : null,
    provider: provider && OPEN_STATES.includes(state) ? scriptOf(provider) : null,
    gameName,
    gameIconUrl,
    logoUrl,
    accentColor,
    renewInSeconds: null,
    playerName,
    items: order.items.map(item => itemView(item, order.currency, locale)),
    total: formatMoney(order.amountMinor, order.currency, locale),
    discount: discountOf(order, locale),
    free: order.amountMinor === 0,
    seller: sellerView(facts, language),
    secure: facts.secure,
    backToGameUrl: details.backToGameUrl,
    backToStoreUrl: details.backToStoreUrl,
  };
}

function discountOf(order: Order, locale: string): string | null {
  const minor = discountMinor(order);
  return minor === null ? null : formatMoney(-minor, order.currency, locale);
}

function itemView(item: OrderItem, orderCurrency: string, locale: string): ItemView {
  const currency = item.currency ?? orderCurrency;
  const line = (unitMinor: number | null): string | null =>
    unitMinor !== null && Number.isSafeInteger(unitMinor * item.quantity)
      ? formatMoney(unitMinor * item.quantity, currency, locale)
      : null;
  return {
    name: item.name ?? item.sku,
    description: item.description,
    quantity: item.quantity === 1 ? null : formatCount(item.quantity, locale),
    price: line(item.priceMinor),
    oldPrice: line(item.fullPriceMinor),
    imageUrl: item.imageUrl,
  };
}
