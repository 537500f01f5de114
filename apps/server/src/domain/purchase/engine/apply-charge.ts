import type { AttentionCode, EventKind } from '@coinslot/contract';
import { decimalText } from '../../../kit/money.ts';
import { type Attention, decide as decideOrder } from '../../order/order.ts';
import type { Payment } from '../../payment/payment.ts';
import { decide as decidePayment, paymentIs } from '../../payment/payment.ts';
import { isUndecided, leadingDispute } from '../../payment/providers/base/charges.ts';
import type { Charge } from '../../payment/providers/base/gateway.ts';
import { attentionFor, mayRefund, stepsFor } from '../table/purchase-rules.ts';
import { RESERVE, type Step } from '../table/purchase-table.ts';
import type { Purchase } from './purchase.ts';

export interface AppliedCharge extends Purchase {
  events: EventKind[];
  /** The money is reserved: ask the game. */
  askGame: boolean;
  /** Granted and captured: the player gets a receipt. */
  sendReceipt: boolean;
  /** The money went back without us asking: the items must go. */
  revokeItems: 'refund' | 'chargeback' | null;
  changed: boolean;
}

const moneyText = ({ amountMinor, currency }: Pick<Charge, 'amountMinor' | 'currency'>): string =>
  `${decimalText(amountMinor, currency)} ${currency}`;

const isSameMoney = (payment: Payment, charge: Charge): boolean =>
  charge.amountMinor === payment.amountMinor && (payment.amountMinor === 0 || charge.currency === payment.currency);

/** From here on we count on the money, so it must be the order's amount. */
const isTaking = ({ order }: Step): boolean => order === 'authorize' || order === 'capture';

const instructionsOf = (next: Charge['nextAction']): Payment['instructions'] => ({
  url: next?.instructionsUrl ?? null,
  reference: next?.reference ?? null,
  expiresAt: next?.expiresAt ?? null,
});

/** What was refunded at the provider in part; a whole refund is a step of the payment. */
function returnedOf({ returnedMinor }: Payment, { status, amountMinor, refundedMinor = 0 }: Charge): number {
  return status === 'captured' && refundedMinor < amountMinor ? Math.max(refundedMinor, returnedMinor) : returnedMinor;
}

const withCharge = (payment: Payment, charge: Charge): Payment => ({
  ...payment,
  returnedMinor: returnedOf(payment, charge),
  method: charge.method ?? payment.method,
  brand: charge.brand ?? payment.brand,
  last4: charge.last4 ?? payment.last4,
  country: charge.country ?? payment.country,
  responseCode: charge.responseCode ?? payment.responseCode,
  responseDescription: charge.responseDescription ?? payment.responseDescription,
  disputeReason: leadingDispute(charge)?.reason ?? payment.disputeReason,
  disputeStatus: leadingDispute(charge)?.status ?? payment.disputeStatus,
  instructions: charge.status === 'processing' ? instructionsOf(charge.nextAction) : null,
});

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

const ORPHANED = 'The provider holds money for an attempt that was given up here. It is being returned.';

/** Money of an attempt that is over here must not stay at the provider, however it came there. */
function orphanedProblem(payment: Payment, charge: Charge): string | null {
  const isCharged = charge.status === 'captured' && leadingDispute(charge)?.status !== 'lost';
  const isThere = charge.status === 'authorized' || isCharged;
  return paymentIs(payment.status, 'given_up') && isThere ? ORPHANED : null;
}

/** The same code keeps the time since when it stands. */
export const attentionOf = (
  before: Attention | null,
  code: AttentionCode,
  detail: string,
  now: Date,
  isFinal: boolean,
): Attention => ({ code, detail, isFinal, since: before?.code === code ? before.since : now, nextCheckAt: null });

const DETAILS: Partial<Record<AttentionCode, string>> = {
  dispute_open: 'The bank questions the payment. The dispute page shows until when evidence can be sent.',
  dispute_unclear: 'The provider reports a dispute in a state that is not known here. Look at it there.',
  fraud_warning: 'The bank reports fraud and may dispute the payment. A refund now can still prevent that.',
  refund_failed: 'The bank did not take the refund. The money is still here.',
};

const PART_RETURNED = 'A part of the payment was refunded at the provider:';

const QUESTIONED = 'The bank questions the payment.';

const ANSWERED = 'The bank questions the payment and has your evidence. It decides, which can take weeks.';
const REFUNDED = 'The bank questions a payment whose money went back to the player. Answer with the refund.';

/** What is questioned, what that costs, and what to answer. */
function disputeDetail(code: AttentionCode, { disputes }: Charge, { status }: Payment): string {
  const waiting = disputes.filter(isUndecided);
  const isAnswered = code === 'dispute_open' && waiting.every(({ evidenceStage }) => evidenceStage === 'submitted');
  const about = waiting.map(({ reason, fee, ...money }) =>
    [reason, ...(money.amountMinor > 0 ? [moneyText(money)] : []), ...(fee ? [`fee ${moneyText(fee)}`] : [])].join(
      ', ',
    ),
  );
  return `${isAnswered ? ANSWERED : paymentIs(status, 'refund_begun') ? REFUNDED : DETAILS[code]} (${about.join('; ')})`;
}

