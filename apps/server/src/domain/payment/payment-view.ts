import type * as contract from '@coinslot/contract';
import type { Queryable } from '../../db/db.ts';
import { AppError } from '../../kit/app-error.ts';
import { toUnixSeconds, unixOrNull } from '../../kit/clock.ts';
import { type Environment, isSandbox } from '../game/environment.ts';
import { findPayment } from './payment.sql.ts';
import type { Payment } from './payment.ts';
import { isInReview } from './payment.ts';
import { paymentFacts } from './payment-facts.ts';

/** A payment as every door shows it. */
export const paymentView = (environment: Environment, payment: Payment): contract.Payment => ({
  ...paymentFacts(payment),
  gateway: payment.gateway,
  email: payment.email,
  refund_reason: payment.refundReason,
  dispute_reason: payment.disputeReason,
  problem: payment.problem,
  in_review: isInReview(payment),
  sandbox: isSandbox(environment),
  updated_at: toUnixSeconds(payment.updatedAt),
  authorized_at: unixOrNull(payment.authorizedAt),
  captured_at: unixOrNull(payment.capturedAt),
  refunded_at: unixOrNull(payment.refundedAt),
});

export async function readPayment(db: Queryable, environmentId: string, id: string): Promise<Payment> {
  const payment = await findPayment(db, environmentId, id);
  if (!payment) throw new AppError('payment_not_found');
  return payment;
}
