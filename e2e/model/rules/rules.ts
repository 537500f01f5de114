// The reference model: what an order, its payment, the game's inventory and the provider's books may look like, written
// from the interface and the contract. It knows nothing of how the shop works.
import { type BookCharge, isReserved, isWon, keptOf, netOf, openDisputes } from '../world/bank.ts';
import {
  type Evidence,
  GIVEN_UP,
  NOT_YET_OURS,
  needsAttention,
  type Rule,
  type Say,
  statusOf,
  type Violation,
  WITH_ITEMS,
  WITHOUT_MONEY,
} from './evidence.ts';
import type { PaymentFacts } from './facts.ts';
import { judgeGivingUp, judgeLiveness } from './liveness.ts';
import { judgeMoney } from './money-rules.ts';

/** Section 3 of the contract, with section 5 (a refund before the answer) and row 96 of the faults (a refund that fails later). */
const LEADS_TO: Readonly<Record<string, readonly string[]>> = {
  created: ['pending', 'authorized', 'canceled', 'expired'],
  pending: ['authorized', 'created', 'expired'],
  authorized: ['paid', 'rejected', 'refund_requested'],
  paid: ['refund_requested', 'disputed'],
  rejected: [],
  canceled: [],
  expired: [],
  // Refused, or failed at the bank: paid again, or rejected if it never was paid.
  refund_requested: ['refunded', 'paid', 'rejected'],
  refunded: ['paid', 'rejected'],
  disputed: ['paid', 'charged_back'],
  charged_back: [],
};

const reachable = new Map<string, Set<string>>();
function canReach(from: string, to: string): boolean {
  if (!reachable.has(from)) {
    const found = new Set([from]);
    for (const status of found) for (const next of LEADS_TO[status] ?? []) found.add(next);
    reachable.set(from, found);
  }
  return reachable.get(from)!.has(to);
}

const FINAL_OR_WAITING = ['created', 'paid', 'rejected', 'canceled', 'expired', 'refunded', 'charged_back'];

const NEVER_PAID = ['created', 'pending', 'authorized', 'rejected', 'canceled', 'expired'];
/** Between the moment that a form was sent and the one that the provider heard of it. */
const SLACK_SECONDS = 60;

const goesOn = ({ order }: Evidence): boolean =>
  order.payments.some(({ hasDate }) => hasDate) || order.deliveries.some(delivery => delivery.goesOn);

function possibleBooks({ charges }: Evidence): boolean {
  return charges.every(charge => {
    const ends = charge.movements.filter(kind => kind === 'captured' || kind === 'voided').length;
    return ends <= 1 && keptOf(charge) >= 0;
  });
}

function judgeAnswers({ order, known, ...rest }: Evidence, say: (rule: Rule, what: string) => void): void {
  for (const status of known.answered) {
    if (!canReach(status, order.status)) say('answers stay true', `a caller read ${status}, and it is ${order.status}`);
  }
  if (known.canceled && order.status !== 'canceled') say('a cancellation stands', `it is ${order.status}`);
  const isReversed = order.payments.some(({ status }) => status === 'charged_back');
  const isReturning = isReversed || ['refund_requested', 'refunded', 'disputed'].includes(order.status);
  // A dispute that was won since has settled the matter otherwise.
  const isBack = rest.charges.length > 0 && rest.charges.every(charge => keptOf(charge) === 0 && !isReserved(charge));
  const isSettled = known.settledElsewhere || isBack || rest.charges.some(isWon);
  // Of an order that was never paid, the open dispute is shown in place of the refusal that it causes.
  const isQuestioned = rest.charges.some(charge => openDisputes(charge).length > 0);
  const codes = ['refund_refused', 'refund_failed', ...(isQuestioned ? ['dispute_open', 'dispute_unclear'] : [])];
  const isVisible = order.payments.some(({ attention }) => codes.includes(attention ?? ''));
  if (known.refundAccepted && !isReturning && !isVisible && !isSettled)
    say(
      'a refund is kept or its failure visible',
      `it is ${order.status}, and carries ${order.payments.map(({ status, attention }) => `${status}: ${attention}`).join()}`,
    );
}

