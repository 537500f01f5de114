import type { EventKind } from '@coinslot/contract';
import { decimalText } from '../../kit/money.ts';
import { decide as decideOrder } from '../order/order.ts';
import type { Charge } from '../payment/gateways/gateway.ts';
import { isInReview } from '../payment/is-in-review.ts';
import type { Payment } from '../payment/payment.ts';
import { decide as decidePayment } from '../payment/payment.ts';
import type { Purchase } from './purchase.ts';
import { isGivenUp, RESERVE, type Step, stepsFor } from './purchase-table.ts';

export interface AppliedCharge extends Purchase {
  events: EventKind[];
  /** The money is reserved: ask the game. */
  askGame: boolean;
  /** Granted and collected: the player gets a receipt. */
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

const awaitedOf = (next: Charge['nextAction']): Payment['awaited'] => ({
  url: next?.instructionsUrl ?? null,
  reference: next?.reference ?? null,
  expiresAt: next?.expiresAt ?? null,
});

const withCharge = (payment: Payment, charge: Charge): Payment => ({
  ...payment,
  method: charge.method ?? payment.method,
  brand: charge.brand ?? payment.brand,
  last4: charge.last4 ?? payment.last4,
  country: charge.country ?? payment.country,
  responseCode: charge.responseCode ?? payment.responseCode,
  responseDescription: charge.responseDescription ?? payment.responseDescription,
  disputeReason: charge.dispute?.reason ?? payment.disputeReason,
  awaited: charge.status === 'processing' ? awaitedOf(charge.nextAction) : null,
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
  // A payment that moves on is in review no longer, whether a member or the provider moved it.
  const isResolved = steps.length > 0 && isInReview(purchase.payment);
  let current: Purchase = isResolved ? { ...purchase, payment: { ...purchase.payment, problem: null } } : purchase;
  const events: EventKind[] = [];
  for (const step of steps) {
    const taken = take(current, step, now);
    if (!taken) return null;
    current = taken.purchase;
    events.push(...taken.events);
  }
  return { purchase: current, events };
}

const STRAY = 'The provider holds money for an attempt that was given up here. It is being returned.';

/** Money of an attempt that is over here must not stay at the provider, however it came there. */
function strayProblem(payment: Payment, charge: Charge): string | null {
  const isThere = charge.status === 'authorized' || charge.status === 'captured';
  return isGivenUp(payment.status) && isThere ? STRAY : null;
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
      ? { ...order, problem: 'The reservation ended at the provider before the money was collected.' }
      : order,
    payment: isReturned ? { ...payment, refundReason: payment.refundReason ?? 'Returned at the provider.' } : payment,
  };
}

export function applyCharge(purchase: Purchase, charge: Charge | 'absent', now: Date): AppliedCharge {
  const seen = charge === 'absent' ? purchase : { ...purchase, payment: withCharge(purchase.payment, charge) };
  const { order, payment } = seen;
  const changed = seen !== purchase;
  const none = { order, payment, events: [], askGame: false, sendReceipt: false, revokeItems: null, changed };
  const hold = (problem: string): AppliedCharge => ({ ...none, payment: { ...payment, problem }, changed: true });
  if (charge !== 'absent' && isGivenUp(payment.status)) {
    return { ...none, payment: { ...payment, problem: strayProblem(payment, charge) } };
  }
  const steps = stepsFor(seen, charge);
  if (charge !== 'absent' && steps?.some(isTaking) && !isSameMoney(payment, charge)) {
    return hold(`The provider reports ${moneyText(charge)}, the order is ${moneyText(payment)}. Held for review.`);
  }
  const taken = steps && takeAll(seen, steps, now);
  if (!taken) {
    // A studio member must look; throwing would ask the provider for ever and tell no one.
    return hold(
      `The provider says ${charge === 'absent' ? charge : charge.status}, but the order is ${order.status} and the payment ${payment.status}. Held for review.`,
    );
  }
  return {
    events: taken.events,
    ...withReasons(taken.purchase, steps),
    askGame: steps === RESERVE,
    sendReceipt: steps.some(step => step.order === 'capture'),
    revokeItems: revocationFor(steps),
    changed: changed || steps.length > 0,
  };
}
