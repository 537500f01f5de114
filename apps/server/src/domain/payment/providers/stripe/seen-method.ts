import type Stripe from 'stripe';

export const expandedOf = <T extends object>(value: T | string | null | undefined): T | null =>
  typeof value === 'object' ? value : null;

interface MethodSeen {
  type: string;
  brand: string | null;
  last4: string | null;
  country: string | null;
  wallet: string | null;
}

/** A charge and a method tell the same facts under the same words. */
function seenIn(details: object | null | undefined): MethodSeen | null {
  const { type } = (details ?? {}) as { type?: unknown };
  if (typeof type !== 'string') return null;
  const own = ((details as Record<string, unknown>)[type] ?? {}) as Record<string, unknown>;
  const text = (value: unknown): string | null => (typeof value === 'string' && value !== '' ? value : null);
  const wallet = (own.wallet ?? {}) as Record<string, unknown>;
  return {
    type,
    brand: text(own.brand),
    last4: text(own.last4),
    country: text(own.country),
    wallet: text(wallet.type),
  };
}

export function methodSeen(intent: Stripe.PaymentIntent, charge: Stripe.Charge | null): MethodSeen | null {
  return (
    seenIn(charge?.payment_method_details) ??
    seenIn(expandedOf(intent.payment_method)) ??
    seenIn(intent.last_payment_error?.payment_method)
  );
}
