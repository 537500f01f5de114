import type { EventKind, PaymentStatus } from '@coinslot/contract';
import { newId } from '../../kit/ids.ts';
import type { Order } from '../order/order.ts';
import type { Payment } from './payment-row.ts';

export type { Payment, PaymentInstructions } from './payment-row.ts';

/** A fresh attempt to pay an order; its id is also the provider's idempotency key. */
export const newPayment = (
  order: Pick<Order, 'environmentId' | 'id' | 'playerId' | 'amountMinor' | 'currency' | 'updatedAt'>,
  given: { gateway: string; method: string; email: string | null; saveMethod?: boolean | undefined },
  now: Date,
): Payment => ({
  environmentId: order.environmentId,
  // The last attempt of an order is the one with the greatest id, also when the clock was set back between two of them.
  id: newId('pay', Math.max(now.getTime(), order.updatedAt.getTime() + 1)),
  orderId: order.id,
  playerId: order.playerId,
  status: 'pending',
  gateway: given.gateway,
  method: given.method,
  brand: null,
  last4: null,
  country: null,
  email: given.email,
  amountMinor: order.amountMinor,
  currency: order.currency,
  returnedMinor: 0,
  responseCode: null,
  responseDescription: null,
  refundReason: null,
  disputeReason: null,
  disputeStatus: null,
  problem: null,
  attention: null,
  instructions: null,
  saveMethod: given.saveMethod ?? false,
  createdAt: now,
  updatedAt: now,
  version: 1,
  authorizedAt: null,
  capturedAt: null,
  refundedAt: null,
  settledAt: null,
});

export const NEXT_STATUS = {
  pending: { require_action: 'requires_action', authorize: 'authorized', decline: 'declined', abandon: 'abandoned' },
  requires_action: { authorize: 'authorized', decline: 'declined', abandon: 'abandoned' },
  authorized: { capture: 'succeeded', void: 'voided', request_refund: 'refund_requested' },
  succeeded: { request_refund: 'refund_requested', open_dispute: 'disputed' },
  declined: {},
  abandoned: {},
  voided: {},
  // A refund of money that was only reserved ends as a release.
  refund_requested: { refund: 'refunded', void: 'voided', refuse_refund: 'succeeded' },
  refunded: { fail_refund: 'succeeded' },
  disputed: { win_dispute: 'succeeded', lose_dispute: 'charged_back', request_refund: 'refund_requested' },
  charged_back: {},
} as const satisfies Record<PaymentStatus, Record<string, PaymentStatus>>;

export type PaymentCommand = { [S in PaymentStatus]: keyof (typeof NEXT_STATUS)[S] }[PaymentStatus];

const EVENT_OF: Partial<Record<PaymentCommand, EventKind>> = {
  require_action: 'payment.requires_action',
  authorize: 'payment.authorized',
  decline: 'payment.declined',
  abandon: 'payment.abandoned',
  capture: 'payment.succeeded',
  void: 'payment.voided',
  refund: 'payment.refunded',
  open_dispute: 'payment.disputed',
  lose_dispute: 'payment.charged_back',
};

export type PaymentDecision = { payment: Payment; event: EventKind | null } | { refused: 'wrong_status' };

const TIME_OF: Partial<Record<PaymentCommand, 'authorizedAt' | 'capturedAt' | 'refundedAt'>> = {
  authorize: 'authorizedAt',
  capture: 'capturedAt',
  refund: 'refundedAt',
};

