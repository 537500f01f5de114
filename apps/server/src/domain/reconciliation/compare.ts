import type { DifferenceKind, OrderStatus, PaymentStatus, ReconciliationVerdict } from '@coinslot/contract';
import { paymentIs } from '../payment/payment.ts';
import type { Charge } from '../payment/providers/base/gateway.ts';
import { type ProviderState, providerStateOf } from '../purchase/table/provider-state.ts';
import { agreementFor } from '../purchase/table/purchase-rules.ts';

export interface OurPurchase {
  orderStatus: OrderStatus;
  grantedAt: Date | null;
  paidAt: Date | null;
  status: PaymentStatus;
  problem: string | null;
  /** When a member settled it elsewhere. */
  settledAt: Date | null;
  amountMinor: number;
  currency: string;
  /** Since the last step of the payment. */
  ageSeconds: number;
}

interface Meaning {
  kind: DifferenceKind;
  /** Where our record says that the money was returned. */
  ofRefunded?: DifferenceKind;
  /** Where our record says that a bank questions or has the money. */
  ofDisputed?: DifferenceKind;
  /** No money is there whose amount could differ. */
  isEmpty?: boolean;
}

const DISPUTE_DIFFERS = { ofDisputed: 'dispute_differs' } as const;
const NO_MONEY = { kind: 'status_differs', ...DISPUTE_DIFFERS, isEmpty: true } as const;
const STILL_THERE = { ofRefunded: 'refund_missing_there', ...DISPUTE_DIFFERS } as const;

/** What it means that the provider holds this, where the table says that it does not agree with our record. */
const MEANING: Readonly<Record<ProviderState, Meaning>> = {
  absent: { kind: 'missing_there', isEmpty: true },
  requires_action: NO_MONEY,
  processing: NO_MONEY,
  authorized: { kind: 'status_differs', ...STILL_THERE },
  captured: { kind: 'status_differs', ...STILL_THERE },
  refund_pending: { kind: 'refund_missing_here', ...STILL_THERE },
  refund_failed: { kind: 'refund_failed' },
  partly_refunded: { kind: 'partial_refund', ...STILL_THERE },
  inquiry: { kind: 'dispute_missing_here', ...DISPUTE_DIFFERS },
  disputed: { kind: 'dispute_missing_here', ...DISPUTE_DIFFERS },
  dispute_unclear: { kind: 'dispute_unclear' },
  dispute_won: { kind: 'status_differs', ...STILL_THERE },
  dispute_lost: { kind: 'dispute_missing_here', ...DISPUTE_DIFFERS },
  declined: NO_MONEY,
  voided: NO_MONEY,
  refunded: { kind: 'refund_missing_here' },
  refunded_and_lost: { kind: 'dispute_missing_here', ...DISPUTE_DIFFERS },
};

function kindOf(status: PaymentStatus, { kind, ofRefunded, ofDisputed }: Meaning): DifferenceKind {
  if (status === 'refunded') return ofRefunded ?? kind;
  return paymentIs(status, 'questioned') ? (ofDisputed ?? kind) : kind;
}

/** Null: both say the same. `null` for the provider means that it has never heard of the payment. */
export function differenceOf(ours: OurPurchase, charge: Charge | null): DifferenceKind | null {
  const state = providerStateOf(charge ?? 'absent');
  const meaning = MEANING[state];
  if (charge && !meaning.isEmpty) {
    if (charge.currency !== ours.currency) return 'currency_differs';
    if (charge.amountMinor !== ours.amountMinor) return 'amount_differs';
  }
  const { orderStatus, grantedAt, paidAt, ...payment } = ours;
  const agrees = agreementFor({ order: { status: orderStatus, grantedAt, paidAt }, payment });
  if (!agrees) return 'record_contradicts';
  const limit = agrees[state];
  if (limit === undefined) return kindOf(ours.status, meaning);
  return ours.ageSeconds <= limit ? null : 'overdue';
}

export const SUMMARIES: Readonly<Record<DifferenceKind, string>> = {
  missing_here: 'The provider has a payment of ours that is not in our record.',
  missing_there: 'Our record has a payment that the provider does not know.',
  amount_differs: 'The provider and our record have different amounts.',
  currency_differs: 'The provider and our record have different currencies.',
  status_differs: 'The provider and our record disagree about the state of the payment.',
  refund_missing_here: 'The provider returned the money, and our record says that it was not.',
  refund_missing_there: 'Our record says that the money was returned, and the provider still holds it.',
  refund_failed: 'A refund did not reach the player, and the provider holds the money again.',
  partial_refund: 'A part of the money was returned at the provider. Orders are refunded whole or not at all.',
  dispute_missing_here: 'A bank disputes a payment that is not disputed in our record.',
  dispute_differs: 'The provider and our record disagree about the state of a dispute.',
  dispute_unclear: 'The provider reports a dispute in a state that Coinslot does not know.',
  overdue: 'The provider and our record agree, but the next step should have happened long ago.',
  record_contradicts: 'In our record the order and its payment contradict each other.',
  books_differ: 'Our ledger and the provider’s balance have different sums for the payment.',
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
  refund_failed: 'Refund it again at the provider, or agree with the player on another way and resolve this.',
  partial_refund:
    'Refund the rest at the provider, which refunds the order; or agree with the player and resolve this.',
  dispute_missing_here: 'Answer the dispute at the provider before its deadline.',
  dispute_differs:
    'Look at the dispute at the provider, whose state counts. If it was lost, take the items back in the game.',
  dispute_unclear: 'Look at the dispute at the provider and follow what it asks for there.',
  overdue:
    'Open the payment and look at what was refused. Capture, void or refund it at the provider, then resolve this.',
  books_differ:
    'Compare both sides with the provider’s list of movements: a fee, a refund or a dispute is missing on one of them.',
  record_contradicts:
    'Open the order and compare it with the provider. Refund the payment if the items were not granted.',
};

/** Green only when at least one day was compared, none is left out, and nothing is open. */
export function verdictOf(facts: {
  comparedDays: number;
  failedDays: number;
  openDifferences: number;
}): ReconciliationVerdict {
  if (facts.openDifferences > 0) return 'differences';
  if (facts.failedDays > 0) return 'incomplete';
  return facts.comparedDays === 0 ? 'never_compared' : 'in_agreement';
}
