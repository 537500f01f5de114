import { decimalText } from '../../../kit/money.ts';
import type { Order } from '../../order/order.ts';
import { type Payment, paymentIs } from '../../payment/payment.ts';
import { brandName } from '../../payment/providers/base/card.ts';
import { EVIDENCE_CHARS, type Evidence } from '../../payment/providers/base/gateway.ts';
import type { Attempt } from '../../webhook/delivery/attempt.sql.ts';
import type { Delivery } from '../../webhook/delivery/delivery.sql.ts';
import type { Receipt } from '../timeline/timeline.sql.ts';

export interface EvidenceFacts {
  gameName: string;
  sellerName: string | null;
  order: Order;
  payment: Payment;
  /** `item.add` of the order. */
  grant: Delivery | null;
  attempts: readonly Attempt[];
  receipt: Receipt | null;
  /** Other payments of the player, the newest first. */
  others: readonly Payment[];
  disputeReason: string;
  /** The provider's name of the refund, where one was made. */
  refundId: string | null;
}

const ANSWER_CHARS = 200;
const MOST_LINES = 12;

const time = (date: Date): string => `${date.toISOString().slice(0, 19).replace('T', ' ')} UTC`;
const money = (amountMinor: number, currency: string): string => `${decimalText(amountMinor, currency)} ${currency}`;

/** Whole lines only: half a line is worth less than none. */
function fit(lines: readonly string[]): string {
  const kept: string[] = [];
  let length = 0;
  for (const line of lines) {
    length += line.length + 1;
    if (length > EVIDENCE_CHARS) break;
    kept.push(line);
  }
  return kept.join('\n');
}

function productText({ gameName, order }: EvidenceFacts): string {
  const { amountMinor, currency, items, createdAt, id } = order;
  return fit([
    `Digital items for the game ${gameName}, credited to the player’s account in the game at once. Nothing is shipped.`,
    `Order ${id} of ${time(createdAt)}, total ${money(amountMinor, currency)}:`,
    ...items.map(({ quantity, name, sku }) => `- ${quantity} × ${name === null ? sku : `${name} (${sku})`}`),
  ]);
}

const answerOf = ({ status, responseBody, error }: Attempt): string => {
  if (status === null) return `no answer (${error ?? 'unknown'})`;
  const body = responseBody?.replaceAll(/\s+/g, ' ').trim().slice(0, ANSWER_CHARS);
  return `the game answered HTTP ${status}${body ? `: ${body}` : ''}`;
};

function deliveryText({ order, payment: { capturedAt }, grant, attempts }: EvidenceFacts): string {
  if (!grant) return '';
  const granted = order.grantedAt;
  return fit([
    granted
      ? `The game confirmed at ${time(granted)} that player ${order.playerId} got the items.`
      : 'The game has not confirmed the items.',
    ...attempts
      .slice(-MOST_LINES)
      .map(it => `${time(it.startedAt)}: the game’s server was asked to grant the items; ${answerOf(it)}.`),
    ...(granted && capturedAt && capturedAt >= granted ? ['The player was charged only after this.'] : []),
  ]);
}

/** The money went back already, or is on its way: that is the whole answer. */
function refundText({ payment, refundId }: EvidenceFacts): string | null {
  const { status, refundedAt, updatedAt, amountMinor, currency } = payment;
  if (!paymentIs(status, 'refund_begun')) return null;
  const reference = refundId === null ? '' : `, reference ${refundId}`;
  const when = refundedAt ? `was returned at ${time(refundedAt)}` : `is being returned since ${time(updatedAt)}`;
  return `The whole amount of ${money(amountMinor, currency)} ${when} to the card or account that paid${reference}.`;
}

function receiptText(facts: EvidenceFacts): string {
  const { payment, receipt } = facts;
  const returned = refundText(facts);
  const { id, amountMinor, currency, method, brand, last4, country, email, authorizedAt, capturedAt } = payment;
  const paidWith = [
    brand ? brandName(brand) : method,
    last4 && `ending in ${last4}`,
    country && `issued in ${country}`,
  ].filter(Boolean);
  return fit([
    `Payment ${id}: ${money(amountMinor, currency)} by ${paidWith.join(', ')}.`,
    ...(authorizedAt ? [`Approved by the bank at ${time(authorizedAt)}.`] : []),
    ...(capturedAt ? [`Charged at ${time(capturedAt)}.`] : []),
    ...(returned ? [returned] : []),
    ...(receipt?.sentAt && email
      ? [`A receipt with order number and items was e-mailed to ${email} at ${time(receipt.sentAt)}.`]
      : []),
  ]);
}

const isPaid = ({ status }: Payment): boolean => status === 'succeeded';

function historyText({ order, payment, others }: EvidenceFacts): string {
  const earlier = others.filter(it => isPaid(it) && it.createdAt < payment.createdAt);
  if (earlier.length === 0) return `This is the first purchase of player ${order.playerId}.`;
  const samePayer = earlier.filter(
    ({ last4, email }) => (last4 && last4 === payment.last4) || (email && email === payment.email),
  );
  return fit([
    `Player ${order.playerId} has ${earlier.length} earlier purchases that were not disputed, ${samePayer.length} of them with the same card or e-mail address:`,
    ...earlier
      .slice(0, MOST_LINES)
      .map(
        ({ createdAt, amountMinor, currency, brand, method, last4 }) =>
          `- ${time(createdAt)}: ${money(amountMinor, currency)}, ${brand ? brandName(brand) : method}${last4 ? ` ending in ${last4}` : ''}`,
      ),
  ]);
}

/** By what the bank questions; a studio member knows more and can say it better. */
const STATEMENTS: readonly (readonly [reason: RegExp, text: string])[] = [
  [
    /fraud|unauthori/,
    'The purchase was made from the player’s own account in the game, and the items went to that account.',
  ],
  [/not_received/, 'The items were delivered. Delivery is immediate and was confirmed by the game, as shown above.'],
  [/duplicate/, 'This order is a purchase of its own, with its own order number and its own items.'],
  [/credit|refund/, 'No refund was agreed for this purchase.'],
  [/described|unacceptable/, 'The items are as the player saw them before paying, and work as described.'],
];

const statementText = (facts: EvidenceFacts): string => {
  const { sellerName, gameName, disputeReason } = facts;
  const returned = refundText(facts);
  if (returned) return `${sellerName ?? gameName} asks the bank to reject the dispute: already refunded. ${returned}`;
  const [, text] = STATEMENTS.find(([reason]) => reason.test(disputeReason.toLowerCase())) ?? [
    null,
    'The player bought and received the items, as shown above.',
  ];
  return `${sellerName ?? gameName} asks the bank to reject the dispute. ${text}`;
};

/** What the studio can say from what was recorded, in English, which every bank reads. Pure. */
export const composeEvidence = (facts: EvidenceFacts): Evidence => ({
  product: productText(facts),
  delivery: deliveryText(facts),
  receipt: receiptText(facts),
  history: historyText(facts),
  statement: statementText(facts),
  email: facts.payment.email,
});
