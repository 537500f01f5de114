import type { PaymentShop } from '../../payment/payment-shop.ts';
import { findCheckout } from './checkout.sql.ts';
import type { Checkout } from './checkout.ts';
import { readLiveFacts } from './live-facts.ts';

/** Null: there is no such order. */
export async function readCheckout(
  shop: PaymentShop,
  { environmentId, orderId }: { environmentId: string; orderId: string },
  acceptLanguage: string | null,
): Promise<Checkout | null> {
  const facts = await findCheckout(shop.db, environmentId, orderId);
  if (!facts) return null;
  const sandbox = facts.mode === 'sandbox';
  const live = sandbox ? null : await readLiveFacts(shop, facts.order, acceptLanguage);
  return { sandbox, hasProvider: sandbox || live !== null, live, ...facts };
}