/** The payment with what changes of it; property by property, as `orderWith`. */
export const paymentWith = (payment: Payment, change: Partial<Payment>): Payment =>
  Object.assign(
    {
      environmentId: payment.environmentId,
      id: payment.id,
      orderId: payment.orderId,
      playerId: payment.playerId,
      status: payment.status,
      gateway: payment.gateway,
      method: payment.method,
      brand: payment.brand,
      last4: payment.last4,
      country: payment.country,
      email: payment.email,
      amountMinor: payment.amountMinor,
      currency: payment.currency,
      returnedMinor: payment.returnedMinor,
      responseCode: payment.responseCode,
      responseDescription: payment.responseDescription,
      refundReason: payment.refundReason,
      disputeReason: payment.disputeReason,
      disputeStatus: payment.disputeStatus,
      problem: payment.problem,
      attention: payment.attention,
      instructions: payment.instructions,
      saveMethod: payment.saveMethod,
      createdAt: payment.createdAt,
      updatedAt: payment.updatedAt,
      version: payment.version,
      authorizedAt: payment.authorizedAt,
      capturedAt: payment.capturedAt,
      refundedAt: payment.refundedAt,
      settledAt: payment.settledAt,
    } satisfies Payment,
    change,
  );

export function decidePayment(payment: Payment, command: PaymentCommand, now: Date): PaymentDecision {
  const next = (NEXT_STATUS[payment.status] as Partial<Record<PaymentCommand, PaymentStatus>>)[command];
  if (!next) return { refused: 'wrong_status' };
  // A refund that was asked for before the record knew of a capture, and was refused: there was one.
  const isFound = command === 'refuse_refund' && payment.capturedAt === null;
  // The same of one that the bank did not take in the end. It was booked as returned already, so nothing is taken now.
  const isCapturedThere = isFound || (command === 'fail_refund' && payment.capturedAt === null);
  const time = isCapturedThere ? 'capturedAt' : TIME_OF[command];
  const decided = paymentWith(payment, { status: next, updatedAt: now, settledAt: null });
  if (time) decided[time] = now;
  return {
    payment: decided,
    event: isFound ? 'payment.succeeded' : (EVENT_OF[command] ?? null),
  };
}

export const allowedPaymentCommands = (status: PaymentStatus): PaymentCommand[] =>
  Object.keys(NEXT_STATUS[status]) as PaymentCommand[];

type PaymentTrait =
  /** The provider has not said yet whether it pays. */
  | 'undecided'
  /** Not settled yet: as the column `stage` has it. */
  | 'open'
  /** Not at its end: the provider is needed to get there. */
  | 'under_way'
  /** Over without money. */
  | 'given_up'
  /** It may be one of many that a thief tries. */
  | 'counts_as_attempt'
  | 'holds_money'
  /** The shop has the money, in question or not. */
  | 'earned'
  /** The player's wait is over. */
  | 'ends_wait'
  /** A bank questions the money, or has taken it. */
  | 'questioned'
  | 'refund_begun'
  /** The payer has the money again. */
  | 'money_back';

/** What a status says of a payment. Rules, lists and statements ask for it here and name no statuses of their own. */
const TRAITS: Readonly<Record<PaymentStatus, readonly PaymentTrait[]>> = {
  pending: ['undecided', 'open', 'under_way', 'counts_as_attempt'],
  requires_action: ['undecided', 'open', 'under_way', 'counts_as_attempt'],
  authorized: ['open', 'under_way', 'holds_money'],
  succeeded: ['holds_money', 'earned', 'ends_wait'],
  declined: ['given_up', 'counts_as_attempt', 'ends_wait'],
  abandoned: ['given_up', 'counts_as_attempt', 'ends_wait'],
  voided: ['ends_wait'],
  refund_requested: ['under_way', 'refund_begun'],
  refunded: ['refund_begun', 'money_back'],
  disputed: ['under_way', 'earned', 'questioned'],
  charged_back: ['questioned', 'money_back'],
};

export const paymentIs = (status: PaymentStatus, trait: PaymentTrait): boolean => TRAITS[status].includes(trait);

export const paymentStatusesThatAre = (trait: PaymentTrait): PaymentStatus[] =>
  (Object.keys(TRAITS) as PaymentStatus[]).filter(status => paymentIs(status, trait));

const UNFITTING: readonly string[] = ['amount_differs', 'provider_error'];

/** What the provider holds does not fit the order: no worker goes on until a studio member decides. */
export const isInReview = ({ status, attention }: Pick<Payment, 'status' | 'attention'>): boolean =>
  attention?.isFinal === true && UNFITTING.includes(attention.code) && paymentIs(status, 'open');
