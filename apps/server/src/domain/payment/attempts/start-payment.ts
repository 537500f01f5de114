import type { Tx } from '../../../db/db.ts';
import { isDatabaseUnavailable, isRowLocked } from '../../../db/sessions/database-errors.ts';
import { unlockedFirst } from '../../../db/unlocked-first.ts';
import { AppError } from '../../../kit/app-error.ts';
import { expectOrder, type LockedOrder, lockOrder, updateOrder } from '../../order/order.sql.ts';
import { decideOrder, type Order, orderKey, orderWith } from '../../order/order.ts';
import type { Shop } from '../../shop.ts';
import { hasAttempt, insertPayment } from '../payment.sql.ts';
import { newPayment, type Payment } from '../payment.ts';
import { emitPaymentEvent } from '../payment-view.ts';
import { findAttemptWait } from './attempts.sql.ts';

interface StartPayment {
  environmentId: string;
  orderId: string;
  gateway: string;
  method: string;
  email: string | null;
  saveMethod?: boolean | undefined;
  /** The same form sent again has the same key, and what became of it the first time stands. */
  attemptKey?: string | null | undefined;
  /** If the process does not come back, a worker asks the provider after this time. */
  leaseSeconds: number;
  attempts?: Attempts | undefined;
  /** The order as the player's page has just read it. */
  known?: LockedOrder | undefined;
}

/** Attempts without money that are allowed within an hour. */
export interface AttemptLimits {
  ofOrder: number;
  ofPlayer: number;
  ofNetwork: number;
}

export const ATTEMPT_LIMITS: AttemptLimits = { ofOrder: 10, ofPlayer: 20, ofNetwork: 30 };

/** In sandbox only the limit of an order holds: a tester tries declines all day. */
export interface Attempts {
  limits: AttemptLimits;
  isLive: boolean;
  /** A keyed digest of the payer's address. */
  payerNetwork: string | null;
}

/** Cards are being tried out, or a player has no luck: nothing was charged, and it can be tried again later. */
export class TooManyAttemptsError extends AppError {
  readonly waitSeconds: number;

  constructor(waitSeconds: number) {
    const seconds = Math.max(1, Math.ceil(waitSeconds));
    super('too_many_attempts', {
      detail: `Too many payments were declined. Nothing was charged. Try again in ${seconds} s.`,
      headers: { 'retry-after': String(seconds) },
    });
    this.waitSeconds = seconds;
  }
}

export type StartedPayment =
  | { kind: 'started'; order: LockedOrder; payment: Payment }
  | { kind: 'refused'; order: Order }
  | { kind: 'limited'; waitSeconds: number };

/** The database refused before the provider heard of anything: the player was not charged and may try again. */
export class PaymentNotBegunError extends AppError {
  constructor(cause: unknown) {
    super('unavailable', { detail: 'The payment could not be begun. Nothing was charged.', cause });
  }
}

const isUnavailable = (error: unknown): boolean =>
  isDatabaseUnavailable(error) || isRowLocked(error) || (error instanceof AppError && error.code === 'unavailable');

const asNotBegun = (error: unknown): never => {
  throw isUnavailable(error) ? new PaymentNotBegunError(error) : error;
};

const NO_ATTEMPTS: Attempts = { limits: ATTEMPT_LIMITS, isLive: false, payerNetwork: null };

/** Under the order's lock. A sandbox order that was never touched costs no look. */
async function attemptWait(tx: Tx, order: Order, attempts = NO_ATTEMPTS): Promise<number | null> {
  const { limits, isLive, payerNetwork } = attempts;
  if (!isLive && order.version === 1) return null;
  return findAttemptWait(tx, {
    environmentId: order.environmentId,
    orderId: order.id,
    playerId: order.playerId,
    payerNetwork,
    ofOrder: limits.ofOrder,
    ofPlayer: isLive ? limits.ofPlayer : null,
    ofNetwork: isLive ? limits.ofNetwork : null,
  });
}

/** The attempt, its order and what the observers hear, decided from the order as it is. */
async function writeAttempt(
  tx: Tx,
  signals: Shop['signals'],
  before: LockedOrder,
  input: StartPayment,
): Promise<StartedPayment> {
  const { order, now } = before;
  const { attemptKey = null, attempts } = input;
  const decision = decideOrder(order, 'pay', now);
  if ('refused' in decision) return { kind: 'refused', order };
  // An order that was never changed has no attempt yet.
  const wasTried = order.version > 1 && attemptKey !== null;
  if (wasTried && (await hasAttempt(tx, order.environmentId, order.id, attemptKey))) return { kind: 'refused', order };
  const waitSeconds = await attemptWait(tx, order, attempts);
  if (waitSeconds !== null) return { kind: 'limited', waitSeconds };
  const payment = newPayment(order, input, now);
  const paying = updateOrder(tx, before, orderWith(decision.order, { email: input.email ?? order.email }));
  const payerNetwork = attempts?.isLive ? attempts.payerNetwork : null;
  insertPayment(tx, payment, input.leaseSeconds, { attemptKey, payerNetwork });
  emitPaymentEvent(tx, payment, 'payment.pending');
  tx.afterCommit(() => signals.announce(orderKey(order.id)));
  return { kind: 'started', order: paying, payment };
}

/**
 * The attempt is on record before the provider hears of it. Only one can be under way: its order is written over the version
 * that was read, so a second click and a second tab find the order `pending` under its lock and are shown what the first does.
 */
export function startPayment({ db, signals }: Shop, input: StartPayment): Promise<StartedPayment> {
  const { known, environmentId, orderId } = input;
  const plainly = (tx: Tx) =>
    known?.order.version === 1 ? writeAttempt(tx, signals, expectOrder(known), input) : null;
  const underLock = async (tx: Tx) => writeAttempt(tx, signals, (await lockOrder(tx, environmentId, orderId))!, input);
  return db.shared(orderId, unlockedFirst(plainly, underLock)).catch(asNotBegun);
}
