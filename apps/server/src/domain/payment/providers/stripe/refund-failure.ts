import { reasonOf, reasons } from '@coinslot/texts/reasons';
import type Stripe from 'stripe';
import type { Charge, Refusal } from '../base/charge-shape.ts';
import { refusal } from '../base/charges.ts';
import type { ProviderRefund } from '../base/driver.ts';

/** A card that is closed is the end of it; what else a bank says may pass. */
const FINAL: readonly string[] = ['expired_or_canceled_card', 'lost_or_stolen_card'];

/** The balance and a cancellation are the shop's own. */
const SHOPS: readonly string[] = ['insufficient_funds', 'merchant_request'];

const codeOf = ({ failure_reason: reason }: Stripe.Refund): string => reason ?? 'unknown';

export const hasFailed = ({ status }: Stripe.Refund): boolean => status === 'failed' || status === 'canceled';

export const isUnderWay = ({ status }: Stripe.Refund): boolean => status === 'pending' || status === 'requires_action';

function refusalOfRefund(refund: Stripe.Refund): Refusal {
  const code = codeOf(refund);
  const reason = reasonOf('stripe.refund', code) ?? reasons.text('en', 'refusal.refund_failed', { code });
  return refusal(SHOPS.includes(code) ? 'shop' : 'bank', code, reason, { isFinal: FINAL.includes(code) });
}

export const refundOf = (refund: Stripe.Refund): ProviderRefund => ({
  id: refund.id,
  failure: hasFailed(refund) ? refusalOfRefund(refund) : null,
});

/** The newest refund, if it did not arrive. An older one that failed was asked for again since. */
export function refundFailureOf(refunds: readonly Stripe.Refund[]): Charge['refundFailure'] {
  const newest = refunds.toSorted((one, other) => other.created - one.created)[0];
  const failure = newest && refundOf(newest).failure;
  return failure ? { reason: failure.reason, code: failure.code, refundId: newest.id } : null;
}
