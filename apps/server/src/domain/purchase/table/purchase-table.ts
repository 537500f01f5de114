import type { AttentionCode, PaymentStatus } from '@coinslot/contract';
import { type OrderCommand, type OrderPhase, phaseOf } from '../../order/order.ts';
import type { PaymentCommand } from '../../payment/payment.ts';
import type { Charge, ChargeStatus } from '../../payment/providers/base/gateway.ts';
import type { Purchase } from '../engine/purchase.ts';

/** What to ask of the provider now. The process that began and the worker that takes over read it from the same rows. */
export type NextStep = 'look_up' | 'capture' | 'void_or_refund' | 'none';

/** What must change here; commands of one step are decided together. */
export type Step = { order?: OrderCommand; payment?: PaymentCommand };

/** What the provider holds: the charge's status, and for captured money what its bank says about it. */
export type Held =
  | 'absent'
  | ChargeStatus
  /** A refund was said to have arrived, and then the bank did not take it: the money is here. */
  | 'refund_failed'
  | 'inquiry'
  | 'disputed'
  | 'dispute_unclear'
  | 'dispute_won'
  | 'dispute_lost'
  | 'refunded_and_lost';

/** `stray`: given up here, but the provider holds money for it all the same. */
export type PaymentPhase = PaymentStatus | 'stray';

export type News = Readonly<Record<Held, readonly Step[]>>;

export interface Row {
  /** What is asked of the provider when the payment's date comes. */
  ask: NextStep;
  /**
   * Seconds until a worker asks if nothing else moves the purchase. `delivery`: the date is that of the delivery which asks
   * the game. `final`: nothing is left to do here; the provider may still name a date of its own.
   */
  check: number | 'delivery' | 'final';
  /** Whether a date that the provider names takes the place of ours. */
  takesDate: boolean;
  /** What an answer of the provider changes. */
  news: News;
  /** What a studio member should look at while the provider holds this. */
  needs?: Readonly<Partial<Record<Held, AttentionCode>>>;
}

/** A process that works on a payment holds it this long; then a worker goes on from the row. */
export const LEASE_SECONDS = 45;
/** How long a player may take for the bank's challenge. */
export const CHALLENGE_SECONDS = 15 * 60;
/** How often an open dispute is asked about where the provider names no date. */
const DISPUTE_SECONDS = 86_400;
/** When the provider is asked again for a step that it refused for a cause that can pass. A reservation does not wait long. */
const CAPTURE_AGAIN_SECONDS = 3_600;
const REFUND_AGAIN_SECONDS = 6 * 3_600;

export const RESERVE: readonly Step[] = [{ payment: 'authorize', order: 'authorize' }];
const ABANDON: readonly Step[] = [{ payment: 'abandon', order: 'reopen' }];
const CAPTURE: Step = { payment: 'capture', order: 'capture' };
const OPEN_DISPUTE: Step = { payment: 'open_dispute', order: 'open_dispute' };
const WIN_DISPUTE: Step = { payment: 'win_dispute', order: 'win_dispute' };
const LOSE_DISPUTE: Step = { payment: 'lose_dispute', order: 'lose_dispute' };
const RETURN: readonly Step[] = [
  { payment: 'request_refund', order: 'request_refund' },
  { payment: 'refund', order: 'complete_refund' },
];
/** Captured before the game said no, then returned: the order is over already. */
const RETURN_REJECTED: readonly Step[] = [{ payment: 'capture' }, { payment: 'request_refund' }, { payment: 'refund' }];

const LOSE_REJECTED: readonly Step[] = [{ payment: 'open_dispute' }, { payment: 'lose_dispute' }];

const NOTHING: News = {
  absent: [],
  requires_action: [],
  processing: [],
  authorized: [],
  captured: [],
  refund_failed: [],
  inquiry: [],
  disputed: [],
  dispute_unclear: [],
  dispute_won: [],
  dispute_lost: [],
  declined: [],
  voided: [],
  refunded: [],
  refunded_and_lost: [],
};

export const HELD = Object.keys(NOTHING) as Held[];

/** Returned to the payer, with or without the bank's own verdict. */
const returned = (steps: readonly Step[]) => ({ refunded: steps, refunded_and_lost: steps });
const captured = (steps: readonly Step[]) => ({
  captured: steps,
  refund_failed: steps,
  inquiry: steps,
  disputed: steps,
  dispute_unclear: steps,
  dispute_won: steps,
  dispute_lost: steps,
});

const UNDECIDED: News = {
  ...NOTHING,
  absent: ABANDON,
  authorized: RESERVE,
  ...captured(RESERVE),
  declined: [{ payment: 'decline', order: 'reopen' }],
  voided: ABANDON,
  ...returned(ABANDON),
};

