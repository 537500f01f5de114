import { findPaymentOfOrder } from '../../payment/payment.sql.ts';
import type { Gateway } from '../../payment/providers/base/gateway.ts';
import { openSavedMethod, removeSavedMethod } from '../../payment/saved-methods/forget-method.ts';
import { claimOrder } from '../engine/claim-order.ts';
import type { PurchaseShop } from '../engine/purchase.ts';
import { type Checkout, checkoutState } from './checkout.ts';
import type { LiveFacts } from './live-facts.ts';
import { type BegunPayment, type PayOrder, payOrder } from './pay-order.ts';

/** What a player pays with, as the form says it. */
export interface Payable extends Pick<PayOrder, 'method' | 'email' | 'payWith' | 'saveMethod'> {
  /** Who takes it; undefined in sandbox. */
  gateway?: Gateway;
}

interface BeginPayment<Refused> {
  returnUrl: string;
  attemptKey: string | null;
  /** The method that the player saved before and pays with in one tap; empty: the form below. */
  savedId: string;
  /** A keyed digest of the player's network address. */
  payerNetwork?: string;
  /** Read only while the order can be paid. `live` is null in sandbox. */
  readForm: (live: LiveFacts | null) => Payable | { refused: Refused };
}

export type Begun<Refused> =
  /** Another tab was quicker, or the order cannot be paid now: the page shows how it stands. */
  | { kind: 'not_open' }
  | { kind: 'refused'; refused: Refused }
  | { kind: 'saved_gone' }
  | ({ kind: 'begun' } & BegunPayment);

/** One tap. Only methods that this player saved in this environment are found at all. */
async function savedPayable(shop: PurchaseShop, { order, live }: Checkout, id: string): Promise<Payable | null> {
  const { environmentId, playerId, email } = order;
  const found = await openSavedMethod(shop, { environmentId, playerId, id });
  const gateway = live?.providers.find(one => one.gateway.name === found?.saved.gateway)?.gateway;
  if (!found || !gateway) return null;
  const { saved, token } = found;
  const { method } = saved;
  return { gateway, method, email: saved.email ?? email, payWith: { kind: 'saved_method', token, method } };
}

const GONE: readonly (string | null)[] = ['saved_method_gone', '2025'];

/** A saved method that the provider no longer has is not offered again. */
async function forgetIfGone(shop: PurchaseShop, { order }: Checkout, id: string): Promise<void> {
  const { environmentId, playerId } = order;
  const payment = await findPaymentOfOrder(shop.db, environmentId, order.id);
  if (payment?.status !== 'declined' || !GONE.includes(payment.responseCode)) return;
  await removeSavedMethod(shop, { environmentId, playerId, id });
}

/** The player has sent the form, or tapped what they saved. */
export async function beginPayment<Refused>(
  shop: PurchaseShop,
  checkout: Checkout,
  { returnUrl, attemptKey, savedId, payerNetwork, readForm }: BeginPayment<Refused>,
): Promise<Begun<Refused>> {
  const { order, live, sandbox, gameName: brandName } = checkout;
  if (!(sandbox || live) || checkoutState(checkout) !== 'ready') return { kind: 'not_open' };
  const isSaved = live !== null && savedId !== '';
  const payable = isSaved ? await savedPayable(shop, checkout, savedId) : readForm(live);
  if (!payable) return { kind: 'saved_gone' };
  if ('refused' in payable) return { kind: 'refused', refused: payable.refused };
  const { environmentId, id: orderId } = order;
  const { gateway = shop.simulator } = payable;
  const payer = { isLive: !sandbox, payerNetwork: payerNetwork ?? null };
  const what = { environmentId, orderId, returnUrl, attemptKey, brandName, payer, ...payable, gateway };
  const { outcome } = await payOrder(shop, what);
  return { kind: 'begun', outcome: isSaved ? outcome.then(() => forgetIfGone(shop, checkout, savedId)) : outcome };
}

/** A free order is claimed in place of paid. */
export function beginClaim<Refused>(
  shop: PurchaseShop,
  checkout: Checkout,
  readForm: () => { email: string | null } | { refused: Refused },
): Exclude<Begun<Refused>, { kind: 'saved_gone' }> {
  if (checkoutState(checkout) !== 'claim') return { kind: 'not_open' };
  const form = readForm();
  if ('refused' in form) return { kind: 'refused', refused: form.refused };
  const { environmentId, id: orderId } = checkout.order;
  // Nothing is charged, so the page may take over the waiting at once.
  return { kind: 'begun', outcome: claimOrder(shop, { environmentId, orderId, ...form }) };
}
