// The reference model: what an order, its payment, the game's inventory and the provider's books may look like, written
// from the interface and the contract. It knows nothing of how the shop works.
import { type BookCharge, isReserved, netOf, OPEN_DISPUTES } from './bank.ts';
import type { OrderFacts, PaymentFacts } from './facts.ts';
import type { LabOrder } from './studio.ts';

export interface Evidence {
  order: OrderFacts;
  told: LabOrder;
  charges: readonly BookCharge[];
  /** The player holds the items now; the game granted them at some time. */
  held: boolean;
  granted: boolean;
  complaints: readonly string[];
  /** At rest: whether the lists of what needs attention, in the API and in the dashboard, have it. */
  listed: { order: boolean; payments: ReadonlySet<string> } | null;
  /** At rest: what the player reads; null where it was not looked at. */
  page: string | null;
}

export type Rule =
  | 'at most one capture'
  | 'statuses follow the table'
  | 'paid means granted and captured'
  | 'a cancellation stands'
  | 'a refund is kept or its failure visible'
  | 'the game is asked properly'
  | 'what is not final has a date or needs attention'
  | 'money fits the status'
  | 'items fit the status'
  | 'the ledger equals the books'
  | 'a refusal for good is visible'
  | 'a failed refund is visible'
  | 'a dispute is visible'
  | 'attention is listed'
  | 'postings sum to zero'
  | 'answers are expected'
  | 'answers stay true'
  | 'the books are possible'
  | 'the page promises nothing that was refused'
  | 'a job is run by one worker at a time';

export interface Violation {
  rule: Rule;
  what: string;
}

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
const WITHOUT_MONEY = ['created', 'rejected', 'canceled', 'expired', 'refunded', 'charged_back'];
const WITH_ITEMS = ['paid', 'disputed'];
const GIVEN_UP = ['declined', 'abandoned'];
const NOT_YET_OURS = ['pending', 'requires_action', ...GIVEN_UP];

const needsAttention = ({ order }: Evidence): boolean => order.payments.some(({ attention }) => attention !== null);

const goesOn = ({ order }: Evidence): boolean =>
  order.payments.some(({ hasDate }) => hasDate) || order.deliveries.some(delivery => delivery.goesOn);

const attentionOn = ({ order }: Evidence, { paymentId }: BookCharge): string | null =>
  order.payments.find(({ id }) => id === paymentId)?.attention ?? null;

/**
 * Section 10: which code says that money is where the status alone does not expect it. Nothing else excuses it, and a code
 * excuses only while the payment carries it.
 */
const EXPLAINS: Readonly<Record<string, (charge: BookCharge) => boolean>> = {
  refund_refused: ({ status }) => status === 'captured',
  refund_failed: ({ status, refundFailed }) => status === 'captured' && refundFailed,
  provider_error: ({ status, refusedForGood }) => status === 'authorized' && refusedForGood.has('void'),
  amount_differs: ({ status }) => status === 'authorized' || status === 'captured',
};

const isExplained = (evidence: Evidence, charge: BookCharge): boolean =>
  EXPLAINS[attentionOn(evidence, charge) ?? '']?.(charge) ?? false;

function possibleBooks({ charges }: Evidence): boolean {
  return charges.every(charge => {
    const ends = charge.movements.filter(kind => kind === 'captured' || kind === 'voided').length;
    return ends <= 1 && netOf(charge) >= 0;
  });
}