/** The bank asks or disputes. A status that is not known here counts as a dispute, and never as won. */
const questioned = (steps: readonly Step[]) => ({ inquiry: steps, disputed: steps, dispute_unclear: steps });

const QUESTIONS = {
  inquiry: 'dispute_open',
  disputed: 'dispute_open',
  dispute_unclear: 'dispute_unclear',
} as const satisfies Row['needs'];

/** Ended or returned at the provider while we counted on it: without money there is no sale. */
const RESERVED: News = { ...NOTHING, voided: [{ payment: 'void', order: 'reject' }], ...returned(RETURN) };

const OVER = { ask: 'none', check: 'final', takesDate: false, news: NOTHING } as const satisfies Row;

const REFUSE_REFUND: Step = { payment: 'refuse_refund', order: 'refuse_refund' };

const REFUND_DUE: News = {
  ...NOTHING,
  voided: [{ payment: 'void', order: 'complete_refund' }],
  ...returned([{ payment: 'refund', order: 'complete_refund' }]),
};

const RETURNED: Row = {
  ask: 'look_up',
  check: 'final',
  takesDate: true,
  news: { ...NOTHING, refund_failed: [{ payment: 'fail_refund', order: 'fail_refund' }] },
};

/** The order and its live payment, as `order phase / payment status`. */
const LIVE = {
  'pending/pending': {
    ask: 'look_up',
    check: LEASE_SECONDS,
    takesDate: true,
    news: { ...UNDECIDED, requires_action: [{ payment: 'require_action' }] },
  },
  'pending/requires_action': { ask: 'look_up', check: CHALLENGE_SECONDS, takesDate: true, news: UNDECIDED },
  'authorized/authorized': { ask: 'none', check: 'delivery', takesDate: false, news: RESERVED },
  'granted/authorized': {
    ask: 'capture',
    check: LEASE_SECONDS,
    takesDate: false,
    news: {
      ...RESERVED,
      ...captured([CAPTURE]),
      // The answer to a capture may come so late that the bank has had its say already.
      ...questioned([CAPTURE, OPEN_DISPUTE]),
      dispute_lost: [CAPTURE, OPEN_DISPUTE, LOSE_DISPUTE],
    },
  },
  'rejected/authorized': {
    ask: 'void_or_refund',
    check: LEASE_SECONDS,
    takesDate: true,
    news: {
      ...NOTHING,
      voided: [{ payment: 'void' }],
      // Captured at once, and charged back before the game's no was heard.
      dispute_lost: [{ payment: 'capture' }, ...LOSE_REJECTED],
      ...returned(RETURN_REJECTED),
    },
  },
  'paid/succeeded': {
    ask: 'look_up',
    check: 'final',
    takesDate: true,
    news: {
      ...NOTHING,
      ...questioned([OPEN_DISPUTE]),
      dispute_lost: [OPEN_DISPUTE, LOSE_DISPUTE],
      ...returned(RETURN),
    },
  },
  // Captured by a method that cannot reserve, refused by the game, and the provider did not take the refund.
  'rejected/succeeded': {
    ask: 'void_or_refund',
    check: REFUND_AGAIN_SECONDS,
    takesDate: true,
    news: {
      ...NOTHING,
      dispute_lost: LOSE_REJECTED,
      ...returned([{ payment: 'request_refund' }, { payment: 'refund' }]),
    },
  },
  'refund_requested/refund_requested': {
    ask: 'void_or_refund',
    check: LEASE_SECONDS,
    takesDate: true,
    news: {
      ...REFUND_DUE,
      // The bank was quicker than the refund.
      disputed: [REFUSE_REFUND, OPEN_DISPUTE],
      dispute_unclear: [REFUSE_REFUND, OPEN_DISPUTE],
      dispute_lost: [REFUSE_REFUND, OPEN_DISPUTE, LOSE_DISPUTE],
    },
  },
  'called_off/refund_requested': {
    ask: 'void_or_refund',
    check: LEASE_SECONDS,
    takesDate: true,
    news: { ...REFUND_DUE, dispute_lost: [REFUSE_REFUND, ...LOSE_REJECTED] },
  },
  'disputed/disputed': {
    ask: 'look_up',
    check: DISPUTE_SECONDS,
    takesDate: true,
    news: {
      ...NOTHING,
      dispute_won: [WIN_DISPUTE],
      dispute_lost: [LOSE_DISPUTE],
      // A refund is how a studio settles with a bank that only asked.
      refunded: [WIN_DISPUTE, ...RETURN],
      refunded_and_lost: [LOSE_DISPUTE],
    },
    needs: QUESTIONS,
  },
  // A bank may still dispute what was returned. It moves nothing here, but it is recorded.
  'refunded/refunded': RETURNED,
  'returned/refunded': RETURNED,
  'rejected/refunded': {
    ask: 'look_up',
    check: 'final',
    takesDate: true,
    news: { ...NOTHING, refund_failed: [{ payment: 'fail_refund' }] },
  },
  'rejected/voided': OVER,
  'refunded/voided': OVER,
  'returned/voided': OVER,
  'charged_back/charged_back': OVER,
  'rejected/charged_back': OVER,
} as const satisfies Partial<Record<`${OrderPhase}/${PaymentPhase}`, Row>>;

