import type { Charge } from '../payment/gateways/gateway.ts';
import type { Purchase } from './apply-charge.ts';

/** What to ask of the provider now. One function for the process that began and for the worker that takes over. */
export type NextStep = 'look_up' | 'capture' | 'void_or_refund' | 'none';

export function nextStep({ order, payment }: Purchase): NextStep {
  switch (payment.status) {
    case 'pending':
    case 'requires_action':
    case 'succeeded':
    case 'disputed':
    // A bank may still dispute what was returned. It moves nothing here, but it is recorded.
    case 'refunded':
      return 'look_up';
    case 'authorized':
      if (order.status === 'rejected') return 'void_or_refund';
      return order.status === 'authorized' && order.grantedAt ? 'capture' : 'none';
    case 'refund_requested':
      return 'void_or_refund';
    case 'abandoned':
    case 'declined':
      return payment.problem ? 'void_or_refund' : 'none';
    case 'voided':
    case 'charged_back':
      return 'none';
  }
}

/** A process that works on a payment holds it this long; then a worker goes on from the row. */
export const LEASE_SECONDS = 45;
/** How long a player may take for the bank's challenge. */
export const CHALLENGE_SECONDS = 15 * 60;

/** When a worker must look at the payment again if nothing else moves it; null: never. */
export function nextCheckInSeconds(purchase: Purchase, charge: Charge | 'absent' | null): number | null {
  const { order, payment } = purchase;
  const expected = charge && charge !== 'absent' ? charge.askAgainInSeconds : null;
  switch (payment.status) {
    case 'pending':
      return payment.problem ? null : (expected ?? LEASE_SECONDS);
    case 'requires_action':
      return payment.problem ? null : (expected ?? CHALLENGE_SECONDS);
    case 'authorized':
      if (order.status !== 'authorized') return LEASE_SECONDS;
      return order.grantedAt && !payment.problem ? LEASE_SECONDS : null;
    case 'refund_requested':
      return expected ?? LEASE_SECONDS;
    case 'succeeded':
    case 'disputed':
    case 'refunded':
      return expected;
    case 'declined':
    case 'abandoned':
      return payment.problem ? LEASE_SECONDS : null;
    case 'voided':
    case 'charged_back':
      return null;
  }
}