/** What holds at every moment. */
export function judgeStep(evidence: Evidence): Violation[] {
  const { order, known, charges, granted, complaints, contradictions } = evidence;
  const wrong: Violation[] = complaints.map(what => ({ rule: 'the game is asked properly', what }));
  const say = (rule: Rule, what: string): void => void wrong.push({ rule, what });
  const captures = charges.filter(({ movements }) => movements.includes('captured'));
  // Money of an attempt that was given up is on its way back, or explained.
  const kept = captures.filter(charge => netOf(charge) > 0 && !GIVEN_UP.includes(statusOf(evidence, charge)));
  if (kept.length > 1) say('at most one capture', `${kept.length} charges are captured`);
  if (!possibleBooks(evidence))
    say('the books are possible', charges.map(({ movements }) => movements.join()).join(' | '));
  for (const what of contradictions) say('the double does as the model says', what);
  if (charges.some(({ grantedAtCapture }) => grantedAtCapture === false))
    say('nothing is captured before the grant', `it is ${order.status}`);
  if (charges.some(({ movements }) => movements.includes('refunded_twice')))
    say('money goes back once', `it is ${order.status}, and a bank had the money`);
  if (
    granted &&
    !known.captureAccepted &&
    charges.length > 0 &&
    charges.every(one => one.amountMinor !== known.amountMinor)
  )
    say('another amount is not granted for', `the order is of ${known.amountMinor}`);
  if (charges.length > known.mostCharges) say('what is over is not paid for', 'the player is erased');
  if (charges.some(({ openedAtSeconds }) => openedAtSeconds > known.expiresAtSeconds + SLACK_SECONDS))
    say('what is over is not paid for', `it is ${order.status}`);
  judgeGivingUp(evidence, (rule, what) => say(rule, what ?? ''));
  // What was complete once is not told as if it never had been.
  if (known.wasPaid && NEVER_PAID.includes(order.status))
    say('statuses follow the table', `paid once became ${order.status}`);
  if (known.lastSeen && !canReach(known.lastSeen, order.status))
    say('statuses follow the table', `${known.lastSeen} became ${order.status}`);
  const isCaptured = captures.length > 0 || known.amountMinor === 0;
  if (order.status === 'paid' && !(granted && isCaptured))
    say('paid means granted and captured', `granted ${granted}, captures ${captures.length}`);
  judgeAnswers(evidence, say);
  if (!FINAL_OR_WAITING.includes(order.status) && !goesOn(evidence) && !needsAttention(evidence))
    say('what is not final has a date or needs attention', `it is ${order.status}`);
  return wrong;
}

/** Section 6 of the contract. */
const ATTEMPTS = 16;
const UNDELIVERED = ['pending', 'blocked', 'held', 'exhausted'];

function judgeItems({ order, charges, held, askedBack }: Evidence): string | null {
  const removal = order.deliveries.find(({ kind }) => kind === 'item.remove');
  if (WITH_ITEMS.includes(order.status) && !held) {
    // The items went with a refund that then did not arrive, or was refused after they were asked back.
    const isFailed = charges.some(charge => charge.refundFailed);
    const codes = ['refund_failed', ...(isFailed ? ['refund_refused', 'dispute_open', 'dispute_unclear'] : [])];
    const isVisible = order.payments.some(({ attention }) => codes.includes(attention ?? ''));
    return removal && isVisible ? null : `${order.status}, and the player has no items`;
  }
  // A game that no request reaches cannot be made to take them back; the delivery is there to be sent again.
  const isGivenUp = removal?.status === 'exhausted' && askedBack < ATTEMPTS;
  if (WITHOUT_MONEY.includes(order.status) && held && (isGivenUp || !UNDELIVERED.includes(removal?.status ?? '')))
    return `${order.status}, and the player has the items`;
  return null;
}

const RETURNING = ['rejected', 'refund_requested', 'canceled', 'expired', 'created'];

