import type { EventKind, OrderStatus } from '@coinslot/contract';
import type { Order } from './order-row.ts';

export type { Attention, Order, OrderDetails, OrderItem } from './order-row.ts';

/** How tables and texts call a phase. */
export type OrderPhaseName = OrderStatus | 'granted' | 'canceled_by_refund' | 'refunded_before_capture';

declare const orderPhase: unique symbol;

/**
 * Some statuses have two phases. `authorized`: the game is being asked, or it said yes and the money is not captured yet.
 * `refund_requested` and `refunded`: of an order that was paid, or of one that was refunded before it ever was. What may
 * follow depends on the phase, so a status is no phase: only `phaseOf` gives one.
 */
export type OrderPhase = OrderPhaseName & { readonly [orderPhase]: true };

/** The whole life of an order. What is not here cannot happen. */
export const NEXT_PHASE = {
  created: { pay: 'pending', claim: 'authorized', cancel: 'canceled', expire: 'expired' },
  pending: { authorize: 'authorized', reopen: 'created' },
  authorized: { grant: 'granted', reject: 'rejected', request_refund: 'canceled_by_refund' },
  // The provider may end a reservation after the grant; then the order is rejected and its items are revoked.
  granted: { capture: 'paid', reject: 'rejected', request_refund: 'canceled_by_refund' },
  paid: { request_refund: 'refund_requested', open_dispute: 'disputed' },
  rejected: {},
  canceled: {},
  expired: {},
  refund_requested: { complete_refund: 'refunded', refuse_refund: 'paid' },
  // What was never complete does not become so because its money could not be returned.
  canceled_by_refund: { complete_refund: 'refunded_before_capture', refuse_refund: 'rejected' },
  refunded_before_capture: { fail_refund: 'rejected' },
  // The bank may fail to take the money days after the provider said that it was returned.
  refunded: { fail_refund: 'paid' },
  disputed: { win_dispute: 'paid', lose_dispute: 'charged_back', request_refund: 'refund_requested' },
  charged_back: {},
} as const satisfies Record<OrderPhaseName, Record<string, OrderPhaseName>>;

export const ORDER_PHASES = Object.keys(NEXT_PHASE) as OrderPhase[];

export type OrderCommand = { [P in OrderPhaseName]: keyof (typeof NEXT_PHASE)[P] }[OrderPhaseName];

/** A won dispute makes no event: nothing was taken away and nothing is granted again. */
const EVENT_OF: Partial<Record<OrderCommand, EventKind>> = {
  cancel: 'order.canceled',
  expire: 'order.expired',
  capture: 'order.paid',
  reject: 'order.rejected',
  complete_refund: 'order.refunded',
  open_dispute: 'order.disputed',
  lose_dispute: 'order.charged_back',
};

export type OrderDecision =
  | { order: Order; event: EventKind | null }
  | { refused: 'wrong_status' | 'time_over' | 'not_yet' };

function phaseNameOf({ status, grantedAt, paidAt }: Pick<Order, 'status' | 'grantedAt' | 'paidAt'>): OrderPhaseName {
  if (status === 'authorized' && grantedAt) return 'granted';
  if (paidAt) return status;
  if (status === 'refund_requested') return 'canceled_by_refund';
  return status === 'refunded' ? 'refunded_before_capture' : status;
}

export const phaseOf = (order: Pick<Order, 'status' | 'grantedAt' | 'paidAt'>): OrderPhase =>
  phaseNameOf(order) as OrderPhase;

const STATUS_IN: Partial<Record<OrderPhaseName, OrderStatus>> = {
  granted: 'authorized',
  canceled_by_refund: 'refund_requested',
  refunded_before_capture: 'refunded',
};

export const statusIn = (phase: OrderPhaseName): OrderStatus => STATUS_IN[phase] ?? (phase as OrderStatus);

const phaseAfter = (phase: OrderPhaseName, command: OrderCommand): OrderPhaseName | undefined =>
  (NEXT_PHASE[phase] as Partial<Record<OrderCommand, OrderPhaseName>>)[command];

export const isOver = (order: Pick<Order, 'expiresAt'>, now: Date): boolean => order.expiresAt <= now;

