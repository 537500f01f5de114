import type Stripe from 'stripe';
import type { Dispute, DisputeStatus, EvidenceStage, Fee } from '../base/charge-shape.ts';
import { fromStripeAmount } from './stripe-amount.ts';

/** Stripe's words, each with ours. A word that is not here yet is never read as won. */
const DISPUTE_STATUSES: Readonly<Record<string, DisputeStatus>> = {
  warning_needs_response: 'inquiry',
  warning_under_review: 'inquiry',
  warning_closed: 'won',
  needs_response: 'open',
  under_review: 'open',
  won: 'won',
  lost: 'lost',
  prevented: 'prevented',
};

const disputeStatus = ({ status }: Stripe.Dispute): DisputeStatus => {
  const known = DISPUTE_STATUSES[status];
  if (known) return known;
  return status.startsWith('appeal_') ? 'open' : 'unclear';
};

/** Zero or null: this bank takes no evidence. */
const dueByOf = ({ evidence_details: details }: Stripe.Dispute): number | null => details?.due_by || null;

const NEEDING: readonly string[] = ['needs_response', 'warning_needs_response', 'appeal_needs_response'];

/** An inquiry that was answered and then became a chargeback needs an answer again. */
function evidenceStageOf(dispute: Stripe.Dispute): EvidenceStage {
  if (NEEDING.includes(dispute.status) && dueByOf(dispute) !== null) return 'needed';
  return (dispute.evidence_details?.submission_count ?? 0) > 0 ? 'submitted' : 'closed';
}

/** What Stripe kept for itself; it may give the fee of a won dispute back. */
function disputeFee({ balance_transactions: booked }: Stripe.Dispute): Fee | null {
  const [first] = booked;
  if (!first) return null;
  const currency = first.currency.toUpperCase();
  // Rounded one by one, as the balance has them.
  return { amountMinor: booked.reduce((sum, entry) => sum + fromStripeAmount(entry.fee, currency), 0), currency };
}

export function disputeOf(dispute: Stripe.Dispute): Dispute {
  const dueBy = dueByOf(dispute);
  const currency = dispute.currency.toUpperCase();
  return {
    id: dispute.id,
    amountMinor: fromStripeAmount(dispute.amount, currency),
    currency,
    fee: disputeFee(dispute),
    status: disputeStatus(dispute),
    reason: dispute.reason,
    evidenceDueAt: dueBy === null ? null : new Date(dueBy * 1000),
    networkCode: dispute.payment_method_details?.card?.network_reason_code ?? dispute.network_reason_code ?? null,
    evidenceStage: evidenceStageOf(dispute),
  };
}
