import type { OrderStatus, PaymentStatus } from '@coinslot/contract';
import type { Charge, ChargeStatus } from '../payment/providers/base/gateway.ts';

/** `granted`: authorized, and the game has accepted the items. */
export type OrderPhase = OrderStatus | 'granted';

/** What the provider holds. Captured money is told apart by what happens to it. */
export type Held =
  | 'absent'
  | ChargeStatus
  | 'refund_pending'
  | 'refund_failed'
  | 'partly_refunded'
  | 'inquiry'
  | 'disputed'
  | 'dispute_unclear'
  | 'dispute_won'
  | 'dispute_lost'
  | 'refunded_and_lost';

/** How many seconds after the last step of the payment this may still be so. */
export type Fits = Partial<Record<Held, number>>;

const HOUR = 3_600;
const DAY = 24 * HOUR;
/** Our own steps are repeated at most an hour apart; one that is not done by then is refused or forgotten. */
const SOON = 2 * HOUR;
/** The longest that a bank holds a reservation. */
const RESERVATION = 7 * DAY;
/** The longest that a voucher or a transfer is waited for, and that a bank takes for a refund. */
const SLOW = 30 * DAY;
/** The longest that a bank takes to decide. */
const DISPUTE = 180 * DAY;
const ALWAYS = Number.POSITIVE_INFINITY;

const UNDECIDED: Fits = { absent: SOON, requires_action: DAY, processing: SLOW };
const RETURNED: Fits = { refunded: ALWAYS, refunded_and_lost: ALWAYS };
/** Until the void or the refund has gone through. */
const RETURNING: Fits = { authorized: SOON, captured: SOON, dispute_won: SOON, refund_pending: SLOW };

/** What fits an order and its live payment. A pair that is not here contradicts itself. */
const LIVE: Partial<Record<`${OrderPhase}/${PaymentStatus}`, Fits>> = {
  'pending/pending': UNDECIDED,
  'pending/requires_action': UNDECIDED,
  'authorized/authorized': { authorized: RESERVATION, captured: RESERVATION },
  'granted/authorized': { authorized: SOON, captured: SOON },
  'rejected/authorized': RETURNING,
  'paid/succeeded': { captured: ALWAYS, dispute_won: ALWAYS },
  'refund_requested/refund_requested': RETURNING,
  'refunded/refunded': RETURNED,
  'refunded/voided': { voided: ALWAYS },
  'rejected/refunded': RETURNED,
  'rejected/voided': { voided: ALWAYS },
  'disputed/disputed': { disputed: DISPUTE, inquiry: DISPUTE },
  'charged_back/charged_back': { dispute_lost: ALWAYS, refunded_and_lost: ALWAYS },
  'rejected/charged_back': { dispute_lost: ALWAYS, refunded_and_lost: ALWAYS },
};

/** An attempt that is over moved no money, or its money went back; its order may be anywhere by the next attempt. */
const ENDED: Partial<Record<PaymentStatus, Fits>> = {
  declined: { ...RETURNED, absent: ALWAYS, declined: ALWAYS, voided: ALWAYS, refund_pending: SLOW },
  abandoned: { ...RETURNED, absent: ALWAYS, declined: ALWAYS, voided: ALWAYS, refund_pending: SLOW },
};

/** A member has said what became of this money, with a reason. What moves it after all is a difference again. */
const SETTLED: Fits = {
  absent: ALWAYS,
  authorized: ALWAYS,
  captured: ALWAYS,
  refund_failed: ALWAYS,
  dispute_won: ALWAYS,
};

/** Null: the rules never make this pair. */
export function fitsFor(order: OrderPhase, payment: PaymentStatus, isSettled = false): Fits | null {
  const fits = ENDED[payment] ?? LIVE[`${order}/${payment}`] ?? null;
  return isSettled ? { ...fits, ...SETTLED } : fits;
}

const DISPUTES = {
  inquiry: 'inquiry',
  open: 'disputed',
  unclear: 'dispute_unclear',
  won: 'dispute_won',
  lost: 'dispute_lost',
} as const;

export function heldBy(charge: Charge | null): Held {
  if (!charge) return 'absent';
  if (charge.status === 'refunded') return charge.dispute?.status === 'lost' ? 'refunded_and_lost' : 'refunded';
  if (charge.status !== 'captured') return charge.status;
  if (charge.dispute && charge.dispute.status !== 'won') return DISPUTES[charge.dispute.status];
  if (charge.refundFailure) return 'refund_failed';
  // The provider names a date for captured money only while a refund is on its way.
  if (charge.askAgainInSeconds !== null) return 'refund_pending';
  const returned = charge.refundedMinor ?? 0;
  if (returned > 0 && returned < charge.amountMinor) return 'partly_refunded';
  return charge.dispute ? 'dispute_won' : 'captured';
}
