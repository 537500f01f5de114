import {
  type Charge,
  type Dispute,
  type DisputeStatus,
  type EvidenceStage,
  OutcomeUnknown,
  type Refusal,
} from '../base/gateway.ts';
import { SHOP_PROBLEMS } from '../base/problems.ts';
import { fromPaypalMoney } from './wire/paypal-amount.ts';
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
  /** PayPal's name of the order. */
  orderId: string;
}

const bare = ({ amountMinor, currency, orderId }: ChargeFacts): Omit<Charge, 'status'> => ({
  amountMinor,
  currency,
  brand: null,
  last4: null,
  country: null,
  responseCode: null,
  responseDescription: null,
  challengeUrl: null,
  dispute: null,
  askAgainInSeconds: null,
  method: 'paypal',
  providerId: orderId,
});

/** The player has not said yes yet. */
export function waitingCharge(facts: ChargeFacts, order: PaypalOrder): Charge {
  const redirectUrl = approvalUrlOf(order);
  return {
    ...bare(facts),
    status: 'requires_action',
    challengeUrl: redirectUrl,
    nextAction: { clientSecret: null, redirectUrl, instructionsUrl: null, expiresAt: null },
  };
}

export const voidedCharge = (facts: ChargeFacts): Charge => ({ ...bare(facts), status: 'voided' });

/** What the payment's record says of a no: a bank's own word, or one of ours for what is the shop's. */
export interface No {
  code: string;
  refusal: Refusal;
}

export const declinedCharge = (facts: ChargeFacts, { code, refusal }: No): Charge => ({
  ...bare(facts),
  status: 'declined',
  responseCode: code,
  responseDescription: refusal.reason,
  declinedBy: refusal.whose,
  refusal,
});

const DENIED: Refusal = {
  whose: 'bank',
  code: 'AUTHORIZATION_DENIED',
  reason: 'PayPal reviewed the payment and declined it',
  param: null,
  requestId: null,
  isFinal: true,
};

/** Money that is reserved, or was. Null: it was captured, so the capture tells the rest. */
export function chargeOfAuthorization(facts: ChargeFacts, authorization: PaypalAuthorization): Charge | null {
  const held = {
    ...facts,
    amountMinor: fromPaypalMoney(authorization.amount),
    currency: authorization.amount.currency_code,
  };
  switch (authorization.status) {
    case 'CREATED':
      return { ...bare(held), status: 'authorized' };
    // PayPal looks at the payer first, for a day at most.
    case 'PENDING':
      return { ...bare(held), status: 'processing', askAgainInSeconds: HOUR_SECONDS };
    case 'DENIED':
      return declinedCharge(held, { code: DENIED.code, refusal: DENIED });
    case 'VOIDED':
      return voidedCharge(held);
    case 'CAPTURED':
    case 'PARTIALLY_CAPTURED':
      return null;
    default:
      throw new OutcomeUnknown(`PayPal answered with a reservation that is ${authorization.status}.`);
  }
}

/** What PayPal decided. A code that is not here, or none, is never read as won. */
const OUTCOMES: Readonly<Record<string, DisputeStatus>> = {
  RESOLVED_BUYER_FAVOUR: 'lost',
  RESOLVED_SELLER_FAVOUR: 'won',
  // PayPal paid the player from its own pocket: the studio keeps the money.
  RESOLVED_WITH_PAYOUT: 'won',
  CANCELED_BY_BUYER: 'won',
  ACCEPTED: 'lost',
};

const OPEN_STATUSES: readonly string[] = [
  'OPEN',
  'WAITING_FOR_BUYER_RESPONSE',
  'WAITING_FOR_SELLER_RESPONSE',
  'UNDER_REVIEW',
];

const STAGES: Readonly<Record<string, DisputeStatus>> = {
  INQUIRY: 'inquiry',
  CHARGEBACK: 'open',
  PRE_ARBITRATION: 'open',
  ARBITRATION: 'open',
};

function disputeStatus({ status = '', dispute_life_cycle_stage: stage = '', dispute_outcome: outcome }: PaypalDispute) {
  if (status === 'RESOLVED') return OUTCOMES[outcome?.outcome_code ?? ''] ?? 'unclear';
  return OPEN_STATUSES.includes(status) ? (STAGES[stage] ?? 'unclear') : 'unclear';
}

