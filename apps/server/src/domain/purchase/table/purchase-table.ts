import type { PaymentStatus } from '@coinslot/contract';
import type { OrderCommand, OrderPhase, OrderPhaseName } from '../../order/order.ts';
import type { PaymentCommand } from '../../payment/payment.ts';
import type { ProviderState } from './provider-state.ts';

/** What to ask of the provider now. The process that began and the worker that takes over read it from the same rows. */
export type ProviderAction = 'look_up' | 'capture' | 'void_or_refund' | 'none';

/** What must change here; commands of one step are decided together. */
export type Step = { order?: OrderCommand; payment?: PaymentCommand };

/** How tables and texts call a phase. */
export type PaymentPhaseName = PaymentStatus | 'orphaned';

declare const paymentPhase: unique symbol;

/** `orphaned`: given up here, but the provider holds money for it all the same. A status is no phase; rows are found by phase. */
export type PaymentPhase = PaymentPhaseName & { readonly [paymentPhase]: true };

/** What each state of the provider changes here; a state that is not named changes nothing. */
export type Transitions = Readonly<Partial<Record<ProviderState, readonly Step[]>>>;

/** How many seconds after the last step of the payment this may still be so. What is not named never agrees. */
export type Agreement = Readonly<Partial<Record<ProviderState, number>>>;

export interface Row {
  nextAction: ProviderAction;
  /**
   * Seconds until a worker asks if nothing else moves the purchase. `delivery`: the date is that of the delivery which asks
   * the game. `final`: nothing is left to do here; the provider may still name a date of its own.
   */
  recheckAfter: number | 'delivery' | 'final';
  /** Whether a date that the provider names takes the place of ours. */
  usesProviderDate: boolean;
  transitions: Transitions;
  /** What the provider may hold while our record says this; the daily comparison calls everything else a difference. */
  agrees: Agreement;
}

/** A process that works on a payment holds it this long; then a worker goes on from the row. */
export const LEASE_SECONDS = 45;
export const CHALLENGE_SECONDS = 15 * 60;
/** How often an open dispute is asked about where the provider names no date. */
const DISPUTE_SECONDS = 86_400;
/** When the provider is asked again for a refund that it refused for a cause that can pass. */
export const REFUND_AGAIN_SECONDS = 6 * 3_600;

const HOUR = 3_600;
const DAY = 24 * HOUR;
/** Our own steps are repeated at most an hour apart; one that is not done by then is refused or forgotten. */
const SOON = 2 * HOUR;
const RESERVATION = 7 * DAY;
/** The longest that a voucher or a transfer is waited for, and that a bank takes for a refund. */
const SLOW = 30 * DAY;
const DISPUTE = 180 * DAY;
const ALWAYS = Number.POSITIVE_INFINITY;

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

/** Returned to the payer, with or without the bank's own verdict. */
const returned = (steps: readonly Step[]) => ({ refunded: steps, refunded_and_lost: steps });
const captured = (steps: readonly Step[]) => ({
  captured: steps,
  refund_pending: steps,
  refund_failed: steps,
  partly_refunded: steps,
  inquiry: steps,
  disputed: steps,
  dispute_unclear: steps,
  dispute_won: steps,
  dispute_lost: steps,
});

/** The bank asks or disputes. A status that is not known here counts as a dispute, and never as won. */
const questioned = (steps: readonly Step[]) => ({ inquiry: steps, disputed: steps, dispute_unclear: steps });

/** An attempt whose outcome is not known yet. */
const UNDECIDED = {
  nextAction: 'look_up',
  usesProviderDate: true,
  transitions: {
    absent: ABANDON,
    authorized: RESERVE,
    ...captured(RESERVE),
    declined: [{ payment: 'decline', order: 'reopen' }],
    voided: ABANDON,
    ...returned(ABANDON),
  },
  agrees: { absent: SOON, requires_action: DAY, processing: SLOW },
} as const satisfies Partial<Row>;

/** Ended or returned at the provider while we counted on it: without money there is no sale. */
const RESERVED: Transitions = { voided: [{ payment: 'void', order: 'reject' }], ...returned(RETURN) };

const REFUSE_REFUND: Step = { payment: 'refuse_refund', order: 'refuse_refund' };

/** The money is due back, and the provider is asked for that until it has gone through. */
const RETURNING = {
  nextAction: 'void_or_refund',
  recheckAfter: LEASE_SECONDS,
  usesProviderDate: true,
  agrees: { authorized: SOON, captured: SOON, dispute_won: SOON, refund_pending: SLOW },
} as const satisfies Partial<Row>;

const REFUND_DUE: Transitions = {
  voided: [{ payment: 'void', order: 'complete_refund' }],
  ...returned([{ payment: 'refund', order: 'complete_refund' }]),
};

const RETURNED: Agreement = { refunded: ALWAYS, refunded_and_lost: ALWAYS };

const REFUNDED = {
  nextAction: 'look_up',
  recheckAfter: 'final',
  usesProviderDate: true,
  transitions: { refund_failed: [{ payment: 'fail_refund', order: 'fail_refund' }] },
  agrees: RETURNED,
} as const satisfies Row;

const OVER = { nextAction: 'none', recheckAfter: 'final', usesProviderDate: false, transitions: {} } as const;
const VOIDED: Row = { ...OVER, agrees: { voided: ALWAYS } };
/** A bank may question what is left, or ask once more. */
const LOST: Row = {
  ...OVER,
  nextAction: 'look_up',
  usesProviderDate: true,
  agrees: { dispute_lost: ALWAYS, refunded_and_lost: ALWAYS },
};

