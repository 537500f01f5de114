import type { AttentionCode } from '@coinslot/contract';
import { allowedCommands, isFinal, type Order, phaseOf } from '../../order/order.ts';
import { allowedPaymentCommands, type Payment, paymentIs } from '../../payment/payment.ts';
import type { Charge } from '../../payment/providers/base/charge-shape.ts';
import { isUndecided } from '../../payment/providers/base/charges.ts';
import type { Purchase } from '../engine/purchase.ts';
import { providerStatesOf } from './provider-state.ts';
import {
  type Agreement,
  type PaymentPhase,
  type PaymentPhaseName,
  type ProviderAction,
  REFUND_AGAIN_SECONDS,
  type Row,
  rowFor,
  type Step,
  settledRow,
} from './purchase-table.ts';

// What the table says of one purchase. The engine, the workers, the daily comparison, the buttons and the previews all ask
// here, so that none of them has a rule of its own.

export interface PurchaseState {
  order: Pick<Order, 'status' | 'grantedAt' | 'paidAt'>;
  payment: Pick<Payment, 'status' | 'problem' | 'settledAt'>;
}

function phaseNameOf({ status, problem }: PurchaseState['payment']): PaymentPhaseName {
  return paymentIs(status, 'given_up') && problem !== null ? 'orphaned' : status;
}

function rowOf({ order, payment }: PurchaseState): Row | null {
  const row = rowFor(phaseOf(order), phaseNameOf(payment) as PaymentPhase);
  return payment.settledAt === null ? row : settledRow(row);
}

/** A bank that has not decided needs an answer, wherever the purchase stands: refunded money can be taken a second time. */
export function attentionFor(charge: Charge | 'absent'): AttentionCode | null {
  const waiting = charge === 'absent' ? [] : charge.disputes.filter(isUndecided);
  if (waiting.length === 0) return null;
  return waiting.every(({ status }) => status === 'unclear') ? 'dispute_unclear' : 'dispute_open';
}

/**
 * From what the provider holds to what must change here: the same for every caller, however often it asks. Null: see
 * `rowFor`. A refund that failed comes before what the bank has said since: first the money is here again, then it is questioned.
 */
export function stepsFor(purchase: Purchase, charge: Charge | 'absent'): readonly Step[] | null {
  const transitions = rowOf(purchase)?.transitions;
  if (!transitions) return null;
  const states = providerStatesOf(charge);
  const failed = states.includes('refund_failed') ? transitions.refund_failed : undefined;
  return failed ?? states.map(state => transitions[state]).find(steps => steps !== undefined) ?? [];
}

export const nextAction = (purchase: PurchaseState): ProviderAction => rowOf(purchase)?.nextAction ?? 'none';

/** When the provider is asked again for a step that it refused for a cause that can pass. A reservation does not wait long. */
const AGAIN_SECONDS: Partial<Record<AttentionCode, number>> = {
  capture_refused: 3_600,
  refund_refused: REFUND_AGAIN_SECONDS,
  provider_error: REFUND_AGAIN_SECONDS,
};

/** When a worker must look at the payment again if nothing else moves it; null: never. */
export function nextCheckInSeconds(purchase: Purchase, charge: Charge | 'absent' | null): number | null {
  const row = rowOf(purchase);
  const { attention } = purchase.payment;
  if (!row || attention?.isFinal) return null;
  const named = row.usesProviderDate && charge && charge !== 'absent' ? charge.askAgainInSeconds : null;
  const again = attention ? AGAIN_SECONDS[attention.code] : undefined;
  return named ?? (typeof row.recheckAfter === 'number' ? (again ?? row.recheckAfter) : null);
}

/** What the provider may hold, and for how long; null: our record contradicts itself. */
export const agreementFor = (purchase: PurchaseState): Agreement | null => rowOf(purchase)?.agrees ?? null;

/** A bank that only asks is answered by a refund; one that took the money is not. */
export function mayRefund({ order, payment }: Purchase): boolean {
  if (rowOf({ order, payment }) === null) return false;
  if (payment.status === 'disputed' && payment.disputeStatus !== 'inquiry') return false;
  return (
    allowedCommands(phaseOf(order)).includes('request_refund') &&
    allowedPaymentCommands(payment.status).includes('request_refund')
  );
}

/** The money must go back, and nothing but the provider's no stands in the way. */
export const isOwed = (purchase: Purchase): boolean =>
  nextAction(purchase) === 'void_or_refund' && purchase.order.status !== 'refund_requested';

/**
 * Neither the player nor a worker waits for the purchase. An order that is under way must not be settled by hand: it would stay
 * open forever.
 */
export const isAtRest = ({ order, payment }: Purchase): boolean =>
  paymentIs(payment.status, 'given_up') || order.status === 'paid' || isFinal(phaseOf(order));