function judgeAnswers({ order, told, ...rest }: Evidence, say: (rule: Rule, what: string) => void): void {
  for (const status of told.answered) {
    if (!canReach(status, order.status)) say('answers stay true', `a caller read ${status}, and it is ${order.status}`);
  }
  if (told.canceled && order.status !== 'canceled') say('a cancellation stands', `it is ${order.status}`);
  const isReversed = order.payments.some(({ status }) => status === 'charged_back');
  const isReturning = isReversed || ['refund_requested', 'refunded', 'disputed'].includes(order.status);
  // A dispute that was won since has settled the matter otherwise.
  const isSettled = told.settledElsewhere || rest.charges.some(({ movements }) => movements.includes('won'));
  const isVisible = order.payments.some(({ attention }) =>
    ['refund_refused', 'refund_failed'].includes(attention ?? ''),
  );
  if (told.refundAccepted && !isReturning && !isVisible && !isSettled)
    say('a refund is kept or its failure visible', `it is ${order.status}`);
}

/** What holds at every moment. */
export function judgeStep(evidence: Evidence): Violation[] {
  const { order, told, charges, granted, complaints } = evidence;
  const wrong: Violation[] = complaints.map(what => ({ rule: 'the game is asked properly', what }));
  const say = (rule: Rule, what: string): void => void wrong.push({ rule, what });
  const captures = charges.filter(({ movements }) => movements.includes('captured'));
  // Money of an attempt that was given up is on its way back, or explained.
  const kept = captures.filter(charge => netOf(charge) > 0 && !GIVEN_UP.includes(statusOf(evidence, charge)));
  if (kept.length > 1) say('at most one capture', `${kept.length} charges are captured`);
  if (!possibleBooks(evidence))
    say('the books are possible', charges.map(({ movements }) => movements.join()).join(' | '));
  if (told.lastSeen && !canReach(told.lastSeen, order.status))
    say('statuses follow the table', `${told.lastSeen} became ${order.status}`);
  const isCaptured = captures.length > 0 || told.amountMinor === 0;
  if (order.status === 'paid' && !(granted && isCaptured))
    say('paid means granted and captured', `granted ${granted}, captures ${captures.length}`);
  judgeAnswers(evidence, say);
  if (!FINAL_OR_WAITING.includes(order.status) && !goesOn(evidence) && !needsAttention(evidence))
    say('what is not final has a date or needs attention', `it is ${order.status}`);
  return wrong;
}

const statusOf = ({ order }: Evidence, { paymentId }: BookCharge): string =>
  order.payments.find(({ id }) => id === paymentId)?.status ?? 'unknown';

function judgeMoney(evidence: Evidence): string | null {
  const { order, charges } = evidence;
  const unexplained = charges.filter(charge => !isExplained(evidence, charge));
  const kept = unexplained.reduce((sum, charge) => sum + netOf(charge), 0);
  const reserved = unexplained.filter(isReserved).length;
  const there = `the provider keeps ${kept} and reserves ${reserved}`;
  if (WITHOUT_MONEY.includes(order.status) && (kept !== 0 || reserved !== 0)) return `${order.status}, and ${there}`;
  if (order.status === 'pending' && (kept !== 0 || reserved !== 0)) return `pending, and ${there}`;
  if (WITH_ITEMS.includes(order.status)) {
    const live = order.payments.find(({ status }) => ['succeeded', 'disputed'].includes(status));
    const own = charges.filter(({ paymentId }) => paymentId === live?.id).reduce((sum, one) => sum + netOf(one), 0);
    const others = unexplained.filter(({ paymentId }) => paymentId !== live?.id);
    if (own !== live?.amountMinor || others.some(one => isReserved(one) || netOf(one) !== 0))
      return `${order.status} for ${live?.amountMinor}, and ${there}`;
  }
  return null;
}

const UNDELIVERED = ['pending', 'blocked', 'held', 'exhausted'];

function judgeItems({ order, told, held }: Evidence): string | null {
  const removal = order.deliveries.find(({ kind }) => kind === 'item.remove');
  if (WITH_ITEMS.includes(order.status) && !held) {
    // The items went with a refund that then did not arrive, or was refused after they were asked back.
    const codes = ['refund_failed', 'refund_refused', ...(told.wasRefunded ? ['dispute_open', 'dispute_unclear'] : [])];
    const isVisible = order.payments.some(({ attention }) => codes.includes(attention ?? ''));
    return removal && isVisible ? null : `${order.status}, and the player has no items`;
  }
  // A game that no request reaches cannot be made to take them back; the delivery is there to be sent again.
  if (WITHOUT_MONEY.includes(order.status) && held && !UNDELIVERED.includes(removal?.status ?? ''))
    return `${order.status}, and the player has the items`;
  return null;
}

