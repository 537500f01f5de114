import type { AttentionCode } from '@coinslot/contract';
import { type Phrase, phrase } from '@coinslot/texts/attention';
import { decimalText } from '../../../kit/money.ts';
import type { Attention } from '../../order/order.ts';
import { type Payment, paymentIs } from '../../payment/payment.ts';
import type { Charge } from '../../payment/providers/base/charge-shape.ts';
import { isUndecided, leadingDispute } from '../../payment/providers/base/charges.ts';
import { attentionFor, mayRefund } from '../table/purchase-rules.ts';
import type { Step } from '../table/purchase-table.ts';
import type { Purchase } from './purchase.ts';

export const moneyText = ({ amountMinor, currency }: Pick<Charge, 'amountMinor' | 'currency'>): string =>
  `${decimalText(amountMinor, currency)} ${currency}`;

/** Money of an attempt that is over here must not stay at the provider, however it came there. */
export function orphanedProblem(payment: Payment, charge: Charge): Phrase[] | null {
  const isCharged = charge.status === 'captured' && leadingDispute(charge)?.status !== 'lost';
  const isThere = charge.status === 'authorized' || isCharged;
  return paymentIs(payment.status, 'given_up') && isThere ? [phrase('orphaned')] : null;
}

/** The same code keeps the time since when it stands. */
export const attentionOf = (
  before: Attention | null,
  code: AttentionCode,
  detail: Phrase[],
  now: Date,
  isFinal: boolean,
): Attention => ({ code, detail, isFinal, since: before?.code === code ? before.since : now, nextCheckAt: null });

/** What is questioned, what that costs, and what to answer. */
function disputeDetail(code: AttentionCode, { disputes }: Charge, { status }: Payment): Phrase[] {
  const waiting = disputes.filter(isUndecided);
  const isAnswered = code === 'dispute_open' && waiting.every(({ evidenceStage }) => evidenceStage === 'submitted');
  const about = waiting.map(({ reason, fee, ...money }) => {
    const amount = moneyText(money);
    if (fee) return phrase('dispute_with_fee', { reason, amount, fee: moneyText(fee) });
    return money.amountMinor > 0 ? phrase('dispute', { reason, amount }) : phrase('because', { reason });
  });
  const asked = code === 'dispute_unclear' ? code : 'dispute_open';
  const what = isAnswered ? 'dispute_answered' : paymentIs(status, 'refund_begun') ? 'dispute_of_refunded' : asked;
  return [phrase(what), ...about];
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
  /** How its dispute stood before. */
  knownDispute?: Payment['disputeStatus'];
}

/** What the bank needs an answer to, wherever the purchase stands; null: nothing. */
export function disputeAttention(
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
  return attentionOf(before, 'fraud_warning', [phrase('fraud_warning'), phrase('because', warning)], now, false);
}

const OF_DISPUTE: readonly AttentionCode[] = ['dispute_open', 'dispute_unclear'];

/**
 * A part of the money was returned, or its return failed, and the members do not know yet, or a dispute hid it that is over now.
 */
function partAttention(before: Payment, { payment }: Purchase, { knownMinor, now }: Reported): Attention | null {
  const { status, returnedMinor, amountMinor, currency } = payment;
  const { attention, settledAt } = before;
  const wasHidden = attention !== null && OF_DISPUTE.includes(attention.code) && settledAt === null;
  const isKnown = wasHidden ? returnedMinor === 0 : returnedMinor === knownMinor;
  if (isKnown || status !== 'succeeded') return null;
  const part = moneyText({ amountMinor: returnedMinor, currency });
  const whole = moneyText({ amountMinor, currency });
  const what = phrase(returnedMinor < knownMinor ? 'part_failed' : 'part_returned', { part, whole });
  return attentionOf(null, 'amount_differs', [what], now, false);
}

/** The items went with the chargeback, and now the bank has given the money back: only a person can say who gets what. */
function reversalAttention({ status }: Payment, { charge, knownDispute, now }: Reported): Attention | null {
  const isWon = charge !== 'absent' && charge.status === 'captured' && leadingDispute(charge)?.status === 'won';
  if (status !== 'charged_back' || knownDispute !== 'lost' || !isWon) return null;
  return attentionOf(null, 'amount_differs', [phrase('chargeback_reversed')], now, false);
}

const ENDS_BY_ITSELF: readonly AttentionCode[] = [...OF_DISPUTE, 'fraud_warning'];
const isEndedBySilence = (attention: Attention | null): boolean =>
  attention !== null && ENDS_BY_ITSELF.includes(attention.code);

/** What needs attention once the steps are taken: cleared by what moves the purchase on, kept by what does not. */
export function attentionAfter(
  before: Payment,
  after: Purchase,
  steps: readonly Step[],
  reported: Reported,
): Attention | null {
  const { attention } = before;
  const { charge, now } = reported;
  if (isRefundFailed(steps, charge)) {
    const why = charge === 'absent' ? null : charge.refundFailure?.reason;
    const detail = [phrase('refund_failed'), ...(why ? [phrase('because', { reason: why })] : [])];
    return attentionOf(attention, 'refund_failed', detail, now, true);
  }
  const questioned = disputeAttention(attention, after.payment, reported);
  if (questioned) return questioned;
  const back = partAttention(before, after, reported) ?? reversalAttention(before, reported);
  if (back) return back;
  // An answer ends a provider's silence, a verdict ends a dispute, and any step ends every other cause.
  const isOver = attention?.code === 'provider_error' ? !attention.isFinal : isEndedBySilence(attention);
  const standing = steps.length > 0 || isOver ? null : attention;
  // A dispute that may come does not hide what went wrong already.
  return standing ?? warningAttention(attention, after, reported);
}