/** Which of the contract's codes a payment must carry for what the provider did; null: none. */
function expectedCodes({ order, known }: Evidence, payment: PaymentFacts, charge: BookCharge): [Rule, string[]] | null {
  const { refusedForGood, status, refundFailed } = charge;
  const isReturning = RETURNING.includes(order.status) || GIVEN_UP.includes(payment.status);
  const waiting = openDisputes(charge);
  // Late money of an attempt that was declined is not what the order was paid with.
  const isOfOrder = !GIVEN_UP.includes(payment.status);
  if (waiting.length > 0 && order.status === 'paid' && isOfOrder)
    return ['a dispute is visible', ['an order that is disputed']];
  if (waiting.length > 0) {
    const codes = waiting.every(one => one.status === 'unclear') ? ['dispute_unclear'] : ['dispute_open'];
    // Of another amount, it waits for a decision, and what it waits for says that the bank questions it.
    if (NOT_YET_OURS.includes(payment.status)) codes.push('amount_differs');
    return ['a dispute is visible', isReturning ? ['refund_refused', 'refund_failed', ...codes] : codes];
  }
  if (status === 'authorized' && refusedForGood.has('capture') && order.status === 'authorized')
    return ['a refusal for good is visible', ['capture_refused', 'grant_unanswered']];
  if (status === 'authorized' && refusedForGood.has('void') && isReturning)
    return ['a refusal for good is visible', ['provider_error']];
  if (status !== 'captured' || charge.disputes.some(one => one.status === 'lost' || one.status === 'prevented'))
    return null;
  if (refusedForGood.has('refund') && isReturning)
    return ['a refusal for good is visible', ['refund_refused', 'refund_failed']];
  // One that was made and failed at the provider before the shop heard of it has changed nothing here.
  const isOurs = known.refundAccepted || known.wasRefunded;
  if (refundFailed && isOurs && !isWon(charge))
    return ['a failed refund is visible', ['refund_failed', 'refund_refused']];
  return null;
}

/** Money that waits for a person is told with its code, and everything that carries one is in every list. */
function judgeSilence(evidence: Evidence): Violation[] {
  const { order, charges, listed, known } = evidence;
  const wrong: Violation[] = [];
  for (const payment of order.payments) {
    const charge = charges.find(({ paymentId }) => paymentId === payment.id);
    const expected = charge && !known.settledElsewhere ? expectedCodes(evidence, payment, charge) : null;
    if (expected && !expected[1].includes(payment.attention ?? ''))
      wrong.push({
        rule: expected[0],
        what: `${order.status}/${payment.status} needs ${expected[1].join(' or ')} and carries ${payment.attention}, ${payment.hasDate ? 'with' : 'without'} a date`,
      });
    if (listed && (payment.attention !== null) !== listed.payments.has(payment.id))
      wrong.push({ rule: 'attention is listed', what: `the payment carries ${payment.attention}` });
  }
  if (listed && listed.order !== needsAttention(evidence))
    wrong.push({ rule: 'attention is listed', what: `the order is ${order.status} and carries ${order.attention}` });
  return wrong;
}

/** Whether the player must not be promised that the money comes back. */
export const isOwed = ({ order }: Pick<Evidence, 'order'>): boolean =>
  order.payments.some(({ attention }) => attention === 'refund_refused' || attention === 'refund_failed');

const PROMISES = /We’re refunding|We refunded|refund of .{1,40} is on its way/;

/** What holds when all is quiet: no fault strikes any more and every callback arrived. */
export function judgeRest(evidence: Evidence): Violation[] {
  const wrong = [...judgeStep(evidence), ...judgeSilence(evidence)];
  const say: Say = (rule, what) => {
    if (what !== null) wrong.push({ rule, what });
  };
  judgeMoney(evidence, say);
  judgeLiveness(evidence, say);
  if (!evidence.known.settledElsewhere) say('items fit the status', judgeItems(evidence));
  const promise = isOwed(evidence) ? PROMISES.exec(evidence.page ?? '') : null;
  say('the page promises nothing that was refused', promise && `${evidence.order.status}: ${promise[0]}`);
  return wrong;
}
