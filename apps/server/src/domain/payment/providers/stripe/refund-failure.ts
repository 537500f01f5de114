import type Stripe from 'stripe';
import { refusal } from '../base/charges.ts';
import type { ProviderRefund } from '../base/driver.ts';
import type { Charge, Refusal } from '../base/gateway.ts';

/** Why a bank could not take the money. Only a closed account is the end of it. */
const FAILURES: Readonly<Record<string, { reason: string; isFinal: boolean }>> = {
  charge_for_pending_refund_disputed: {
    reason: 'The bank disputes this payment; its money cannot be returned twice.',
    isFinal: false,
  },
  declined: { reason: 'The bank refused the money.', isFinal: false },
  expired_or_canceled_card: {
    reason: 'The card has expired or was closed. Return the money another way.',
    isFinal: true,
  },
  insufficient_funds: {
    reason: 'The balance at the provider is too low. Add money there and refund again.',
    isFinal: false,
  },
  lost_or_stolen_card: { reason: 'The card was lost or stolen. Return the money another way.', isFinal: true },
  merchant_request: { reason: 'The refund was canceled at the provider.', isFinal: false },
  unknown: { reason: 'The bank refused the money and gave no reason.', isFinal: false },
};

/** The balance and a cancellation are the shop's own. */
const SHOPS: readonly string[] = ['insufficient_funds', 'merchant_request'];

const codeOf = ({ failure_reason: reason }: Stripe.Refund): string => reason ?? 'unknown';

export const hasFailed = ({ status }: Stripe.Refund): boolean => status === 'failed' || status === 'canceled';

export const isUnderWay = ({ status }: Stripe.Refund): boolean => status === 'pending' || status === 'requires_action';

function refusalOfRefund(refund: Stripe.Refund): Refusal {
  const code = codeOf(refund);
  const { reason, isFinal } = FAILURES[code] ?? {
    reason: `The provider could not return the money (${code}).`,
    isFinal: false,
  };
  return refusal(SHOPS.includes(code) ? 'shop' : 'bank', code, reason, { isFinal });
}

/** What became of a refund. */
export const refundOf = (refund: Stripe.Refund): ProviderRefund => ({
  id: refund.id,
  failure: hasFailed(refund) ? refusalOfRefund(refund) : null,
});

/** The newest refund, if it did not arrive. An older one that failed was asked for again since. */
export function refundFailureOf(refunds: readonly Stripe.Refund[]): Charge['refundFailure'] {
  const newest = refunds.toSorted((one, other) => other.created - one.created)[0];
  const failure = newest && refundOf(newest).failure;
  return failure ? { reason: failure.reason, code: failure.code } : null;
}
