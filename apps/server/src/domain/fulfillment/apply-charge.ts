import type { EventKind } from '@coinslot/contract';
import { decimalText } from '../../kit/money.ts';
import type { Order, OrderCommand } from '../order/order.ts';
import { decide as decideOrder } from '../order/order.ts';
import type { Charge } from '../payment/gateways/gateway.ts';
import { isInReview } from '../payment/is-in-review.ts';
import type { Payment, PaymentCommand } from '../payment/payment.ts';
import { decide as decidePayment } from '../payment/payment.ts';

/** An order and the payment that holds, or may hold, its money. */
export interface Purchase {
  order: Order;
  payment: Payment;
}

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

type Step = { order?: OrderCommand; payment?: PaymentCommand };

const UNDECIDED: readonly string[] = ['pending', 'requires_action'];

const moneyText = ({ amountMinor, currency }: Pick<Charge, 'amountMinor' | 'currency'>): string =>
  `${decimalText(amountMinor, currency)} ${currency}`;

const isSameMoney = (payment: Payment, charge: Charge): boolean =>
  charge.amountMinor === payment.amountMinor && (payment.amountMinor === 0 || charge.currency === payment.currency);

/** From here on we count on the money, so it must be the order's amount. */
const isTaking = ({ order }: Step): boolean => order === 'authorize' || order === 'capture';

const RESERVED: Step[] = [{ payment: 'authorize', order: 'authorize' }];

function disputeSteps(payment: Payment, charge: Charge): Step[] {
  const opened: Step[] = payment.status === 'succeeded' ? [{ payment: 'open_dispute', order: 'open_dispute' }] : [];
  if (!['succeeded', 'disputed'].includes(payment.status)) return [];
  switch (charge.dispute?.status) {
    case 'inquiry':
    case 'open':
    case 'unclear':
      return opened;
    case 'lost':
      return [...opened, { payment: 'lose_dispute', order: 'lose_dispute' }];
    case 'won':
      return payment.status === 'disputed' ? [{ payment: 'win_dispute', order: 'win_dispute' }] : [];
    case undefined:
      return [];
  }
}

function capturedSteps({ order, payment }: Purchase, charge: Charge): Step[] {
  if (UNDECIDED.includes(payment.status)) return RESERVED;
  if (payment.status === 'authorized') {
    if (order.status !== 'authorized' || !order.grantedAt) return [];
    // The answer to a capture may come so late that the bank has had its say already.
    return [{ payment: 'capture', order: 'capture' }, ...disputeSteps({ ...payment, status: 'succeeded' }, charge)];
  }
  return disputeSteps(payment, charge);
}

const RETURNED: Step[] = [
  { payment: 'request_refund', order: 'request_refund' },
  { payment: 'refund', order: 'complete_refund' },
];

/** Returned because we asked, or by somebody at the provider. */
function refundedSteps({ order, payment }: Purchase, charge: Charge): Step[] {
  switch (payment.status) {
    case 'pending':
    case 'requires_action':
      return [{ payment: 'abandon', order: 'reopen' }];
    case 'refund_requested':
      return [{ payment: 'refund', order: 'complete_refund' }];
    case 'authorized':
      // Collected before the game said no, then returned.
      if (order.status === 'rejected')
        return [{ payment: 'capture' }, { payment: 'request_refund' }, { payment: 'refund' }];
      return RETURNED;
    case 'succeeded':
      return RETURNED;
    case 'disputed':
      // A refund is how a studio settles with a bank that only asked.
      return charge.dispute?.status === 'lost'
        ? disputeSteps(payment, charge)
        : [{ payment: 'win_dispute', order: 'win_dispute' }, ...RETURNED];
    case 'declined':
    case 'abandoned':
    case 'voided':
    case 'refunded':
    case 'charged_back':
      return [];
  }
}

