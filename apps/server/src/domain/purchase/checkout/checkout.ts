import { statusAt } from '../../order/order.ts';
import type { PaymentShop } from '../../payment/payment-shop.ts';
import { type CheckoutFacts, findCheckout } from './checkout.sql.ts';
import { type LiveFacts, readLiveFacts } from './live-facts.ts';

export interface Checkout extends CheckoutFacts {
  sandbox: boolean;
  /** Live only: there is a provider to take the money. */
  hasProvider: boolean;
  /** Null in sandbox, and while live has no provider. */
  live: LiveFacts | null;
}

export type CheckoutState =
  | 'ready'
  | 'claim'
  | 'not_connected'
  | 'paying'
  | 'checking'
  | 'challenge'
  | 'awaiting'
  | 'asking'
  | 'waiting_no_webhook'
  | 'done'
  | 'rejected'
  | 'canceled'
  | 'expired'
  | 'refund_requested'
  | 'refunded'
  | 'disputed'
  | 'charged_back';

/** A provider answers within seconds. After this the page says that the outcome is not known yet. */
const PAYING_MS = 15_000;
/** A provider that has not answered by then is asked again, and the page says that. */
export const SLOW_MS = 3_000;

export const ageMs = (since: Date, now: Date): number => now.getTime() - since.getTime();

/** Whole seconds until that long after, so that a player who waits them is never early; null when it is over. */
export function secondsUntil(since: Date, afterMs: number, now: Date): number | null {
  const leftMs = afterMs - ageMs(since, now);
  return leftMs < 0 ? null : Math.floor(leftMs / 1000) + 1;
}

type Paying = Pick<Checkout, 'order' | 'payment' | 'now'>;

/** How long the page goes on saying that the payment is under way; null: its outcome is being looked up. */
export const payingForSeconds = ({ order, payment, now }: Paying, afterMs = PAYING_MS): number | null =>
  secondsUntil(payment?.createdAt ?? order.updatedAt, afterMs, now);

function openState({ order, sandbox, hasProvider, hasItemEndpoint, live }: Checkout): CheckoutState {
  const free = order.amountMinor === 0;
  const canPay = free || (hasProvider && (live === null || 'methods' in live.offer));
  if (!sandbox && (!hasItemEndpoint || !canPay)) return 'not_connected';
  return free ? 'claim' : 'ready';
}

/** Also the answer to "is there news?". */
export function checkoutState(checkout: Checkout): CheckoutState {
  const { order, payment, now, sandbox, hasItemEndpoint } = checkout;
  const status = statusAt(order, now);
  if (status === 'created') return openState(checkout);
  if (status === 'pending') {
    if (payment?.instructions) return 'awaiting';
    if (payment?.status === 'requires_action') return 'challenge';
    return payingForSeconds(checkout) === null ? 'checking' : 'paying';
  }
  if (status === 'authorized') {
    return sandbox && !hasItemEndpoint && order.grantedAt === null ? 'waiting_no_webhook' : 'asking';
  }
  // Every other status has a page of its own, by the same name; the compiler asks for it.
  return status === 'paid' ? 'done' : status;
}

/** Why an order of the state `not_connected` cannot be paid. */
type NotConnected = 'provider' | 'webhook' | 'currency' | 'amount_low' | 'amount_high' | 'method';

export function missingIn({ hasProvider, hasItemEndpoint, live }: Checkout): NotConnected {
  if (!hasProvider) return 'provider';
  if (!hasItemEndpoint || !live || 'methods' in live.offer) return 'webhook';
  const { missing } = live.offer;
  return missing === 'amount_not_exact' ? 'currency' : missing;
}

export async function readCheckout(
  shop: PaymentShop,
  { environmentId, orderId }: { environmentId: string; orderId: string },
  acceptLanguage: string | null,
): Promise<Checkout | null> {
  const facts = await findCheckout(shop.db, environmentId, orderId);
  if (!facts) return null;
  const sandbox = facts.mode === 'sandbox';
  const live = sandbox ? null : await readLiveFacts(shop, facts.order, acceptLanguage);
  return Object.assign(facts, { sandbox, hasProvider: sandbox || live !== null, live });
}
