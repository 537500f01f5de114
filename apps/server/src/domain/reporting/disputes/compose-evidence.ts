import { EVIDENCE_CHARS } from '@coinslot/contract';
import { evidence as texts } from '@coinslot/texts/evidence';
import { decimalText } from '../../../kit/money.ts';
import type { Order } from '../../order/order.ts';
import { type Payment, paymentIs } from '../../payment/payment.ts';
import { brandName } from '../../payment/providers/base/card.ts';
import type { Evidence } from '../../payment/providers/base/gateway.ts';
import type { Attempt } from '../../webhook/delivery/attempt.sql.ts';
import type { Delivery } from '../../webhook/delivery/delivery.sql.ts';
import type { Receipt } from '../timeline/timeline.sql.ts';

export interface EvidenceFacts {
  gameName: string;
  sellerName: string | null;
  order: Order;
  payment: Payment;
  grant: Delivery | null;
  attempts: readonly Attempt[];
  receipt: Receipt | null;
  others: readonly Payment[];
  disputeReason: string;
  /** The provider's name of the refund, where one was made. */
  refundId: string | null;
}

const say = texts.in('en');
const ANSWER_CHARS = 200;
const MOST_LINES = 12;

const time = (date: Date): string => `${date.toISOString().slice(0, 19).replace('T', ' ')} UTC`;
const money = (amountMinor: number, currency: string): string => `${decimalText(amountMinor, currency)} ${currency}`;

/** Whole lines only: half a line is worth less than none. */
function fit(lines: readonly (string | null | undefined)[]): string {
  const kept: string[] = [];
  let length = 0;
  for (const line of lines) {
    if (!line) continue;
    length += line.length + 1;
    if (length > EVIDENCE_CHARS) break;
    kept.push(line);
  }
  return kept.join('\n');
}

function productText({ gameName, order }: EvidenceFacts): string {
  const { amountMinor, currency, items, createdAt, id } = order;
  return fit([
    say('product', { game: gameName }),
    say('order', { order: id, time: time(createdAt), amount: money(amountMinor, currency) }),
    ...items.map(({ quantity, name, sku }) =>
      say('item', { quantity, item: name === null ? sku : `${name} (${sku})` }),
    ),
  ]);
}

const answerOf = ({ status, responseBody, error }: Attempt): string => {
  if (status === null) return say('no_answer', { error: error ?? 'unknown' });
  const body = responseBody?.replaceAll(/\s+/g, ' ').trim().slice(0, ANSWER_CHARS);
  return body ? say('answer_with_body', { status, body }) : say('answer', { status });
};

function deliveryText({ order, payment: { capturedAt }, grant, attempts }: EvidenceFacts): string {
  if (!grant) return '';
  const granted = order.grantedAt;
  return fit([
    granted ? say('granted', { time: time(granted), player: order.playerId }) : say('not_granted'),
    ...attempts.slice(-MOST_LINES).map(it => say('asked', { time: time(it.startedAt), answer: answerOf(it) })),
    granted && capturedAt && capturedAt >= granted ? say('charged_after') : null,
  ]);
}

/** The money went back already, or is on its way: that is the whole answer. */
function refundText({ payment, refundId }: EvidenceFacts): string | null {
  const { status, refundedAt, updatedAt, amountMinor, currency } = payment;
  if (!paymentIs(status, 'refund_begun')) return null;
  const reference = refundId === null ? '' : say('reference', { refund: refundId });
  const when = time(refundedAt ?? updatedAt);
  return say(refundedAt ? 'refunded' : 'refunding', { amount: money(amountMinor, currency), time: when, reference });
}

const meansOf = ({ brand, method }: Payment): string => (brand ? brandName(brand) : method);

function receiptText(facts: EvidenceFacts): string {
  const { payment, receipt } = facts;
  const { id, amountMinor, currency, last4, country, email, authorizedAt, capturedAt } = payment;
  const means = [meansOf(payment), last4 && say('ending', { last4 }), country && say('country', { country })];
  return fit([
    say('payment', { payment: id, amount: money(amountMinor, currency), means: means.filter(Boolean).join(', ') }),
    authorizedAt && say('approved', { time: time(authorizedAt) }),
    capturedAt && say('charged', { time: time(capturedAt) }),
    refundText(facts),
    receipt?.sentAt && email && say('receipt', { email, time: time(receipt.sentAt) }),
  ]);
}

const isPaid = ({ status }: Payment): boolean => status === 'succeeded';

function historyText({ order: { playerId: player }, payment, others }: EvidenceFacts): string {
  const earlier = others.filter(it => isPaid(it) && it.createdAt < payment.createdAt);
  if (earlier.length === 0) return say('first_purchase', { player });
  const samePayer = earlier.filter(
    ({ last4, email }) => (last4 && last4 === payment.last4) || (email && email === payment.email),
  );
  // Evidence does not say that no earlier purchase was by the same payer: it would help the bank.
  const same = samePayer.length > 0 ? say('same_payer', { same: samePayer.length }) : '';
  return fit([
    say('earlier_purchases', { player, count: earlier.length, same }),
    ...earlier.slice(0, MOST_LINES).map(it => {
      const means = it.last4 ? `${meansOf(it)} ${say('ending', { last4: it.last4 })}` : meansOf(it);
      return say('earlier', { time: time(it.createdAt), amount: money(it.amountMinor, it.currency), means });
    }),
  ]);
}

/** By what the bank questions; a studio member knows more and can say it better. */
const STATEMENTS = [
  [/fraud|unauthori/, 'why.fraud'],
  [/not_received/, 'why.not_received'],
  [/duplicate/, 'why.duplicate'],
  [/credit|refund/, 'why.refund'],
  [/described|unacceptable/, 'why.described'],
] as const;

const statementText = (facts: EvidenceFacts): string => {
  const { sellerName, gameName, disputeReason } = facts;
  const seller = sellerName ?? gameName;
  const refund = refundText(facts);
  if (refund) return say('reject_refunded', { seller, refund });
  const [, why] = STATEMENTS.find(([reason]) => reason.test(disputeReason.toLowerCase())) ?? [null, 'why.other'];
  return say('reject', { seller, why: say(why) });
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
