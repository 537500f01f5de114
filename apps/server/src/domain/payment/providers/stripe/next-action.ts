import type Stripe from 'stripe';
import type { NextAction } from '../base/charge-shape.ts';

/** Done at a till, by a transfer or with a bank's statement in hand, days later. All else while the player looks on. */
const VOUCHERS: ReadonlySet<string> = new Set([
  'boleto_display_details',
  'konbini_display_details',
  'multibanco_display_details',
  'oxxo_display_details',
  'verify_with_microdeposits',
]);

export const isVoucher = (intent: Stripe.PaymentIntent): boolean => VOUCHERS.has(intent.next_action?.type ?? '');

const textIn = (details: Record<string, unknown>, ...names: string[]): string | null => {
  for (const name of names) if (typeof details[name] === 'string') return details[name];
  return null;
};

function expiryIn(details: Record<string, unknown>): Date | null {
  const { expires_at: at, expires_after: after } = details;
  const seconds = typeof at === 'number' ? at : typeof after === 'number' ? after : null;
  return seconds === null ? null : new Date(seconds * 1000);
}

/** Multibanco asks for two numbers, the others for one. */
const referenceIn = (details: Record<string, unknown>): string | null =>
  [textIn(details, 'entity'), textIn(details, 'number', 'reference', 'confirmation_number')]
    .filter(Boolean)
    .join(' · ') || null;

/** Whatever the method, the details of a next action have these few words in common. */
export function nextActionOf(intent: Stripe.PaymentIntent): NextAction | null {
  if (intent.status !== 'requires_action' || !intent.next_action) return null;
  const { type } = intent.next_action;
  const all = intent.next_action as unknown as Record<string, unknown>;
  const details = (typeof all[type] === 'object' && all[type] !== null ? all[type] : {}) as Record<string, unknown>;
  return {
    clientSecret: intent.client_secret,
    // The app's own link leads nowhere on a client; the provider's page shows a code there and opens the app on a phone.
    redirectUrl: textIn(details, 'url', 'hosted_instructions_url', 'mobile_auth_url'),
    instructionsUrl: textIn(details, 'hosted_voucher_url', 'hosted_instructions_url', 'hosted_verification_url'),
    reference: referenceIn(details),
    expiresAt: expiryIn(details),
  };
}