/** A payment can be disputed more than once. What was lost stays lost; what is unclear or open is waited for. */
const WORST_FIRST: readonly DisputeStatus[] = ['lost', 'unclear', 'open', 'inquiry', 'won'];

/** PayPal offers the way by a link, and only while it waits for the seller. */
const asksSeller = ({ status, links = [] }: PaypalDispute): boolean =>
  status === 'WAITING_FOR_SELLER_RESPONSE' && links.some(({ href }) => href.endsWith('/provide-evidence'));

export function evidenceStageOf(dispute: PaypalDispute): EvidenceStage {
  if (asksSeller(dispute)) return 'needed';
  return dispute.evidences?.some(({ source }) => source === 'SUBMITTED_BY_SELLER') ? 'submitted' : 'closed';
}

export function disputeOf(disputes: readonly PaypalDispute[]): Dispute | null {
  for (const wanted of WORST_FIRST) {
    const found = disputes.find(dispute => disputeStatus(dispute) === wanted);
    if (!found) continue;
    const { reason = 'OTHER', seller_response_due_date: due } = found;
    return {
      status: wanted,
      reason: reason.toLowerCase(),
      evidenceDueAt: due === undefined ? null : new Date(due),
      networkCode: found.external_reason_code ?? null,
      evidenceStage: evidenceStageOf(found),
    };
  }
  return null;
}

export const hasFailed = ({ status }: PaypalRefund): boolean => status === 'FAILED' || status === 'CANCELLED';

/** Why a refund did not arrive. PayPal names no reason with it. */
export function refusalOfRefund({ status }: PaypalRefund): Refusal {
  return {
    whose: status === 'FAILED' ? 'bank' : 'shop',
    code: `REFUND_${status}`,
    reason:
      status === 'FAILED'
        ? 'PayPal could not return the money. Look at the refund there, then refund again.'
        : 'The refund was canceled at PayPal.',
    param: null,
    requestId: null,
    isFinal: false,
  };
}

export interface CaptureFacts {
  capture: PaypalCapture;
  /** The newest refund that we asked for. */
  refund: PaypalRefund | null;
  /** All that PayPal lists, ours and what a person returned there; null: it does not list them any more. */
  refunds: readonly PaypalRefund[] | null;
  disputes: readonly PaypalDispute[];
}

function returnedMinor({ capture, refunds }: CaptureFacts): number {
  if (capture.status === 'REFUNDED') return fromPaypalMoney(capture.amount);
  if (capture.status !== 'PARTIALLY_REFUNDED') return 0;
  const done = (refunds ?? []).filter(({ status, amount }) => status === 'COMPLETED' && amount !== undefined);
  // PayPal says that it is a part; where it does not list how much, the least that a part can be is told.
  return Math.max(
    1,
    done.reduce((sum, { amount }) => sum + fromPaypalMoney(amount!), 0),
  );
}

const UNDECIDED: readonly DisputeStatus[] = ['inquiry', 'open', 'unclear'];

function capturedStatus({ capture, refund }: CaptureFacts): 'captured' | 'refunded' {
  if (capture.status === 'REFUNDED') return refund?.status === 'PENDING' ? 'captured' : 'refunded';
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
  const dispute = disputeOf(seen.disputes);
  const isRefundPending = refund?.status === 'PENDING';
  const fee = capture.seller_receivable_breakdown?.paypal_fee;
  const failure = refund && hasFailed(refund) && capture.status === 'COMPLETED' ? refusalOfRefund(refund) : null;
  const isOpen = dispute !== null && UNDECIDED.includes(dispute.status);
  return {
    ...bare({ ...facts, currency, amountMinor: fromPaypalMoney(capture.amount) }),
    status,
    dispute,
    askAgainInSeconds: isOpen
      ? OPEN_DISPUTE_SECONDS
      : isRefundPending && status === 'captured'
        ? PENDING_REFUND_SECONDS
        : null,
    fee: fee ? { amountMinor: fromPaypalMoney(fee), currency: fee.currency_code } : null,
    refundedMinor: returnedMinor(seen),
    refundFailure: failure && { reason: failure.reason, code: failure.code },
  };
}

/** Found here, before PayPal was asked, or in our own words: never the bank's. */
export const ours = (code: keyof typeof SHOP_PROBLEMS, more: Partial<Refusal> = {}): No => ({
  code,
  refusal: { whose: 'shop', code, reason: SHOP_PROBLEMS[code], param: null, requestId: null, isFinal: true, ...more },
});
