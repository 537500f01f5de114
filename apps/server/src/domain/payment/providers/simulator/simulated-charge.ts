import type { Charge } from '../base/charge-shape.ts';
import { type Decline, declinedCharge, ownRefusal, refusal } from '../base/charges.ts';
import type { ChargeRef } from '../base/gateway.ts';
import type { ChargeRow } from './charge-row.sql.ts';
import type { NewCharge } from './charges.sql.ts';
import { type DisputeRules, disputeAt } from './dispute-rules.ts';
import { denial } from './new-charge.ts';
import { type SlowRules, waitOf } from './other-methods.ts';

export type Rules = DisputeRules & SlowRules & { failsAfterSeconds: number };

/** From a refund until its bank says that it could not do it. */
export const FAIL_RULES = { failsAfterSeconds: 3 };

export const GIVEN_UP = denial('2012');
export const disputesOf = ({ paymentId }: ChargeRef, row: ChargeRow, rules: Rules) =>
  disputeAt(
    {
      paymentId,
      amountMinor: row.amountMinor,
      currency: row.currency ?? '',
      behavior: row.behavior,
      capturedAt: row.capturedAt,
      refundedAt: row.refundedAt,
      evidenceAt: row.evidenceAt,
      acceptedAt: row.acceptedAt,
      now: row.now,
    },
    rules,
  );

const { code, reason } = ownRefusal('bank', 'lost_or_stolen_card');
const REFUND_FAILURE = { code, reason };

/** A refund that will fail is asked about again, as a provider would call. */
const refundFailureOf = (row: ChargeRow, { failsAfterSeconds }: Rules): Partial<Charge> => ({
  ...(row.status === 'captured' && row.refundFailedAt !== null && { refundFailure: REFUND_FAILURE }),
  ...(row.status === 'refunded' && { refundFailure: null }),
  ...(row.status === 'refunded' && row.behavior === 'refund_fails' && { askAgainInSeconds: failsAfterSeconds }),
});

/** Everything that a test card or a player says no to is the bank's; what never came to be is ours. */
export function declineOf({
  responseCode,
  responseDescription,
}: Pick<NewCharge, 'responseCode' | 'responseDescription'>): Decline {
  if (responseCode === null) return { code: 'declined', refusal: ownRefusal('bank', 'declined') };
  const whose = responseCode === GIVEN_UP.responseCode ? 'shop' : 'bank';
  return { code: responseCode, refusal: refusal(whose, responseCode, responseDescription ?? '') };
}

/** Null for a charge that never came. */
export function toCharge(ref: ChargeRef, row: ChargeRow, rules: Rules): Charge | null {
  const { status, currency, amountMinor, brand, last4, country, responseCode, responseDescription, challengeUrl } = row;
  if (status === 'never' || currency === null) return null;
  const charge = {
    status,
    amountMinor,
    currency,
    brand,
    last4,
    country,
    responseCode,
    responseDescription,
    challengeUrl,
    ...disputesOf(ref, row, rules),
    ...refundFailureOf(row, rules),
    ...(row.method !== 'card' && { method: row.method }),
    ...waitOf(ref.paymentId, row),
  };
  return status === 'declined' ? declinedCharge(charge, declineOf(row)) : charge;
}