/** What a reader must see: an unpaid order whose time is over has lapsed, whether or not the sweep has come by. */
export const statusAt = (order: Pick<Order, 'status' | 'expiresAt'>, now: Date): OrderStatus =>
  order.status === 'created' && isOver(order, now) ? 'expired' : order.status;

/**
 * The order with what changes of it. Property by property, so that every order has one hidden class: a spread with properties behind
 * it takes five times as long, and each sale makes a dozen orders of its first one.
 */
export const orderWith = (order: Order, change: Partial<Order>): Order =>
  Object.assign(
    {
      environmentId: order.environmentId,
      id: order.id,
      playerId: order.playerId,
      status: order.status,
      amountMinor: order.amountMinor,
      currency: order.currency,
      items: order.items,
      details: order.details,
      email: order.email,
      problem: order.problem,
      attention: order.attention,
      grantedAt: order.grantedAt,
      paidAt: order.paidAt,
      createdAt: order.createdAt,
      expiresAt: order.expiresAt,
      updatedAt: order.updatedAt,
      version: order.version,
    } satisfies Order,
    change,
  );

export function decideOrder(order: Order, command: OrderCommand, now: Date): OrderDecision {
  const next = phaseAfter(phaseOf(order), command);
  if (!next) return { refused: 'wrong_status' };
  const over = isOver(order, now);
  if (over && ['pay', 'claim', 'cancel'].includes(command)) return { refused: 'time_over' };
  if (!over && command === 'expire') return { refused: 'not_yet' };
  // A payment begun in time may end after it; only then the lapse takes effect.
  const lapsed = command === 'reopen' && over;
  return {
    order: orderWith(order, {
      status: lapsed ? 'expired' : statusIn(next),
      grantedAt: command === 'grant' ? now : order.grantedAt,
      paidAt: command === 'capture' ? now : order.paidAt,
      updatedAt: now,
    }),
    event: lapsed ? 'order.expired' : (EVENT_OF[command] ?? (next === 'rejected' ? 'order.rejected' : null)),
  };
}

/** Nothing that a caller could wait for changes it any more. */
export const isFinal = (phase: OrderPhase): boolean =>
  allowedCommands(phase).every(command => command === 'fail_refund');

export const finalOrderStatuses = (): OrderStatus[] => [
  ...new Set(ORDER_PHASES.filter(isFinal).map(phase => statusIn(phase))),
];

/** What may be done to the order now; buttons and answers are made from it. */
export const allowedCommands = (phase: OrderPhase): OrderCommand[] =>
  Object.keys(NEXT_PHASE[phase as OrderPhaseName]) as OrderCommand[];

type OrderTrait =
  /** The player or a worker waits for what becomes of it. */
  | 'under_way'
  /** Between the first attempt to pay and the end of it; as the column `stage` has it. */
  | 'open'
  /** Its items may be granted, or granted again. */
  | 'grantable'
  /** No payment ever held money for it. */
  | 'unpaid'
  /** A refund was asked for or is done. */
  | 'refund_begun'
  /** The payer has the money again. */
  | 'money_back';

/** What a status says of an order. Rules and lists ask for it here and name no statuses of their own. */
const TRAITS: Readonly<Record<OrderStatus, readonly OrderTrait[]>> = {
  created: ['unpaid'],
  pending: ['under_way', 'open'],
  authorized: ['under_way', 'open', 'grantable'],
  paid: ['grantable'],
  rejected: ['money_back'],
  canceled: ['unpaid'],
  expired: ['unpaid'],
  refund_requested: ['under_way', 'refund_begun'],
  refunded: ['refund_begun', 'money_back'],
  disputed: ['under_way'],
  charged_back: ['money_back'],
};

export const orderIs = (status: OrderStatus, trait: OrderTrait): boolean => TRAITS[status].includes(trait);

export const orderStatusesThatAre = (trait: OrderTrait): OrderStatus[] =>
  (Object.keys(TRAITS) as OrderStatus[]).filter(status => orderIs(status, trait));

/** Stands in place of a player who was erased. */
export const ERASED_PREFIX = 'erased_';

export const isErased = ({ playerId }: Pick<Order, 'playerId'>): boolean => playerId.startsWith(ERASED_PREFIX);

/** The signal that wakes those who wait for a change of the order. */
export const orderKey = (orderId: string): string => `order:${orderId}`;