/** Also after a dispute that came meanwhile and was won: the items went with the refund, and the money is still here. */
const isRefundFailed = (steps: readonly Step[], charge: Charge | 'absent'): boolean =>
  steps.some(step => step.payment === 'fail_refund') ||
  (charge !== 'absent' && Boolean(charge.refundFailure) && steps.some(step => step.payment === 'win_dispute'));

interface Reported {
  charge: Charge | 'absent';
  now: Date;
  /** It reports a dispute that the members do not know yet. */
  needsNotice: boolean;
  /** How much of it had gone back before. */
  knownMinor: number;
}

/** What the bank needs an answer to, wherever the purchase stands; null: nothing. */
function disputeAttention(
  before: Attention | null,
  payment: Payment,
  { charge, now, needsNotice }: Reported,
): Attention | null {
  const code = attentionFor(charge);
  if (!code || charge === 'absent') return null;
  return attentionOf(needsNotice ? null : before, code, disputeDetail(code, charge, payment), now, false);
}

/** A bank expects a dispute, and a refund still avoids it; one that a member settled does not come back. */
function warningAttention(before: Attention | null, after: Purchase, { charge, now }: Reported): Attention | null {
  const warning = charge === 'absent' ? null : charge.warning;
  if (warning?.kind !== 'fraud_warning' || after.payment.settledAt || !mayRefund(after)) return null;
  return attentionOf(before, 'fraud_warning', `${DETAILS.fraud_warning} (${warning.reason})`, now, false);
}

/** A part went back that the members have not heard of. */
function partAttention(knownMinor: number, { payment }: Purchase, now: Date): Attention | null {
  const { status, returnedMinor, amountMinor, currency } = payment;
  if (returnedMinor <= knownMinor || status !== 'succeeded') return null;
  const [part, whole] = [returnedMinor, amountMinor].map(minor => moneyText({ amountMinor: minor, currency }));
  return attentionOf(null, 'amount_differs', `${PART_RETURNED} ${part} of ${whole}.`, now, false);
}

const ENDS_BY_ITSELF: readonly AttentionCode[] = ['dispute_open', 'dispute_unclear', 'fraud_warning'];
const isEndedBySilence = (attention: Attention | null): boolean =>
  attention !== null && ENDS_BY_ITSELF.includes(attention.code);

/** What needs attention once the steps are taken: cleared by what moves the purchase on, kept by what does not. */
function attentionAfter(
  before: Payment,
  after: Purchase,
  steps: readonly Step[],
  reported: Reported,
): Attention | null {
  const { attention } = before;
  const { charge, now } = reported;
  if (isRefundFailed(steps, charge)) {
    const why = charge === 'absent' ? null : charge.refundFailure?.reason;
    const detail = [DETAILS.refund_failed, why && `(${why})`].filter(Boolean).join(' ');
    return attentionOf(attention, 'refund_failed', detail, now, true);
  }
  const questioned = disputeAttention(attention, after.payment, reported);
  if (questioned) return questioned;
  const isPart = partAttention(reported.knownMinor, after, now);
  if (isPart) return isPart;
  // An answer is the end of a silence, a verdict that of a dispute, and a step that of every other cause.
  const isOver = attention?.code === 'provider_error' ? !attention.isFinal : isEndedBySilence(attention);
  const standing = steps.length > 0 || isOver ? null : attention;
  // A dispute that may come does not hide what went wrong already.
  return standing ?? warningAttention(attention, after, reported);
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
    order: isEnded
      ? { ...order, problem: 'The reservation ended at the provider before the money was captured.' }
      : order,
    payment: isReturned ? { ...payment, refundReason: payment.refundReason ?? 'Returned at the provider.' } : payment,
  };
}

export function applyCharge(
  purchase: Purchase,
  charge: Charge | 'absent',
  now: Date,
  needsNotice = false,
): AppliedCharge {
  const reported = { charge, now, needsNotice, knownMinor: purchase.payment.returnedMinor };
  const seen = charge === 'absent' ? purchase : { ...purchase, payment: withCharge(purchase.payment, charge) };
  const { order, payment } = seen;
  const changed = seen !== purchase;
  const none = { order, payment, events: [], askGame: false, sendReceipt: false, revokeItems: null, changed };
  const hold = (code: AttentionCode, problem: string): AppliedCharge => {
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
    const differs = `The provider reports ${moneyText(charge)}, the order is ${moneyText(payment)}. Held for review.`;
    return hold('amount_differs', attentionFor(charge) ? `${differs} ${QUESTIONED}` : differs);
  }
  const taken = steps && takeAll(seen, steps, now);
  if (!taken) {
    // A studio member must look; throwing would ask the provider forever and notify no member.
    return hold(
      'provider_error',
      `The provider says ${charge === 'absent' ? charge : charge.status}, but the order is ${order.status} and the payment ${payment.status}. Held for review.`,
    );
  }
  const settled = withReasons(taken.purchase, steps);
  const attention = attentionAfter(payment, taken.purchase, steps, reported);
  // A payment that moves on has no problem left that was only about where it stood.
  const isResolved = steps.length > 0 && payment.attention !== null;
  return {
    events: taken.events,
    order: settled.order,
    payment: { ...settled.payment, attention, problem: isResolved ? null : settled.payment.problem },
    askGame: steps === RESERVE,
    sendReceipt: steps.some(step => step.order === 'capture'),
    revokeItems: revocationFor(steps),
    changed: changed || steps.length > 0,
  };
}