/** Money that waits for a person's decision, or goes back, is in the provider's books and was never the shop's. */
function judgeLedger({ order, charges }: Evidence): string | null {
  for (const { id, status } of order.payments) {
    const charge = charges.find(one => one.paymentId === id);
    const isOurs = charge && !NOT_YET_OURS.includes(status);
    const booked = isOurs ? netOf(charge) + (isReserved(charge) ? charge.amountMinor : 0) : 0;
    const amount = order.ledger.get(id) ?? 0;
    if (amount !== booked) return `the ledger says ${amount}, the books ${booked}, the payment is ${status}`;
  }
  return null;
}

const RETURNING = ['rejected', 'refund_requested', 'canceled', 'expired', 'created'];

/** Which of the contract's codes a payment must carry for what the provider did; null: none. */
function expectedCodes({ order, told }: Evidence, payment: PaymentFacts, charge: BookCharge): [Rule, string[]] | null {
  const { refusedForGood, dispute, status, refundFailed } = charge;
  const isReturning = RETURNING.includes(order.status) || GIVEN_UP.includes(payment.status);
  if (dispute && OPEN_DISPUTES.includes(dispute.status) && status === 'captured') {
    const codes = dispute.status === 'unclear' ? ['dispute_unclear'] : ['dispute_open'];
    // Of another amount, it waits for a decision, and what it waits for says that the bank questions it.
    if (NOT_YET_OURS.includes(payment.status)) codes.push('amount_differs');
    return ['a dispute is visible', isReturning ? ['refund_refused', 'refund_failed', ...codes] : codes];
  }
  if (status === 'authorized' && refusedForGood.has('capture') && order.status === 'authorized')
    return ['a refusal for good is visible', ['capture_refused', 'grant_unanswered']];
  if (status === 'authorized' && refusedForGood.has('void') && isReturning)
    return ['a refusal for good is visible', ['provider_error']];
  if (status !== 'captured' || dispute?.status === 'lost') return null;
  if (refusedForGood.has('refund') && isReturning)
    return ['a refusal for good is visible', ['refund_refused', 'refund_failed']];
  // One that was made and failed at the provider before the shop heard of it has changed nothing here.
  const isOurs = told.refundAccepted || told.wasRefunded;
  if (refundFailed && isOurs && dispute?.status !== 'won')
    return ['a failed refund is visible', ['refund_failed', 'refund_refused']];
  return null;
}

/** Money that waits for a person is told with its code, and everything that carries one is in every list. */
function judgeSilence(evidence: Evidence): Violation[] {
  const { order, charges, listed, told } = evidence;
  const wrong: Violation[] = [];
  for (const payment of order.payments) {
    const charge = charges.find(({ paymentId }) => paymentId === payment.id);
    const expected = charge && !told.settledElsewhere ? expectedCodes(evidence, payment, charge) : null;
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
  const say = (rule: Rule, what: string | null): void => {
    if (what !== null) wrong.push({ rule, what });
  };
  // A member said that this is settled without the shop, so the record and the provider may differ from here on.
  if (!evidence.told.settledElsewhere) {
    say('money fits the status', judgeMoney(evidence));
    say('items fit the status', judgeItems(evidence));
  }
  say('the ledger equals the books', judgeLedger(evidence));
  const promise = isOwed(evidence) ? PROMISES.exec(evidence.page ?? '') : null;
  say('the page promises nothing that was refused', promise && `${evidence.order.status}: ${promise[0]}`);
  return wrong;
}
