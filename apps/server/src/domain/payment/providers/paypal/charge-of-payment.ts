import { reasons } from '@coinslot/texts/reasons';
import type { Charge, Dispute } from '../base/charge-shape.ts';
import { declinedCharge, isUndecided, PLAIN_CHARGE, refusal } from '../base/charges.ts';
import type { ProviderRefund } from '../base/driver.ts';
import { OutcomeUnknown } from '../base/gateway.ts';
import { disputeOf } from './dispute-of-payment.ts';
import { paypalFault } from './paypal-fault.ts';
import { feeIn, fromPaypalMoney } from './wire/paypal-amount.ts';
import {
  approvalUrlOf,
  type PaypalAuthorization,
  type PaypalCapture,
  type PaypalDispute,
  type PaypalOrder,
  type PaypalRefund,
} from './wire/paypal-objects.ts';

const HOUR_SECONDS = 3_600;
const PENDING_REFUND_SECONDS = 6 * HOUR_SECONDS;
const OPEN_DISPUTE_SECONDS = 24 * HOUR_SECONDS;

/** Whose payment it is: what we know without PayPal. */
export interface ChargeFacts {
  amountMinor: number;
  currency: string;
  orderId: string;
}

export const plain = ({ amountMinor, currency, orderId }: ChargeFacts): Omit<Charge, 'status'> => ({
  ...PLAIN_CHARGE,
  amountMinor,
  currency,
  method: 'paypal',
  providerId: orderId,
});

/** The player has not said yes yet. */
export function waitingCharge(facts: ChargeFacts, order: PaypalOrder): Charge {
  const redirectUrl = approvalUrlOf(order);
  return {
    ...plain(facts),
    status: 'requires_action',
    challengeUrl: redirectUrl,
    nextAction: { clientSecret: null, redirectUrl, instructionsUrl: null, expiresAt: null },
  };
}

export const voidedCharge = (facts: ChargeFacts): Charge => ({ ...plain(facts), status: 'voided' });

const DENIED = paypalFault({ code: 'AUTHORIZATION_DENIED' }).decline;

/** Money that is reserved, or was. Null: it was captured, so the capture says the rest. */
export function chargeOfAuthorization(facts: ChargeFacts, authorization: PaypalAuthorization): Charge | null {
  const held = {
    ...facts,
    amountMinor: fromPaypalMoney(authorization.amount),
    currency: authorization.amount.currency_code,
  };
  switch (authorization.status) {
    case 'CREATED':
      return { ...plain(held), status: 'authorized' };
    // PayPal looks at the payer first, for a day at most.
    case 'PENDING':
      return { ...plain(held), status: 'processing', askAgainInSeconds: HOUR_SECONDS };
    case 'DENIED':
      return declinedCharge(plain(held), DENIED);
    case 'VOIDED':
      return voidedCharge(held);
    case 'CAPTURED':
    case 'PARTIALLY_CAPTURED':
      return null;
    default:
      throw new OutcomeUnknown(`PayPal answered with a reservation that is ${authorization.status}.`);
  }
}

/** What became of a refund. PayPal names no reason with one that did not arrive. */
export function refundOf({ id, status }: PaypalRefund): ProviderRefund {
  const failure = FAILED_REFUNDS[status];
  if (!failure) return { id, failure: null };
  const [whose, reason] = failure;
  return { id, failure: refusal(whose, `REFUND_${status}`, reason, { isFinal: false }) };
}

const FAILED_REFUNDS: Readonly<Record<string, readonly ['bank' | 'shop', string]>> = {
  FAILED: ['bank', reasons.languages.en['paypal.refund.failed']],
  CANCELLED: ['shop', reasons.languages.en['paypal.refund.canceled']],
};

