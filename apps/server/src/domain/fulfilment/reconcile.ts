import type { EventKind } from '@coinslot/contract';
import type { Order, OrderCommand } from '../order/order.ts';
import { decide as decideOrder } from '../order/order.ts';
import type { Charge } from '../payment/gateways/gateway.ts';
import type { Payment, PaymentCommand } from '../payment/payment.ts';
import { decide as decidePayment } from '../payment/payment.ts';

/** An order and the payment that holds, or may hold, its money. */
export interface Story {
  order: Order;
  payment: Payment;
}

export interface Reconciled extends Story {
  events: EventKind[];
  /** The money is reserved: ask the game. */
  askGame: boolean;
  /** Granted and collected: the player gets a receipt. */
  sendReceipt: boolean;
  /** The bank reversed it: the items must go. */
  takeBack: boolean;
  changed: boolean;
}

type Step = { order?: OrderCommand; payment?: PaymentCommand };

const UNDECIDED: readonly string[] = ['pending', 'requires_action'];

const isSameMoney = (payment: Payment, charge: Charge): boolean =>
  charge.amountMinor === payment.amountMinor && (payment.amountMinor === 0 || charge.currency === payment.currency);

/** From here on we count on the money, so it must be the order's amount. */
const isTaking = ({ order }: Step): boolean => order === 'authorize' || order === 'collect';

const RESERVED: Step[] = [{ payment: 'authorize', order: 'authorize' }];

function disputeSteps(payment: Payment, charge: Charge): Step[] {
  const opened: Step[] = payment.status === 'succeeded' ? [{ payment: 'open_dispute', order: 'open_dispute' }] : [];
  if (!['succeeded', 'disputed'].includes(payment.status)) return [];
  switch (charge.dispute?.status) {
    case 'open':
      return opened;
    case 'lost':
      return [...opened, { payment: 'lose_dispute', order: 'lose_dispute' }];
    case 'won':
      return payment.status === 'disputed' ? [{ payment: 'win_dispute', order: 'win_dispute' }] : [];
    case undefined:
      return [];
  }
}

function capturedSteps({ order, payment }: Story, charge: Charge): Step[] {
  if (UNDECIDED.includes(payment.status)) return RESERVED;
  if (payment.status === 'authorized') {
    if (order.status !== 'authorized' || !order.grantedAt) return [];
    // The answer to a capture may come so late that the bank has had its say already.
    return [{ payment: 'capture', order: 'collect' }, ...disputeSteps({ ...payment, status: 'succeeded' }, charge)];
  }
  return disputeSteps(payment, charge);
}

/** From what the provider holds to what must change here. Whoever asks, and however often, the answer is the same. */
function stepsFor(story: Story, charge: Charge | 'absent'): Step[] {
  const { status } = story.payment;
  const undecided = UNDECIDED.includes(status);
  if (charge === 'absent') return undecided ? [{ payment: 'abandon', order: 'release' }] : [];
  switch (charge.status) {
    case 'requires_action':
      return status === 'pending' ? [{ payment: 'require_action' }] : [];
    case 'authorized':
      return undecided ? RESERVED : [];
    case 'captured':
      return capturedSteps(story, charge);
    case 'declined':
      return undecided ? [{ payment: 'decline', order: 'release' }] : [];
    case 'voided':
      if (undecided) return [{ payment: 'abandon', order: 'release' }];
      if (status === 'authorized') return [{ payment: 'void' }];
      return status === 'refund_requested' ? [{ payment: 'void', order: 'complete_refund' }] : [];
    case 'refunded':
      if (status === 'refund_requested') return [{ payment: 'refund', order: 'complete_refund' }];
      // Collected before the game said no, then returned.
      return status === 'authorized' && story.order.status === 'rejected'
        ? [{ payment: 'capture' }, { payment: 'request_refund' }, { payment: 'refund' }]
        : [];
  }
}

const withCharge = (payment: Payment, charge: Charge): Payment => ({
  ...payment,
  brand: charge.brand ?? payment.brand,
  last4: charge.last4 ?? payment.last4,
  country: charge.country ?? payment.country,
  responseCode: charge.responseCode ?? payment.responseCode,
  responseDescription: charge.responseDescription ?? payment.responseDescription,
  disputeReason: charge.dispute?.reason ?? payment.disputeReason,
});

/** Null: the rules of order or payment forbid the step. */
function take(story: Story, step: Step, now: Date): { story: Story; events: EventKind[] } | null {
  const payment = step.payment && decidePayment(story.payment, step.payment, now);
  const order = step.order && decideOrder(story.order, step.order, now);
  if ((payment && 'refused' in payment) || (order && 'refused' in order)) return null;
  return {
    story: { payment: payment?.payment ?? story.payment, order: order?.order ?? story.order },
    events: [payment?.event, order?.event].filter(event => event != null),
  };
}

const GIVEN_UP: readonly string[] = ['declined', 'abandoned'];
const STRAY = 'The provider holds money for an attempt that was given up here. It is being returned.';

/** Money of an attempt that is over here must not stay at the provider, however it came there. */
function strayProblem(payment: Payment, charge: Charge): string | null {
  const isHeld = charge.status === 'authorized' || charge.status === 'captured';
  return GIVEN_UP.includes(payment.status) && isHeld ? STRAY : null;
}

export function reconcile(story: Story, charge: Charge | 'absent', now: Date): Reconciled {
  const seen = charge === 'absent' ? story : { ...story, payment: withCharge(story.payment, charge) };
  const none = { ...seen, events: [], askGame: false, sendReceipt: false, takeBack: false, changed: seen !== story };
  const hold = (problem: string): Reconciled => ({ ...none, payment: { ...seen.payment, problem }, changed: true });
  const steps = stepsFor(seen, charge);
  if (charge !== 'absent' && steps.some(isTaking) && !isSameMoney(seen.payment, charge)) {
    return hold(
      `The provider reports ${charge.amountMinor} ${charge.currency}, the order is ${seen.payment.amountMinor} ${seen.payment.currency}. Held for review.`,
    );
  }
  if (charge !== 'absent' && GIVEN_UP.includes(seen.payment.status)) {
    return { ...none, payment: { ...seen.payment, problem: strayProblem(seen.payment, charge) } };
  }
  let current: Story = seen;
  const events: EventKind[] = [];
  for (const step of steps) {
    const taken = take(current, step, now);
    // The record contradicts itself. People must look; throwing would ask the provider for ever and tell nobody.
    if (!taken) {
      return hold(
        `The provider says ${charge === 'absent' ? charge : charge.status}, but the order is ${seen.order.status} and the payment ${seen.payment.status}. Held for review.`,
      );
    }
    current = taken.story;
    events.push(...taken.events);
  }
  return {
    ...current,
    events,
    askGame: steps === RESERVED,
    sendReceipt: steps.some(step => step.order === 'collect'),
    takeBack: steps.some(step => step.order === 'lose_dispute'),
    changed: none.changed || steps.length > 0,
  };
}
