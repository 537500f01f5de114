import type { EventKind } from '@coinslot/contract';
import type { DisputeStatus } from '../payment/providers/base/charge-shape.ts';

export type LedgerAccount = 'player' | 'reserved' | 'balance' | 'fees' | 'disputed';

export type LedgerKind =
  | 'authorized'
  | 'released'
  | 'captured'
  | 'fee'
  | 'refunded'
  | 'refund_failed'
  | 'disputed'
  | 'dispute_won'
  | 'charged_back'
  | 'dispute_fee';

/** Of one posting: what leaves one account enters another. */
export interface Posting {
  environmentId: string;
  /** The ledger takes one posting of this name, so that a worker may post it again. */
  postingId: string;
  paymentId: string;
  kind: LedgerKind;
  from: LedgerAccount;
  to: LedgerAccount;
  amountMinor: number;
  currency: string;
  occurredAt: Date;
}

/** Where money goes when something happens to a payment. */
export const MOVES = {
  authorized: { from: 'player', to: 'reserved' },
  released: { from: 'reserved', to: 'player' },
  captured: { from: 'reserved', to: 'balance' },
  fee: { from: 'balance', to: 'fees' },
  refunded: { from: 'balance', to: 'player' },
  // The bank did not take it: the money is back on our balance.
  refund_failed: { from: 'player', to: 'balance' },
  disputed: { from: 'balance', to: 'disputed' },
  dispute_won: { from: 'disputed', to: 'balance' },
  charged_back: { from: 'disputed', to: 'player' },
  dispute_fee: { from: 'balance', to: 'fees' },
} as const satisfies Record<LedgerKind, { from: LedgerAccount; to: LedgerAccount }>;

const KIND_OF: Partial<Record<EventKind, LedgerKind>> = {
  'payment.attention': 'refund_failed',
  'payment.authorized': 'authorized',
  'payment.succeeded': 'captured',
  'payment.voided': 'released',
  'payment.refunded': 'refunded',
};

export const LEDGER_EVENTS = Object.keys(KIND_OF) as EventKind[];

export interface LedgerEvent {
  environmentId: string;
  id: string;
  type: EventKind;
  /** The payment as the event tells it. */
  data: {
    payment_id: string;
    amount: number;
    currency: string;
    /** A part that went back at the provider itself. */
    refunded_amount?: number | null;
    attention?: { code: string } | null;
  };
  createdAt: Date;
}

/** What the ledger has of a payment before the event. */
export interface PostedPayment {
  /** The payment's money had reached the balance. */
  isCaptured: boolean;
  /** What went back to the payer. */
  refundedMinor: number;
}

const MOVED: readonly (string | undefined)[] = ['refund_failed', 'amount_differs'];

/**
 * Of all that needs attention, only a refund that failed and a part that was refunded at the provider have moved money: what is
 * missing between what was posted as returned and what has gone back.
 */
function attentionMove({ data }: LedgerEvent, refundedMinor: number): [LedgerKind, amountMinor: number] | null {
  if (!MOVED.includes(data.attention?.code)) return null;
  const moved = (data.refunded_amount ?? 0) - refundedMinor;
  return [moved < 0 ? 'refund_failed' : 'refunded', Math.abs(moved)];
}

function moveOf(event: LedgerEvent, refundedMinor: number): [LedgerKind, amountMinor: number] | null {
  const kind = KIND_OF[event.type];
  if (!kind) return null;
  if (event.type === 'payment.attention') return attentionMove(event, refundedMinor);
  // A part may have gone back before.
  return [kind, event.data.amount - (kind === 'refunded' ? refundedMinor : 0)];
}

/** Null if the event moved no money. */
export function postingFor(event: LedgerEvent, { isCaptured, refundedMinor }: PostedPayment): Posting | null {
  const [kind, amountMinor] = moveOf(event, refundedMinor) ?? [];
  if (kind === undefined || amountMinor === undefined || amountMinor <= 0) return null;
  const { payment_id: paymentId, currency } = event.data;
  // Captured and returned at the provider before the game had answered: it never counted as ours.
  const from = kind === 'refunded' && !isCaptured ? 'reserved' : MOVES[kind].from;
  const { environmentId, id: postingId, createdAt: occurredAt } = event;
  return { environmentId, postingId, paymentId, kind, from, to: MOVES[kind].to, amountMinor, currency, occurredAt };
}

/** What is questioned, and where its money is to be: the record of a dispute decides, whatever the payment's own status. */
export interface LedgerDispute {
  environmentId: string;
  paymentId: string;
  id: string;
  status: DisputeStatus;
  amountMinor: number;
  /** What was paid. */
  paidMinor: number;
  currency: string;
  feeMinor: number | null;
  feeCurrency: string | null;
  version: number;
  occurredAt: Date;
  isLive: boolean;
}

/** Where a dispute's money is by the ledger now. */
export interface PostedDispute {
  disputedMinor: number;
  lostMinor: number;
  feeMinor: number;
}

/** An inquiry has moved nothing. */
const IN_QUESTION: readonly DisputeStatus[] = ['open', 'unclear'];

/**
 * A dispute that was prevented in full is posted as a refund. For a part of the amount, only the dispute says that money went
 * back.
 */
const isTaken = ({ status, amountMinor, paidMinor }: LedgerDispute): boolean =>
  status === 'lost' || (status === 'prevented' && amountMinor < paidMinor);

/** The postings that bring the ledger to where the dispute stands. Once they are posted, the same dispute yields none. */
export function disputePostings(dispute: LedgerDispute, posted: PostedDispute): Posting[] {
  const { environmentId, paymentId, id, status, amountMinor, currency, version, occurredAt } = dispute;
  const disputed = IN_QUESTION.includes(status) ? amountMinor : 0;
  const lost = isTaken(dispute) ? amountMinor : 0;
  const post = (kind: LedgerKind, amount: number, of = currency): Posting[] => {
    // A negative amount moves in the opposite direction.
    const { from, to } = amount < 0 ? { from: MOVES[kind].to, to: MOVES[kind].from } : MOVES[kind];
    const about = { environmentId, postingId: `${id}:${version}:${kind}`, paymentId, kind, from, to, occurredAt };
    return amount === 0 ? [] : [{ ...about, amountMinor: Math.abs(amount), currency: of }];
  };
  const taken = disputed + lost - posted.disputedMinor - posted.lostMinor;
  return [
    ...post(taken < 0 ? 'dispute_won' : 'disputed', Math.abs(taken)),
    ...post('charged_back', lost - posted.lostMinor),
    ...(dispute.feeCurrency ? post('dispute_fee', (dispute.feeMinor ?? 0) - posted.feeMinor, dispute.feeCurrency) : []),
  ];
}
