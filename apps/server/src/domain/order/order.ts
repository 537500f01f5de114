import type { AttentionCode, EventKind, OrderStatus } from '@coinslot/contract';

export interface OrderItem {
  sku: string;
  name: string | null;
  description: string | null;
  imageUrl: string | null;
  quantity: number;
  /** Price of one piece with the sale applied; null when only the whole order has a price. */
  priceMinor: number | null;
  /** Price before the sale, when a sale applied. */
  fullPriceMinor: number | null;
  currency: string | null;
}

/** What the order carries along and no rule looks at. */
export interface OrderDetails {
  country: string | null;
  locale: string | null;
  theme: 'auto' | 'light' | 'dark';
  backToGameUrl: string | null;
  backToStoreUrl: string | null;
  metadata: Record<string, string>;
}

/** Why money waits for a studio member. */
export interface Attention {
  code: AttentionCode;
  since: Date;
  detail: string;
  /** Nothing more happens by itself. */
  isFinal: boolean;
  /** When the program tries or asks again by itself. */
  nextCheckAt: Date | null;
}

export interface Order {
  environmentId: string;
  id: string;
  playerId: string;
  status: OrderStatus;
  amountMinor: number;
  currency: string;
  items: OrderItem[];
  details: OrderDetails;
  email: string | null;
  /** What people should know: why it was rejected, why a refund failed. */
  problem: string | null;
  attention: Attention | null;
  grantedAt: Date | null;
  paidAt: Date | null;
  createdAt: Date;
  expiresAt: Date;
  updatedAt: Date;
  version: number;
}

/**
 * Some statuses have two phases. `authorized`: the game is being asked, or it said yes and the money is not captured yet.
 * `refund_requested` and `refunded`: of an order that was paid, or of one that was called off before it ever was.
 */
export type OrderPhase = OrderStatus | 'granted' | 'called_off' | 'returned';

/** The whole life of an order. What is not here cannot happen. */
export const NEXT_PHASE = {
  created: { pay: 'pending', claim: 'authorized', cancel: 'canceled', expire: 'expired' },
  pending: { authorize: 'authorized', reopen: 'created' },
  authorized: { grant: 'granted', reject: 'rejected', request_refund: 'called_off' },
  // The provider may end a reservation after the grant; then the order is rejected and its items are revoked.
  granted: { capture: 'paid', reject: 'rejected', request_refund: 'called_off' },
  paid: { request_refund: 'refund_requested', open_dispute: 'disputed' },
  rejected: {},
  canceled: {},
  expired: {},
  refund_requested: { complete_refund: 'refunded', refuse_refund: 'paid' },
  // What was never complete does not become so because its money could not be returned.
  called_off: { complete_refund: 'returned', refuse_refund: 'rejected' },
  returned: { fail_refund: 'rejected' },
  // The bank may fail to take the money days after the provider said that it was returned.
  refunded: { fail_refund: 'paid' },
  disputed: { win_dispute: 'paid', lose_dispute: 'charged_back', request_refund: 'refund_requested' },
  charged_back: {},
} as const satisfies Record<OrderPhase, Record<string, OrderPhase>>;

export type OrderCommand = { [P in OrderPhase]: keyof (typeof NEXT_PHASE)[P] }[OrderPhase];

/** A won dispute makes no event: nothing was taken away and nothing is granted anew. */
const EVENT_OF: Partial<Record<OrderCommand, EventKind>> = {
  cancel: 'order.canceled',
  expire: 'order.expired',
  capture: 'order.paid',
  reject: 'order.rejected',
  complete_refund: 'order.refunded',
  open_dispute: 'order.disputed',
  lose_dispute: 'order.charged_back',
};

export type Decision =
  | { order: Order; event: EventKind | null }
  | { refused: 'wrong_status' | 'time_over' | 'not_yet' };

export function phaseOf({ status, grantedAt, paidAt }: Pick<Order, 'status' | 'grantedAt' | 'paidAt'>): OrderPhase {
  if (status === 'authorized' && grantedAt) return 'granted';
  if (paidAt) return status;
  return status === 'refund_requested' ? 'called_off' : status === 'refunded' ? 'returned' : status;
}

const STATUS_IN: Partial<Record<OrderPhase, OrderStatus>> = {
  granted: 'authorized',
  called_off: 'refund_requested',
  returned: 'refunded',
};

const statusIn = (phase: OrderPhase): OrderStatus => STATUS_IN[phase] ?? (phase as OrderStatus);

const phaseAfter = (phase: OrderPhase, command: OrderCommand): OrderPhase | undefined =>
  (NEXT_PHASE[phase] as Partial<Record<OrderCommand, OrderPhase>>)[command];

export const isOver = (order: Pick<Order, 'expiresAt'>, now: Date): boolean => order.expiresAt <= now;

/** What a reader must see: an unpaid order whose time is over has lapsed, whether or not the sweep has come by. */
export const statusAt = (order: Pick<Order, 'status' | 'expiresAt'>, now: Date): OrderStatus =>
  order.status === 'created' && isOver(order, now) ? 'expired' : order.status;

export function decide(order: Order, command: OrderCommand, now: Date): Decision {
  const next = phaseAfter(phaseOf(order), command);
  if (!next) return { refused: 'wrong_status' };
  const over = isOver(order, now);
  if (over && ['pay', 'claim', 'cancel'].includes(command)) return { refused: 'time_over' };
  if (!over && command === 'expire') return { refused: 'not_yet' };
  // A payment begun in time may end after it; only then the lapse takes effect.
  const lapsed = command === 'reopen' && over;
  return {
    order: {
      ...order,
      status: lapsed ? 'expired' : statusIn(next),
      grantedAt: command === 'grant' ? now : order.grantedAt,
      paidAt: command === 'capture' ? now : order.paidAt,
      updatedAt: now,
      version: order.version + 1,
    },
    event: lapsed ? 'order.expired' : (EVENT_OF[command] ?? (next === 'rejected' ? 'order.rejected' : null)),
  };
}

/** Nothing that a caller could wait for changes it any more. */
export const isFinal = (phase: OrderPhase): boolean =>
  allowedCommands(phase).every(command => command === 'fail_refund');

/** What may be done to the order now; buttons and answers are made from it. */
export const allowedCommands = (phase: OrderPhase): OrderCommand[] => Object.keys(NEXT_PHASE[phase]) as OrderCommand[];
