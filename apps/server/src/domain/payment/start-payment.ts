import { isDatabaseAway, isRowLocked } from '../../db/away.ts';
import type { Db, Tx } from '../../db/db.ts';
import type { Signals } from '../../db/signals.ts';
import { AppError } from '../../kit/app-error.ts';
import { lockOrder, updateOrder } from '../order/order.sql.ts';
import { decide, type Order } from '../order/order.ts';
import { hasAttempt, insertPayment } from './payment.sql.ts';
import { newPayment, type Payment } from './payment.ts';

export interface StartPayment {
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
  signalKey: string;
}

export type StartedPayment = { kind: 'started'; order: Order; payment: Payment } | { kind: 'refused'; order: Order };

/** The database refused before the provider heard of anything: the player was not charged and may try again. */
export class PaymentNotBegunError extends AppError {
  constructor(cause: unknown) {
    super('unavailable', { detail: 'The payment could not be begun. Nothing was charged.', cause });
  }
}

const isUnavailable = (error: unknown): boolean =>
  isDatabaseAway(error) || isRowLocked(error) || (error instanceof AppError && error.code === 'unavailable');

const asNotBegun = (error: unknown): never => {
  throw isUnavailable(error) ? new PaymentNotBegunError(error) : error;
};

/**
 * The attempt is on record before the provider hears of it. Under the order's lock only one can be under way: a second
 * click and a second tab find the order `pending` and are shown what the first one does.
 */
export function startPayment(
  { db, signals }: { db: Db; signals: Signals },
  input: StartPayment,
  emit: (tx: Tx, order: Order, payment: Payment) => void,
): Promise<StartedPayment> {
  const started = db.shared<StartedPayment>(input.orderId, async tx => {
    const locked = await lockOrder(tx, input.environmentId, input.orderId);
    const { order, now } = locked!;
    const decision = decide(order, 'pay', now);
    if ('refused' in decision) return { kind: 'refused', order };
    const { attemptKey = null } = input;
    if (attemptKey !== null && (await hasAttempt(tx, order.environmentId, order.id, attemptKey))) {
      return { kind: 'refused', order };
    }
    const payment = newPayment(order, input, now);
    const paying = { ...decision.order, email: input.email ?? order.email };
    updateOrder(tx, paying);
    insertPayment(tx, payment, input.leaseSeconds, attemptKey);
    emit(tx, paying, payment);
    tx.afterCommit(() => signals.announce(input.signalKey));
    return { kind: 'started', order: paying, payment };
  });
  return started.catch(asNotBegun);
}
