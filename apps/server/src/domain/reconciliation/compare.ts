import type { DifferenceKind, PaymentStatus } from '@coinslot/contract';
import type { Charge, ChargeStatus, DisputeStatus } from '../payment/gateways/gateway.ts';

export interface OurPayment {
  status: PaymentStatus;
  amountMinor: number;
  currency: string;
}

/** What our record may say while the provider says the other. Everything else is a difference. */
const FITTING: Readonly<Record<ChargeStatus, readonly PaymentStatus[]>> = {
  requires_action: ['pending', 'requires_action'],
  processing: ['pending', 'requires_action'],
  authorized: ['authorized', 'refund_requested'],
  captured: ['authorized', 'succeeded', 'refund_requested', 'disputed', 'charged_back'],
  declined: ['declined', 'abandoned'],
  voided: ['voided', 'abandoned', 'declined'],
  refunded: ['refunded', 'abandoned', 'declined'],
};

const HOLDING: readonly ChargeStatus[] = ['authorized', 'captured', 'refunded'];

/** Statuses in which we count on money, or did. */
export const MONEY_STATUSES: readonly PaymentStatus[] = [
  'authorized',
  'succeeded',
  'refund_requested',
  'refunded',
  'disputed',
  'charged_back',
];

// A dispute after a refund is recorded and moves nothing.
const DISPUTED: readonly PaymentStatus[] = ['disputed', 'refunded', 'refund_requested'];

const FITTING_DISPUTE: Readonly<Record<DisputeStatus, readonly PaymentStatus[]>> = {
  inquiry: DISPUTED,
  open: DISPUTED,
  unclear: DISPUTED,
  won: ['succeeded', 'refund_requested', 'refunded'],
  lost: ['charged_back', 'refunded'],
};

function disputeDifference({ status }: OurPayment, { dispute }: Charge): DifferenceKind | null {
  if (!dispute) return status === 'disputed' || status === 'charged_back' ? 'dispute_differs' : null;
  if (FITTING_DISPUTE[dispute.status].includes(status)) return null;
  return status === 'disputed' || status === 'charged_back' ? 'dispute_differs' : 'dispute_missing_here';
}

/** Null: both say the same. `null` for the provider means that it has never heard of the payment. */
export function differenceOf(ours: OurPayment, charge: Charge | null): DifferenceKind | null {
  if (!charge) return MONEY_STATUSES.includes(ours.status) ? 'missing_there' : null;
  if (HOLDING.includes(charge.status)) {
    if (charge.currency !== ours.currency) return 'currency_differs';
    if (charge.amountMinor !== ours.amountMinor) return 'amount_differs';
  }
  if (charge.status === 'captured') {
    const dispute = disputeDifference(ours, charge);
    if (dispute) return dispute;
    if (ours.status === 'refunded') return 'refund_missing_there';
    const returned = charge.refundedMinor ?? 0;
    if (returned > 0 && returned < charge.amountMinor) return 'partial_refund';
  }
  if (FITTING[charge.status].includes(ours.status)) return null;
  return charge.status === 'refunded' ? 'refund_missing_here' : 'status_differs';
}

export const SUMMARIES: Readonly<Record<DifferenceKind, string>> = {
  missing_here: 'The provider has a payment of ours that is not in our record.',
  missing_there: 'Our record has a payment that the provider does not know.',
  amount_differs: 'The provider and our record have different amounts.',
  currency_differs: 'The provider and our record have different currencies.',
  status_differs: 'The provider and our record disagree about where the payment stands.',
  refund_missing_here: 'The provider returned the money, and our record says that it was not.',
  refund_missing_there: 'Our record says that the money was returned, and the provider still holds it.',
  partial_refund: 'A part of the money was returned at the provider. Orders are refunded whole or not at all.',
  dispute_missing_here: 'A bank disputes a payment that is not disputed in our record.',
  dispute_differs: 'The provider and our record disagree about how a dispute stands.',
};

export const WHAT_TO_DO: Readonly<Record<DifferenceKind, string>> = {
  missing_here:
    'Was the database restored from a backup? Look the payment up at the provider by its metadata, then refund it there or grant the items by hand.',
  missing_there:
    'Check that the right account is connected. If the provider really has no such payment, the items were given without money: take them back in the game.',
  amount_differs: 'Open the payment and decide: accept what the provider holds, or refund it.',
  currency_differs: 'Open the payment and decide: accept what the provider holds, or refund it.',
  status_differs:
    'It was asked again and stays different. Open the payment; if it is held for review, decide about it.',
  refund_missing_here: 'Open the order: if it is not refunded by now, refund it. No money moves twice.',
  refund_missing_there: 'Refund the payment at the provider, or ask its support why the refund is missing.',
  partial_refund:
    'Refund the rest at the provider, which refunds the order; or agree with the player and resolve this.',
  dispute_missing_here: 'Answer the dispute at the provider before its deadline.',
  dispute_differs: 'Look at the dispute at the provider; its word counts. Take the items back if it was lost.',
};
