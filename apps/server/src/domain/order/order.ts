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

export type OrderCommand =
  | 'pay'
  | 'claim'
  | 'cancel'
  | 'expire'
  | 'authorize'
  | 'reopen'
  | 'grant'
  | 'capture'
  | 'reject'
  | 'request_refund'
  | 'complete_refund'
  | 'refuse_refund'
  | 'fail_refund'
  | 'open_dispute'
  | 'win_dispute'
  | 'lose_dispute';

/** The status `authorized` has two phases: the game is being asked, and the game said yes but the money is not captured yet. */
export type OrderPhase = OrderStatus | 'granted';

/** The whole life of an order. What is not here cannot happen. */
export const NEXT_PHASE = {
  created: { pay: 'pending', claim: 'authorized', cancel: 'canceled', expire: 'expired' },
  pending: { authorize: 'authorized', reopen: 'created' },
  authorized: { grant: 'granted', reject: 'rejected', request_refund: 'refund_requested' },
  // The provider may end a reservation after the grant; then the order is rejected and its items are revoked.
  granted: { capture: 'paid', reject: 'rejected', request_refund: 'refund_requested' },
  paid: { request_refund: 'refund_requested', open_dispute: 'disputed' },
  rejected: {},
  canceled: {},
  expired: {},
  refund_requested: { complete_refund: 'refunded', refuse_refund: 'paid' },
  // The bank may fail to take the money days after the provider said that it was returned.
  refunded: { fail_refund: 'paid' },
  disputed: { win_dispute: 'paid', lose_dispute: 'charged_back', request_refund: 'refund_requested' },
  charged_back: {},
} as const satisfies Record<OrderPhase, Partial<Record<OrderCommand, OrderPhase>>>;

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

export const phaseOf = ({ status, grantedAt }: Pick<Order, 'status' | 'grantedAt'>): OrderPhase =>
  status === 'authorized' && grantedAt ? 'granted' : status;

const statusIn = (phase: OrderPhase): OrderStatus => (phase === 'granted' ? 'authorized' : phase);

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
    event: lapsed ? 'order.expired' : (EVENT_OF[command] ?? null),
  };
}

/** Nothing that a caller could wait for changes it any more. */
export const isFinal = (phase: OrderPhase): boolean =>
  allowedCommands(phase).every(command => command === 'fail_refund');

/** What may be done to the order now; buttons and answers are made from it. */
export const allowedCommands = (phase: OrderPhase): OrderCommand[] => Object.keys(NEXT_PHASE[phase]) as OrderCommand[];
