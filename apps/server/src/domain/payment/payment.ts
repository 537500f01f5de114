import type { EventKind, PaymentStatus } from '@coinslot/contract';
import { newId } from '../../kit/ids.ts';
import type { Attention, Order } from '../order/order.ts';
import type { DisputeStatus } from './providers/base/gateway.ts';

/** The player has done everything, and the money comes by itself: how they pay, and until when. */
export interface PaymentInstructions {
  /** The provider's own page with a voucher or a code. */
  url: string | null;
  /** What the player types at the bank or shows in the store. */
  reference: string | null;
  expiresAt: Date | null;
}

export interface Payment {
  environmentId: string;
  id: string;
  orderId: string;
  playerId: string;
  status: PaymentStatus;
  gateway: string;
  method: string;
  brand: string | null;
  last4: string | null;
  country: string | null;
  email: string | null;
  amountMinor: number;
  currency: string;
  responseCode: string | null;
  responseDescription: string | null;
  refundReason: string | null;
  disputeReason: string | null;
  disputeStatus: DisputeStatus | null;
  problem: string | null;
  attention: Attention | null;
  instructions: PaymentInstructions | null;
  /** The player wants the method saved for the next order, once it has paid. */
  saveMethod: boolean;
  createdAt: Date;
  updatedAt: Date;
  authorizedAt: Date | null;
  capturedAt: Date | null;
  refundedAt: Date | null;
  /** A member settled it outside of Coinslot; every later step ends that. */
  settledAt: Date | null;
}

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

export type Decision = { payment: Payment; event: EventKind | null } | { refused: 'wrong_status' };

const TIME_OF: Partial<Record<PaymentCommand, 'authorizedAt' | 'capturedAt' | 'refundedAt'>> = {
  authorize: 'authorizedAt',
  capture: 'capturedAt',
  refund: 'refundedAt',
};

export function decide(payment: Payment, command: PaymentCommand, now: Date): Decision {
  const next = (NEXT_STATUS[payment.status] as Partial<Record<PaymentCommand, PaymentStatus>>)[command];
  if (!next) return { refused: 'wrong_status' };
  // A refund that was asked for before the record knew of a capture, and was refused: there was one.
  const isFound = command === 'refuse_refund' && payment.capturedAt === null;
  const time = isFound ? 'capturedAt' : TIME_OF[command];
  return {
    payment: { ...payment, status: next, updatedAt: now, settledAt: null, ...(time && { [time]: now }) },
    event: isFound ? 'payment.succeeded' : (EVENT_OF[command] ?? null),
  };
}

const UNDER_WAY: readonly PaymentStatus[] = ['pending', 'requires_action', 'authorized'];
const UNFITTING: readonly string[] = ['amount_differs', 'provider_error'];

/** What the provider holds does not fit the order: no worker goes on until a studio member decides. */
export const isInReview = ({ status, attention }: Pick<Payment, 'status' | 'attention'>): boolean =>
  attention?.isFinal === true && UNFITTING.includes(attention.code) && UNDER_WAY.includes(status);
