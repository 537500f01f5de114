import type { AttentionCode, EventKind } from '@coinslot/contract';
import { type Phrase, phrase } from '@coinslot/texts/attention';
import { decideOrder } from '../../order/order.ts';
import { decidePayment } from '../../payment/payment.ts';
import type { Refusal } from '../../payment/providers/base/charge-shape.ts';
import { nextAction, nextCheckInSeconds } from '../table/purchase-rules.ts';
import type { ProviderAction } from '../table/purchase-table.ts';
import type { ProviderAnswer, ProviderStep } from './ask-provider.ts';
import { attentionOf } from './charge-attention.ts';
import type { Followup, Purchase, PurchaseShop } from './purchase.ts';
import type { NoteWriter, PaymentRef } from './record-charge.ts';
import { lockPurchaseOf, savePurchase } from './save-purchase.ts';

type Refused = Extract<ProviderAnswer, { kind: 'refused' }>;

const CODES: Record<ProviderStep, AttentionCode> = {
  capture: 'capture_refused',
  void: 'provider_error',
  refund: 'refund_refused',
};

function refusalPhrase(step: ProviderStep, { reason, code, param, requestId }: Refusal): Phrase {
  const facts = [`code ${code}`, param && `parameter ${param}`, requestId && `request ${requestId}`].filter(Boolean);
  return phrase(`refused.${step}`, { reason: `${reason} (${facts.join(', ')})` });
}

/** Which commands a refused step means for the purchase; none leaves it where it is. */
function afterRefusal(before: Purchase, step: ProviderStep, now: Date): Purchase & { events: EventKind[] } {
  const unmoved = { ...before, events: [] };
  if (step !== 'refund') return unmoved;
  const isRejected = before.order.status === 'rejected';
  // The money of a rejected order was captured, and that is what the record must say now.
  const payment = decidePayment(before.payment, isRejected ? 'capture' : 'refuse_refund', now);
  const order = isRejected ? { order: before.order, event: null } : decideOrder(before.order, 'refuse_refund', now);
  if ('refused' in payment || 'refused' in order) return unmoved;
  const events = [payment.event, order.event].filter(event => event !== null);
  return { order: order.order, payment: payment.payment, events };
}

/** A clear no of the provider: nothing moved there, and a studio member must know. */
export function recordRefusal(
  { db, signals }: PurchaseShop,
  ref: PaymentRef,
  answer: Refused,
  note?: NoteWriter,
): Promise<Followup> {
  const { step, refusal } = answer;
  return db.transaction(async tx => {
    const before = await lockPurchaseOf(tx, ref);
    note?.(tx);
    // The purchase went another way while the provider was asked.
    if (!ASKED[step].includes(nextAction(before))) return {};
    const moved = afterRefusal(before, step, before.now);
    const problem = [refusalPhrase(step, refusal)];
    const attention = attentionOf(before.payment.attention, CODES[step], problem, before.now, refusal.isFinal);
    const after = {
      order: { ...moved.order, problem },
      payment: { ...moved.payment, problem, attention },
    };
    const isBack = after.order.status === 'paid' && before.order.status === 'refund_requested';
    savePurchase(tx, before, after, {
      // The usual reason is a dispute that we have not heard of yet, so the provider is asked what it knows.
      nextCheckInSeconds: isBack ? 0 : nextCheckInSeconds(after, null),
      events: moved.events,
      signals,
    });
    return {};
  });
}

const ASKED: Record<ProviderStep, readonly ProviderAction[]> = {
  capture: ['capture'],
  void: ['void_or_refund', 'look_up'],
  refund: ['void_or_refund'],
};

/** The provider keeps silent about money that may have moved. What else needs attention is not hidden by it. */
export function recordSilence({ db, signals }: PurchaseShop, ref: PaymentRef, nextInSeconds: number): Promise<void> {
  return db.transaction(async tx => {
    const before = await lockPurchaseOf(tx, ref);
    if (before.payment.attention !== null || nextAction(before) === 'none') return;
    const attention = attentionOf(null, 'provider_error', [phrase('silent')], before.now, false);
    const after = { order: before.order, payment: { ...before.payment, attention } };
    savePurchase(tx, before, after, { nextCheckInSeconds: nextInSeconds, events: [], signals });
  });
}