/** From what the provider holds to what must change here. Whoever asks, and however often, the answer is the same. */
function stepsFor(purchase: Purchase, charge: Charge | 'absent'): Step[] {
  const { status } = purchase.payment;
  const undecided = UNDECIDED.includes(status);
  if (charge === 'absent') return undecided ? [{ payment: 'abandon', order: 'reopen' }] : [];
  switch (charge.status) {
    case 'requires_action':
      return status === 'pending' ? [{ payment: 'require_action' }] : [];
    case 'processing':
      return [];
    case 'authorized':
      return undecided ? RESERVED : [];
    case 'captured':
      return capturedSteps(purchase, charge);
    case 'declined':
      return undecided ? [{ payment: 'decline', order: 'reopen' }] : [];
    case 'voided':
      if (undecided) return [{ payment: 'abandon', order: 'reopen' }];
      // Ended at the provider while we counted on it: without money there is no sale.
      if (status === 'authorized')
        return [purchase.order.status === 'authorized' ? { payment: 'void', order: 'reject' } : { payment: 'void' }];
      return status === 'refund_requested' ? [{ payment: 'void', order: 'complete_refund' }] : [];
    case 'refunded':
      return refundedSteps(purchase, charge);
  }
}

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

/** Null: the rules of order or payment forbid the step. */
function take(purchase: Purchase, step: Step, now: Date): { purchase: Purchase; events: EventKind[] } | null {
  const payment = step.payment && decidePayment(purchase.payment, step.payment, now);
  const order = step.order && decideOrder(purchase.order, step.order, now);
  if ((payment && 'refused' in payment) || (order && 'refused' in order)) return null;
  return {
    purchase: { payment: payment?.payment ?? purchase.payment, order: order?.order ?? purchase.order },
    events: [payment?.event, order?.event].filter(event => event != null),
  };
}

const GIVEN_UP: readonly string[] = ['declined', 'abandoned'];
const STRAY = 'The provider holds money for an attempt that was given up here. It is being returned.';

/** Money of an attempt that is over here must not stay at the provider, however it came there. */
function strayProblem(payment: Payment, charge: Charge): string | null {
  const isThere = charge.status === 'authorized' || charge.status === 'captured';
  return GIVEN_UP.includes(payment.status) && isThere ? STRAY : null;
}

function revocationFor(steps: Step[]): AppliedCharge['revokeItems'] {
  if (steps.some(step => step.order === 'lose_dispute')) return 'chargeback';
  return steps.some(step => step.order === 'request_refund' || step.order === 'reject') ? 'refund' : null;
}

/** What happened without us has its reason written down, for people who wonder. */
function told({ order, payment }: Purchase, steps: Step[]): Purchase {
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
  const hold = (problem: string): AppliedCharge => ({ ...none, payment: { ...seen.payment, problem }, changed: true });
  const steps = stepsFor(seen, charge);
  if (charge !== 'absent' && steps.some(isTaking) && !isSameMoney(seen.payment, charge)) {
    return hold(`The provider reports ${moneyText(charge)}, the order is ${moneyText(seen.payment)}. Held for review.`);
  }
  if (charge !== 'absent' && GIVEN_UP.includes(seen.payment.status)) {
    return { ...none, payment: { ...seen.payment, problem: strayProblem(seen.payment, charge) } };
  }
  // What moves on is held no longer, whoever decided it.
  const isSettled = steps.length > 0 && isInReview(seen.payment);
  let current: Purchase = isSettled ? { ...seen, payment: { ...seen.payment, problem: null } } : seen;
  const events: EventKind[] = [];
  for (const step of steps) {
    const taken = take(current, step, now);
    // The record contradicts itself. People must look; throwing would ask the provider for ever and tell nobody.
    if (!taken) {
      return hold(
        `The provider says ${charge === 'absent' ? charge : charge.status}, but the order is ${seen.order.status} and the payment ${seen.payment.status}. Held for review.`,
      );
    }
    current = taken.purchase;
    events.push(...taken.events);
  }
  return {
    events,
    ...told(current, steps),
    askGame: steps === RESERVED,
    sendReceipt: steps.some(step => step.order === 'capture'),
    revokeItems: revocationFor(steps),
    changed: none.changed || steps.length > 0,
  };
}
