import type { LiveForm, MethodView, ProviderForm, ProviderScript, SavedMethodView } from '@coinslot/checkout-page';
import type { Order } from '../../domain/order/order.ts';
import type { LiveProvider } from '../../domain/payment/methods/live-routing.ts';
import { findMethod, type PaymentMethod } from '../../domain/payment/methods/method-table.ts';
import { brandName } from '../../domain/payment/providers/base/card.ts';
import type { PageForm } from '../../domain/payment/providers/base/provider.ts';
import type { SavedMethodRecord } from '../../domain/payment/saved-methods/saved-method.sql.ts';
import { type LiveFacts, takesSaved } from '../../domain/purchase/checkout/live-facts.ts';

/** Wallets that live inside a card and have a button of their own. */
const EXPRESS: readonly string[] = ['apple_pay', 'google_pay'];

const chargesOf = ({ canReserve, canRefund }: PaymentMethod): MethodView['charges'] =>
  canReserve ? 'after' : canRefund ? 'first' : 'for_good';

const methodView = (method: PaymentMethod): MethodView => {
  const { id, name, takes } = method;
  return { id, name, takes, charges: chargesOf(method) };
};

/** Enough for the player to recognize it, and too little for a stranger who looks over the shoulder. */
const masked = (email: string): string => email.replace(/^(.)[^@]*/, '$1•••');

const savedView = ({ id, method, brand, last4, email }: SavedMethodRecord): SavedMethodView => ({
  id,
  name: [
    brand === method ? methodName(method) : brandName(brand),
    ...(last4 === '' ? [] : [`••••\u00a0${last4}`]),
  ].join(' '),
  email: email && masked(email),
});

const unique = (names: string[]): string[] => [...new Set(names)];

/** What the provider calls these methods, each name once. */
export const offeredTypes = ({ typeOf }: PageForm, methods: readonly PaymentMethod[]): string[] =>
  unique(methods.map(({ id }) => typeOf(id)));

function providerForm(page: PageForm, { amountMinor, currency }: Order, methods: PaymentMethod[]): ProviderForm {
  const { typeOf, amountOf } = page;
  return {
    amount: amountOf(amountMinor, currency) ?? amountMinor,
    currency: currency.toLowerCase(),
    types: offeredTypes(page, methods),
    order: unique(methods.map(({ id }) => (EXPRESS.includes(id) ? id : typeOf(id)))),
    savable: Object.fromEntries(
      methods.filter(({ canSave }) => canSave).map(({ id }) => [typeOf(id), page.keptFor(id)]),
    ),
    charges: Object.fromEntries(
      methods.filter(({ canReserve }) => !canReserve).map(method => [typeOf(method.id), chargesOf(method)]),
    ),
  };
}

export function liveForm({ provider, offer }: LiveFacts, order: Order, saved: readonly SavedMethodRecord[]): LiveForm {
  const methods = 'methods' in offer ? offer.methods : [];
  const common = {
    // Another currency may be beyond what the connection takes.
    saved: saved.filter(one => takesSaved(offer, one)).map(savedView),
    offersSaving: methods.some(({ canSave, by }) => canSave && by.abilities.savesMethods),
    notRefundable: methods.filter(({ canRefund }) => !canRefund).map(({ name }) => name),
  };
  if (provider.form) {
    const without = methods.filter(({ leavesPage, by }) => leavesPage || by.form === null).map(methodView);
    const own = methods.filter(({ by }) => by === provider);
    const beside = methods.filter(({ by }) => by !== provider).map(methodView);
    return { ...common, methods: without, wallets: beside, form: providerForm(provider.form, order, own) };
  }
  return {
    ...common,
    methods: methods.filter(({ id }) => !EXPRESS.includes(id)).map(methodView),
    wallets: methods.filter(({ id }) => EXPRESS.includes(id)).map(methodView),
    form: null,
  };
}

export const demoOf = (provider: LiveProvider): 'simulated' | 'test' | null =>
  provider.isSimulated ? 'simulated' : provider.isTest ? 'test' : null;

export function scriptOf({ form }: LiveProvider): ProviderScript | null {
  if (form === null) return null;
  const { publishableKey, scriptUrl, part, sources } = form;
  return { publishableKey, scriptUrl, part, sources };
}

export const methodName = (id: string): string => findMethod(id)?.name ?? id;

export function awaitedKind(id: string): 'voucher' | 'debit' | 'soon' {
  const method = findMethod(id);
  if (method?.group === 'voucher') return 'voucher';
  return method?.takes === 'days' ? 'debit' : 'soon';
}

/** Captured before the game was asked: what the game refuses is refunded instead of voided. */
export const isCollectedFirst = (id: string): boolean => findMethod(id)?.canReserve === false;