/** An attempt that is over says nothing about its order, which may be in any phase by the next attempt. */
const ENDED: Partial<Record<PaymentPhase, Row>> = {
  declined: OVER,
  abandoned: OVER,
  stray: { ask: 'void_or_refund', check: LEASE_SECONDS, takesDate: true, news: NOTHING },
};

/** Null: this pair cannot be. If a record says so all the same, it contradicts itself, and a person must look at it. */
export const rowFor = (order: OrderPhase, payment: PaymentPhase): Row | null =>
  ENDED[payment] ?? (LIVE as Partial<Record<string, Row>>)[`${order}/${payment}`] ?? null;

const GIVEN_UP: readonly PaymentStatus[] = ['declined', 'abandoned'];

export const isGivenUp = (status: PaymentStatus): boolean => GIVEN_UP.includes(status);

const paymentPhaseOf = ({ status, problem }: Purchase['payment']): PaymentPhase =>
  isGivenUp(status) && problem !== null ? 'stray' : status;

/** What a member settled elsewhere rests: nothing is asked for it, but what the provider says of it still counts. */
function rowOf({ order, payment }: Purchase): Row | null {
  const row = rowFor(phaseOf(order), paymentPhaseOf(payment));
  if (payment.settledAt === null) return row;
  return { ask: 'none', check: 'final', takesDate: false, news: row?.news ?? NOTHING };
}

export function heldBy(charge: Charge | 'absent'): Held {
  if (charge === 'absent') return 'absent';
  if (charge.status === 'refunded') return charge.dispute?.status === 'lost' ? 'refunded_and_lost' : 'refunded';
  if (charge.status !== 'captured') return charge.status;
  switch (charge.dispute?.status) {
    case undefined:
      return charge.refundFailure ? 'refund_failed' : 'captured';
    case 'open':
      return 'disputed';
    case 'inquiry':
      return 'inquiry';
    case 'unclear':
    case 'won':
    case 'lost':
      return `dispute_${charge.dispute.status}`;
  }
}

/** What a studio member should look at, by the table alone. */
export const attentionFor = (purchase: Purchase, charge: Charge | 'absent'): AttentionCode | null =>
  rowOf(purchase)?.needs?.[heldBy(charge)] ?? null;

/**
 * From what the provider holds to what must change here: the same for every caller, however often it asks. Null: see `rowFor`.
 * A refund that failed comes before what the bank has said since: first the money is here again, then it is questioned.
 */
export function stepsFor(purchase: Purchase, charge: Charge | 'absent'): readonly Step[] | null {
  const news = rowOf(purchase)?.news;
  const hasFailed = charge !== 'absent' && charge.status === 'captured' && Boolean(charge.refundFailure);
  return (hasFailed && news?.refund_failed.length ? news.refund_failed : news?.[heldBy(charge)]) ?? null;
}

export const nextStep = (purchase: Purchase): NextStep => rowOf(purchase)?.ask ?? 'none';

const AGAIN_SECONDS: Partial<Record<AttentionCode, number>> = {
  capture_refused: CAPTURE_AGAIN_SECONDS,
  refund_refused: REFUND_AGAIN_SECONDS,
  provider_error: REFUND_AGAIN_SECONDS,
};

/** When a worker must look at the payment again if nothing else moves it; null: never. */
export function nextCheckInSeconds(purchase: Purchase, charge: Charge | 'absent' | null): number | null {
  const row = rowOf(purchase);
  const { attention } = purchase.payment;
  if (!row || attention?.isFinal) return null;
  const named = row.takesDate && charge && charge !== 'absent' ? charge.askAgainInSeconds : null;
  const again = attention ? AGAIN_SECONDS[attention.code] : undefined;
  return named ?? (typeof row.check === 'number' ? (again ?? row.check) : null);
}
