import type { DifferenceKind, OrderStatus, PaymentStatus, ReconciliationVerdict } from '@coinslot/contract';
import { type Payment, paymentIs } from '../payment/payment.ts';
import type { Charge, Dispute } from '../payment/providers/base/charge-shape.ts';
import { type ProviderState, providerStateOf } from '../purchase/table/provider-state.ts';
import { agreementFor } from '../purchase/table/purchase-rules.ts';

export interface OurPurchase {
  orderStatus: OrderStatus;
  grantedAt: Date | null;
  paidAt: Date | null;
  status: PaymentStatus;
  problem: Payment['problem'];
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

/** A dispute moves nothing where the money went back before it, but it costs money all the same. Null: all are recorded as they are. */
export function disputeDifferenceOf(
  recorded: readonly Pick<Dispute, 'id' | 'status' | 'amountMinor'>[],
  { disputes }: Pick<Charge, 'disputes'>,
): DifferenceKind | null {
  const kinds = disputes.map(({ id, status, amountMinor }): DifferenceKind | null => {
    const ours = recorded.find(one => one.id === id);
    if (!ours) return 'dispute_missing_here';
    return ours.status === status && ours.amountMinor === amountMinor ? null : 'dispute_differs';
  });
  return kinds.find(kind => kind !== null) ?? null;
}

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