export interface CaptureFacts {
  capture: PaypalCapture;
  refund: PaypalRefund | null;
  /** All that PayPal lists, ours and what a person returned there; null: it does not list them any more. */
  refunds: readonly PaypalRefund[] | null;
  disputes: readonly PaypalDispute[];
  /** PayPal told of a dispute, or of money that it took back. */
  hasDispute: boolean;
}

const REVERSALS: readonly string[] = ['CHARGEBACK', 'BUYER_COMPLAINT'];

/** PayPal or a bank took the money back. PayPal calls that refunded too, but no refund of a seller is behind it. */
function isReversed({ capture, refund, refunds, hasDispute }: CaptureFacts): boolean {
  if (capture.status !== 'REFUNDED' || refund || refunds?.some(({ status }) => status === 'COMPLETED')) return false;
  return REVERSALS.includes(capture.status_details?.reason ?? '') || (hasDispute && refunds !== null);
}

/** The dispute that a reversal stands for, where PayPal lists none. */
const reversalOf = ({ id, amount, status_details: details }: PaypalCapture): Dispute => ({
  id: `${id}-reversed`,
  status: 'lost',
  reason: (details?.reason ?? 'REVERSED').toLowerCase(),
  amountMinor: fromPaypalMoney(amount),
  currency: amount.currency_code,
  evidenceStage: 'closed',
});

function disputesOf(seen: CaptureFacts): Dispute[] {
  const listed = seen.disputes.map(dispute => disputeOf(dispute, seen.capture));
  const isListed = listed.some(dispute => dispute.status === 'lost' || isUndecided(dispute));
  return isReversed(seen) && !isListed ? [...listed, reversalOf(seen.capture)] : listed;
}

function returnedMinor(seen: CaptureFacts): number {
  const { capture, refunds } = seen;
  if (isReversed(seen)) return 0;
  if (capture.status === 'REFUNDED') return fromPaypalMoney(capture.amount);
  if (capture.status !== 'PARTIALLY_REFUNDED') return 0;
  const done = (refunds ?? []).filter(({ status, amount }) => status === 'COMPLETED' && amount !== undefined);
  // PayPal says that it is a part; where it does not list how much, the least that a part can be is reported.
  return Math.max(
    1,
    done.reduce((sum, { amount }) => sum + fromPaypalMoney(amount!), 0),
  );
}

function capturedStatus(seen: CaptureFacts): 'captured' | 'refunded' {
  const { capture, refund } = seen;
  if (capture.status === 'REFUNDED' && !isReversed(seen)) return refund?.status === 'PENDING' ? 'captured' : 'refunded';
  return 'captured';
}

const IN_HAND: readonly string[] = ['COMPLETED', 'PARTIALLY_REFUNDED', 'REFUNDED'];

/** Whether PayPal has the money. Until it does, the capture is under way. */
export const isInHand = ({ status }: PaypalCapture): boolean => IN_HAND.includes(status);

/** What PayPal captured, in our words. Pure: the same objects mean the same, from every caller and by every way. */
export function chargeOfCapture(facts: ChargeFacts, seen: CaptureFacts): Charge {
  const { capture, refund } = seen;
  const { currency_code: currency } = capture.amount;
  const status = capturedStatus(seen);
  const disputes = disputesOf(seen);
  const isRefundPending = refund?.status === 'PENDING';
  const fee = capture.seller_receivable_breakdown?.paypal_fee;
  const failure = refund && capture.status === 'COMPLETED' ? refundOf(refund).failure : null;
  return {
    ...plain({ ...facts, currency, amountMinor: fromPaypalMoney(capture.amount) }),
    status,
    disputes,
    askAgainInSeconds: disputes.some(isUndecided)
      ? OPEN_DISPUTE_SECONDS
      : isRefundPending && status === 'captured'
        ? PENDING_REFUND_SECONDS
        : null,
    fee: feeIn(fee),
    refundedMinor: returnedMinor(seen),
    refundFailure: failure && { reason: failure.reason, code: failure.code, refundId: refund!.id },
  };
}
