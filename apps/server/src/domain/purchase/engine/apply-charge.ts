import type { AttentionCode, EventKind } from '@coinslot/contract';
import { type Phrase, phrase, phrasesText } from '@coinslot/texts/attention';
import { decideOrder } from '../../order/order.ts';
import { decidePayment, type Payment, paymentIs, paymentWith } from '../../payment/payment.ts';
import type { Charge } from '../../payment/providers/base/charge-shape.ts';
import { leadingDispute } from '../../payment/providers/base/charges.ts';
import { attentionFor, stepsFor } from '../table/purchase-rules.ts';
import { RESERVE, type Step } from '../table/purchase-table.ts';
import { attentionAfter, attentionOf, disputeAttention, moneyText, orphanedProblem } from './charge-attention.ts';
import type { Purchase } from './purchase.ts';

export interface AppliedCharge extends Purchase {
  events: EventKind[];
  /** The money is reserved: ask the game. */
  askGame: boolean;
  /** The money went back without us asking: the items must go. */
  revokeItems: 'refund' | 'chargeback' | null;
  changed: boolean;
}

const isSameMoney = (payment: Payment, charge: Charge): boolean =>
  charge.amountMinor === payment.amountMinor && (payment.amountMinor === 0 || charge.currency === payment.currency);

/** From here on we count on the money, so it must be the order's amount. */
const isTaking = ({ order }: Step): boolean => order === 'authorize' || order === 'capture';

const instructionsOf = (next: Charge['nextAction']): Payment['instructions'] => ({
  url: next?.instructionsUrl ?? null,
  reference: next?.reference ?? null,
  expiresAt: next?.expiresAt ?? null,
});

/** What was refunded at the provider in part; a whole refund is a step of the payment. A part that fails later is here again. */
function returnedOf({ returnedMinor }: Payment, charge: Charge): number {
  const { status, amountMinor, refundedMinor = 0, refundFailure } = charge;
  if (status !== 'captured' || refundedMinor >= amountMinor) return returnedMinor;
  return refundFailure ? refundedMinor : Math.max(refundedMinor, returnedMinor);
}

function withCharge(payment: Payment, charge: Charge): Payment {
  const dispute = leadingDispute(charge);
  return paymentWith(payment, {
    returnedMinor: returnedOf(payment, charge),
    method: charge.method ?? payment.method,
    brand: charge.brand ?? payment.brand,
    last4: charge.last4 ?? payment.last4,
    country: charge.country ?? payment.country,
    responseCode: charge.responseCode ?? payment.responseCode,
    responseDescription: charge.responseDescription ?? payment.responseDescription,
    disputeReason: dispute?.reason ?? payment.disputeReason,
    disputeStatus: dispute?.status ?? payment.disputeStatus,
    instructions: charge.status === 'processing' ? instructionsOf(charge.nextAction) : null,
  });
}

type Taken = { purchase: Purchase; events: EventKind[] };

/** Null: the rules of order or payment forbid the step. */
function take(purchase: Purchase, step: Step, now: Date): Taken | null {
  const payment = step.payment && decidePayment(purchase.payment, step.payment, now);
  const order = step.order && decideOrder(purchase.order, step.order, now);
  if ((payment && 'refused' in payment) || (order && 'refused' in order)) return null;
  return {
    purchase: { payment: payment?.payment ?? purchase.payment, order: order?.order ?? purchase.order },
    events: [payment?.event, order?.event].filter(event => event != null),
  };
}

function takeAll(purchase: Purchase, steps: readonly Step[], now: Date): Taken | null {
  let current = purchase;
  const events: EventKind[] = [];
  for (const step of steps) {
    const taken = take(current, step, now);
    if (!taken) return null;
    current = taken.purchase;
    events.push(...taken.events);
  }
  return { purchase: current, events };
}

function revocationFor(steps: readonly Step[]): AppliedCharge['revokeItems'] {
  if (steps.some(step => step.order === 'lose_dispute')) return 'chargeback';
  return steps.some(step => step.order === 'request_refund' || step.order === 'reject') ? 'refund' : null;
}

/** What happened at the provider without us has its reason written down, for the studio's members. */
function withReasons({ order, payment }: Purchase, steps: readonly Step[]): Purchase {
  const isReturned = steps.some(step => step.order === 'request_refund');
  const isEnded = steps.some(step => step.order === 'reject');
  return {
    order: isEnded ? { ...order, problem: [phrase('reservation_ended')] } : order,
    payment: isReturned
      ? { ...payment, refundReason: payment.refundReason ?? phrasesText([phrase('returned_there')]) }
      : payment,
  };
}

export function applyCharge(
  purchase: Purchase,
  charge: Charge | 'absent',
  now: Date,
  needsNotice = false,
): AppliedCharge {
  const { returnedMinor: knownMinor, disputeStatus: knownDispute } = purchase.payment;
  const reported = { charge, now, needsNotice, knownMinor, knownDispute };
  const seen =
    charge === 'absent' ? purchase : { order: purchase.order, payment: withCharge(purchase.payment, charge) };
  const { order, payment } = seen;
  const changed = seen !== purchase;
  const none = { order, payment, events: [], askGame: false, revokeItems: null, changed };
  const hold = (code: AttentionCode, problem: Phrase[]): AppliedCharge => {
    const attention = attentionOf(payment.attention, code, problem, now, true);
    return { ...none, payment: { ...payment, problem, attention }, changed: true };
  };
  if (charge !== 'absent' && paymentIs(payment.status, 'given_up')) {
    const problem = orphanedProblem(payment, charge);
    const attention = disputeAttention(payment.attention, payment, reported) ?? (problem ? payment.attention : null);
    return { ...none, payment: { ...payment, problem, attention } };
  }
  const steps = stepsFor(seen, charge);
  if (charge !== 'absent' && steps?.some(isTaking) && !isSameMoney(payment, charge)) {
    const differs = phrase('amount_differs', { theirs: moneyText(charge), ours: moneyText(payment) });
    return hold('amount_differs', attentionFor(charge) ? [differs, phrase('questioned')] : [differs]);
  }
  const taken = steps && takeAll(seen, steps, now);
  if (!taken) {
    // A studio member must look at it. An error would only repeat the question forever, and no member would be notified.
    const theirs = charge === 'absent' ? charge : charge.status;
    return hold('provider_error', [phrase('contradiction', { theirs, order: order.status, payment: payment.status })]);
  }
  const settled = withReasons(taken.purchase, steps);
  const attention = attentionAfter(payment, taken.purchase, steps, reported);
  // A payment that moves on has no problem left that was only about where it stood.
  const isResolved = steps.length > 0 && payment.attention !== null;
  return {
    events: taken.events,
    order: settled.order,
    payment: paymentWith(settled.payment, { attention, problem: isResolved ? null : settled.payment.problem }),
    askGame: steps === RESERVE,
    revokeItems: revocationFor(steps),
    changed: changed || steps.length > 0,
  };
}
