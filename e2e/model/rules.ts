// The reference model: what an order, its payment, the game's inventory and the provider's books may look like, written
// from the interface and the contract. It knows nothing of how the shop works.
import type { OrderFacts } from './facts.ts';
import { type BookCharge, isReserved, netOf } from './provider-books.ts';
import type { LabOrder } from './studio.ts';

export interface Evidence {
  order: OrderFacts;
  told: LabOrder;
  charges: readonly BookCharge[];
  /** The player holds the items now; the game granted them at some time. */
  held: boolean;
  granted: boolean;
  complaints: readonly string[];
  /** As the API tells it; undefined: the program does not know the word yet. */
  attention: string | null | undefined;
  /** It is in the list of what needs attention; undefined: there is no such list yet. */
  isListed: boolean | undefined;
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
  | 'the books are possible';

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
  refund_requested: ['refunded', 'paid'],
  refunded: ['paid'],
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
const NOTHING_KEPT = ['created', 'rejected', 'canceled', 'expired', 'refunded', 'charged_back'];
const NOTHING_HELD = NOTHING_KEPT;
const WITH_ITEMS = ['paid', 'disputed'];

/** Until the contract's word is there, a problem written on the payment is what members are shown. */
export function needsAttention({ attention, order }: Evidence): boolean {
  if (attention !== undefined) return attention !== null;
  return order.payments.some(({ problem }) => problem !== null) || (order.status === 'paid' && order.problem !== null);
}

const goesOn = ({ order }: Evidence): boolean =>
  order.payments.some(({ hasDate }) => hasDate) || order.deliveries.some(delivery => delivery.goesOn);

const keptBy = (charges: readonly BookCharge[]): number => charges.reduce((sum, charge) => sum + netOf(charge), 0);

function possibleBooks({ charges }: Evidence): boolean {
  return charges.every(charge => {
    const ends = charge.movements.filter(kind => kind === 'captured' || kind === 'voided').length;
    return ends <= 1 && netOf(charge) >= 0;
  });
}

/** What holds at every moment. */
export function judgeStep(evidence: Evidence): Violation[] {
  const { order, told, charges, granted, complaints } = evidence;
  const wrong: Violation[] = complaints.map(what => ({ rule: 'the game is asked properly', what }));
  const say = (rule: Rule, what: string): void => void wrong.push({ rule, what });
  const captures = charges.filter(({ movements }) => movements.includes('captured'));
  const byUs = captures.filter(({ movements }) => movements.includes('authorized'));
  if (byUs.filter(charge => netOf(charge) > 0).length > 1)
    say('at most one capture', `${byUs.length} charges are captured`);
  if (!possibleBooks(evidence))
    say('the books are possible', charges.map(({ movements }) => movements.join()).join(' | '));
  if (told.lastSeen && !canReach(told.lastSeen, order.status))
    say('statuses follow the table', `${told.lastSeen} became ${order.status}`);
  if (order.status === 'paid' && (!granted || captures.length === 0))
    say('paid means granted and captured', `granted ${granted}, captures ${captures.length}`);
  if (told.canceled && order.status !== 'canceled') say('a cancellation stands', `it is ${order.status}`);
  const isReturning = ['refund_requested', 'refunded', 'disputed', 'charged_back'].includes(order.status);
  if (told.refundAccepted && !isReturning && !needsAttention(evidence))
    say('a refund is kept or its failure visible', `it is ${order.status}`);
  if (!FINAL_OR_WAITING.includes(order.status) && !goesOn(evidence) && !needsAttention(evidence))
    say('what is not final has a date or needs attention', `it is ${order.status}`);
  return wrong;
}

function judgeMoney({ order, charges }: Evidence): string | null {
  const kept = keptBy(charges);
  const reserved = charges.filter(isReserved).length;
  if (NOTHING_KEPT.includes(order.status) && (kept !== 0 || reserved !== 0))
    return `${order.status}, and the provider keeps ${kept} and reserves ${reserved}`;
  if (WITH_ITEMS.includes(order.status)) {
    const live = order.payments.find(({ status }) => ['succeeded', 'disputed'].includes(status));
    if (kept !== live?.amountMinor || reserved !== 0)
      return `${order.status} for ${live?.amountMinor}, and the provider keeps ${kept} and reserves ${reserved}`;
  }
  return null;
}

function judgeItems({ order, held }: Evidence): string | null {
  if (WITH_ITEMS.includes(order.status) && !held) return `${order.status}, and the player has no items`;
  if (NOTHING_HELD.includes(order.status) && held) return `${order.status}, and the player has the items`;
  return null;
}

function judgeLedger({ order, charges }: Evidence): string | null {
  for (const [paymentId, amount] of order.ledger) {
    const charge = charges.find(one => one.paymentId === paymentId);
    const booked = charge ? netOf(charge) + (isReserved(charge) ? charge.amountMinor : 0) : 0;
    if (amount !== booked) return `the ledger says ${amount}, the books ${booked}`;
  }
  return null;
}

/** Money that waits for a person, as the contract's closed list of codes has it. */
function judgeSilence(evidence: Evidence): Violation[] {
  const { order, charges } = evidence;
  const wrong: Violation[] = [];
  if (needsAttention(evidence)) {
    if (evidence.isListed === false) wrong.push({ rule: 'attention is listed', what: `it is ${order.status}` });
    return wrong;
  }
  for (const charge of charges) {
    const { refusedForGood, dispute, status } = charge;
    const waits =
      (refusedForGood.has('capture') && status === 'authorized') ||
      (refusedForGood.has('refund') &&
        status === 'captured' &&
        order.status !== 'paid' &&
        order.status !== 'disputed') ||
      (refusedForGood.has('void') && status === 'authorized');
    if (waits)
      wrong.push({ rule: 'a refusal for good is visible', what: `${[...refusedForGood].join()}: ${order.status}` });
    if (charge.refundFailed && status === 'captured' && charge.dispute?.status !== 'lost')
      wrong.push({ rule: 'a failed refund is visible', what: `it is ${order.status}` });
    const isOpen = dispute && ['inquiry', 'open', 'unclear'].includes(dispute.status);
    if (isOpen && status === 'captured')
      wrong.push({ rule: 'a dispute is visible', what: `${dispute.status}: the order is ${order.status}` });
  }
  return wrong;
}

/** What holds when all is quiet: no fault strikes any more and every callback arrived. */
export function judgeRest(evidence: Evidence): Violation[] {
  const wrong = [...judgeStep(evidence), ...judgeSilence(evidence)];
  const visible = needsAttention(evidence);
  const money = judgeMoney(evidence);
  if (money !== null && !visible) wrong.push({ rule: 'money fits the status', what: money });
  const removing = evidence.order.deliveries.some(
    ({ kind, status }) => kind === 'item.remove' && status !== 'succeeded',
  );
  const items = judgeItems(evidence);
  if (items !== null && !visible && !removing) wrong.push({ rule: 'items fit the status', what: items });
  // Money that waits for a person's decision is in the books and not yet the shop's.
  const ledger = judgeLedger(evidence);
  if (ledger !== null && !visible) wrong.push({ rule: 'the ledger equals the books', what: ledger });
  return wrong;
}
