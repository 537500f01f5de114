import type { Dispute, DisputeStatus, EvidenceStage, Fee } from '../base/charge-shape.ts';
import { UNREADABLE_DISPUTE } from '../base/charges.ts';
import { feeIn, fromPaypalMoney } from './wire/paypal-amount.ts';
import type { PaypalCapture, PaypalDispute, PaypalMoney } from './wire/paypal-objects.ts';

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

/** PayPal offers the way by a link, and only while it waits for the seller. */
const asksSeller = ({ status, links = [] }: PaypalDispute): boolean =>
  status === 'WAITING_FOR_SELLER_RESPONSE' && links.some(({ href }) => href.endsWith('/provide-evidence'));

function evidenceStageOf(dispute: PaypalDispute): EvidenceStage {
  if (asksSeller(dispute)) return 'needed';
  return dispute.evidences?.some(({ source }) => source === 'SUBMITTED_BY_SELLER') ? 'submitted' : 'closed';
}

const amountIn = (money: PaypalMoney | undefined) =>
  money ? { amountMinor: fromPaypalMoney(money), currency: money.currency_code } : { amountMinor: 0, currency: '' };

/** What PayPal took from the seller beside the money in question; null: nothing yet. */
function disputeFee({ money_movements: moved = [] }: PaypalDispute): Fee | null {
  const fees = moved.filter(({ affected_party: of, reason }) => of === 'SELLER' && reason?.endsWith('_FEE'));
  const currency = fees[0]?.amount?.currency_code;
  if (currency === undefined) return null;
  const signed = fees.map(({ amount, type }) => (feeIn(amount)?.amountMinor ?? 0) * (type === 'CREDIT' ? -1 : 1));
  return { amountMinor: signed.reduce((sum, one) => sum + one, 0), currency };
}

/** A dispute that PayPal gives no amount for is about the whole capture. */
export const disputeOf = (dispute: PaypalDispute, capture: PaypalCapture | null): Dispute => ({
  id: dispute.dispute_id,
  ...amountIn(dispute.dispute_amount ?? (dispute.dispute_id === UNREADABLE_DISPUTE ? undefined : capture?.amount)),
  fee: disputeFee(dispute),
  status: disputeStatus(dispute),
  reason: (dispute.reason ?? 'OTHER').toLowerCase(),
  evidenceDueAt: dispute.seller_response_due_date === undefined ? null : new Date(dispute.seller_response_due_date),
  networkCode: dispute.external_reason_code ?? null,
  evidenceStage: evidenceStageOf(dispute),
});
