import { findPaymentOfOrder } from '../../payment/payment.sql.ts';
import type { PayWith } from '../../payment/providers/base/gateway.ts';
import { openSavedMethod, removeSavedMethod } from '../../payment/saved-methods/forget-method.ts';
import type { PurchaseShop } from '../engine/purchase.ts';
import type { Checkout } from './checkout.ts';
import { type LiveFacts, takesSaved } from './live-facts.ts';

/** What a player pays with who taps a method that they saved. */
interface SavedPayable {
  by: LiveFacts['providers'][number];
  method: string;
  email: string | null;
  payWith: Extract<PayWith, { kind: 'saved_method' }>;
}

/** One tap. Only methods that this player saved in this environment are found at all, and only what is offered now is taken. */
export async function savedPayable(
  shop: PurchaseShop,
  { order }: Checkout,
  { live, id }: { live: LiveFacts; id: string },
): Promise<SavedPayable | null> {
  const { environmentId, playerId, email } = order;
  const found = await openSavedMethod(shop, { environmentId, playerId, id });
  if (!found) return null;
  const { saved, token } = found;
  const { gateway, accountId, method } = saved;
  // A token is good at the account alone that it was saved at.
  const by = live.providers.find(
    one => one.gateway.name === gateway && (accountId === null || one.account?.id === accountId),
  );
  if (!by || !takesSaved(live.offer, saved)) return null;
  return { by, method, email: saved.email ?? email, payWith: { kind: 'saved_method', token, method } };
}

const GONE: readonly (string | null)[] = ['saved_method_gone', '2025'];

/** A saved method that the provider no longer has is not offered again. */
export async function forgetIfGone(shop: PurchaseShop, { order }: Checkout, id: string): Promise<void> {
  const { environmentId, playerId } = order;
  const payment = await findPaymentOfOrder(shop.db, environmentId, order.id);
  if (payment?.status !== 'declined' || !GONE.includes(payment.responseCode)) return;
  await removeSavedMethod(shop, { environmentId, playerId, id });
}