/** The order and its live payment, as `order phase / payment status`. A pair that is not here cannot be. */
const LIVE = {
  'pending/pending': {
    ...UNDECIDED,
    recheckAfter: LEASE_SECONDS,
    transitions: { ...UNDECIDED.transitions, requires_action: [{ payment: 'require_action' }] },
  },
  'pending/requires_action': { ...UNDECIDED, recheckAfter: CHALLENGE_SECONDS },
  'authorized/authorized': {
    nextAction: 'none',
    recheckAfter: 'delivery',
    usesProviderDate: false,
    transitions: RESERVED,
    agrees: { authorized: RESERVATION, captured: RESERVATION },
  },
  'granted/authorized': {
    nextAction: 'capture',
    recheckAfter: LEASE_SECONDS,
    usesProviderDate: false,
    transitions: {
      ...RESERVED,
      ...captured([CAPTURE]),
      // The answer to a capture may come so late that the bank has had its say already.
      ...questioned([CAPTURE, OPEN_DISPUTE]),
      dispute_lost: [CAPTURE, OPEN_DISPUTE, LOSE_DISPUTE],
    },
    agrees: { authorized: SOON, captured: SOON },
  },
  'rejected/authorized': {
    ...RETURNING,
    transitions: {
      voided: [{ payment: 'void' }],
      // Captured at once, and questioned or charged back before the game's no was heard.
      disputed: [{ payment: 'capture' }],
      dispute_unclear: [{ payment: 'capture' }],
      dispute_lost: [{ payment: 'capture' }, ...LOSE_REJECTED],
      ...returned(RETURN_REJECTED),
    },
  },
  'paid/succeeded': {
    nextAction: 'look_up',
    recheckAfter: 'final',
    usesProviderDate: true,
    transitions: {
      ...questioned([OPEN_DISPUTE]),
      dispute_lost: [OPEN_DISPUTE, LOSE_DISPUTE],
      ...returned(RETURN),
    },
    agrees: { captured: ALWAYS, dispute_won: ALWAYS },
  },
  // Captured by a method that cannot reserve, refused by the game, and the provider did not take the refund.
  'rejected/succeeded': {
    ...RETURNING,
    recheckAfter: REFUND_AGAIN_SECONDS,
    transitions: {
      dispute_lost: LOSE_REJECTED,
      ...returned([{ payment: 'request_refund' }, { payment: 'refund' }]),
    },
    agrees: { captured: SOON, dispute_won: SOON, refund_pending: SLOW },
  },
  'refund_requested/refund_requested': {
    ...RETURNING,
    transitions: {
      ...REFUND_DUE,
      // The bank was quicker than the refund.
      disputed: [REFUSE_REFUND, OPEN_DISPUTE],
      dispute_unclear: [REFUSE_REFUND, OPEN_DISPUTE],
      dispute_lost: [REFUSE_REFUND, OPEN_DISPUTE, LOSE_DISPUTE],
    },
  },
  'canceled_by_refund/refund_requested': {
    ...RETURNING,
    transitions: {
      ...REFUND_DUE,
      disputed: [REFUSE_REFUND],
      dispute_unclear: [REFUSE_REFUND],
      dispute_lost: [REFUSE_REFUND, ...LOSE_REJECTED],
    },
  },
  'disputed/disputed': {
    nextAction: 'look_up',
    recheckAfter: DISPUTE_SECONDS,
    usesProviderDate: true,
    transitions: {
      dispute_won: [WIN_DISPUTE],
      dispute_lost: [LOSE_DISPUTE],
      // A refund is how a studio settles with a bank that only asked.
      refunded: [WIN_DISPUTE, ...RETURN],
      refunded_and_lost: [LOSE_DISPUTE],
    },
    agrees: { disputed: DISPUTE, inquiry: DISPUTE },
  },
  // A bank may still dispute what was returned. It moves nothing here, but it is recorded.
  'refunded/refunded': REFUNDED,
  'refunded_before_capture/refunded': REFUNDED,
  'rejected/refunded': { ...REFUNDED, transitions: { refund_failed: [{ payment: 'fail_refund' }] } },
  'rejected/voided': VOIDED,
  'refunded/voided': VOIDED,
  'refunded_before_capture/voided': VOIDED,
  'charged_back/charged_back': LOST,
  'rejected/charged_back': LOST,
} as const satisfies Partial<Record<`${OrderPhaseName}/${PaymentPhaseName}`, Row>>;

/** No money moved, or it went back. */
const ENDED_AGREES: Agreement = { ...RETURNED, absent: ALWAYS, declined: ALWAYS, voided: ALWAYS, refund_pending: SLOW };

/** An attempt that is over says nothing about its order, which may be in any phase by the next attempt. */
const ENDED: Partial<Record<PaymentPhaseName, Row>> = {
  declined: { ...OVER, agrees: ENDED_AGREES },
  abandoned: { ...OVER, agrees: ENDED_AGREES },
  orphaned: { ...RETURNING, transitions: {}, agrees: ENDED_AGREES },
};

/** Null: this pair cannot be. If a record says so all the same, it contradicts itself, and a person must look at it. */
export const rowFor = (order: OrderPhase, payment: PaymentPhase): Row | null =>
  ENDED[payment as PaymentPhaseName] ?? (LIVE as Partial<Record<string, Row>>)[`${order}/${payment}`] ?? null;

/** A member has said what became of this money, with a reason. What moves it after all is a difference again. */
const SETTLED: Agreement = {
  absent: ALWAYS,
  authorized: ALWAYS,
  captured: ALWAYS,
  refund_failed: ALWAYS,
  dispute_won: ALWAYS,
};

/** What a member settled elsewhere rests: nothing is asked for it, but what the provider says of it still counts. */
export const settledRow = (row: Row | null): Row => ({
  ...OVER,
  transitions: row?.transitions ?? {},
  agrees: { ...row?.agrees, ...SETTLED },
});
