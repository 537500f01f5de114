import type {
  ChargeRef,
  ChargeStatus,
  Dispute,
  DisputeStatus,
} from '../../apps/server/src/domain/payment/providers/base/gateway.ts';

/** What the player's next attempt meets. */
export type PayOutcome =
  | 'authorize'
  | 'capture_at_once'
  | 'process'
  | 'challenge'
  | 'decline'
  | 'shop_fault'
  | 'other_amount'
  | 'lose_request'
  | 'lose_answer'
  /** The provider fails, and answers the same to every repetition under the same key. */
  | 'stored_error';
export type MoneyCall = 'capture' | 'void' | 'refund';
export type MoneyFault = 'refuse_for_good' | 'refuse_once' | 'lose_request' | 'lose_answer' | 'stored_error' | 'slow';
export type Movement = 'authorized' | 'captured' | 'voided' | 'refunded' | 'refund_failed' | 'charged_back' | 'won';
/** What happens at the provider without the shop. */
export type Elsewhere =
  | 'captured'
  | 'voided'
  | 'refunded'
  | 'refund_fails'
  | 'arrives'
  | 'warned'
  | `dispute_${Exclude<DisputeStatus, 'prevented'>}`;

/** One line of the provider's books. */
export interface BookCharge extends ChargeRef {
  orderId: string;
  /** `never`: asked about before it came, and refused since. */
  status: ChargeStatus | 'never';
  amountMinor: number;
  currency: string;
  dispute: Pick<Dispute, 'status' | 'reason'> | null;
  refundFailed: boolean;
  movements: readonly Movement[];
  /** What the provider will never do for this charge, and has said so. */
  refusedForGood: ReadonlySet<MoneyCall>;
}

const count = ({ movements }: BookCharge, kind: Movement): number => movements.filter(one => one === kind).length;

/** Money of this charge that the shop has at the provider. */
export const netOf = (charge: BookCharge): number =>
  charge.amountMinor *
  (count(charge, 'captured') -
    count(charge, 'refunded') +
    count(charge, 'refund_failed') -
    count(charge, 'charged_back'));

export const isReserved = ({ status }: BookCharge): boolean => status === 'authorized';

export const OPEN_DISPUTES: readonly (DisputeStatus | undefined)[] = ['inquiry', 'open', 'unclear'];

/** How news reach the shop. */
export interface Messenger {
  /** A program is told to look; false: it failed or died over it. */
  hear(ref: ChargeRef): Promise<boolean>;
  /** The program that takes the next callback. */
  url(): string;
}

export interface Telling {
  times: 1 | 2 | 3;
  isReversed: boolean;
}

/** What a provider holds and does, however the shop speaks with it. */
export interface Bank {
  /** What the player's next attempt for the order meets; answers what the page's form sends. */
  expect(orderId: string, outcome: PayOutcome, isSaved: boolean): Record<string, string>;
  /** The player answers the bank; the page's form that comes next. */
  challenge(orderId: string, answer: 'complete' | 'fail'): { part: string; fields: Record<string, string> };
  plan(orderId: string, call: MoneyCall, fault: MoneyFault, times: number): void;
  /** True when it could happen to one of the order's charges. */
  happen(orderId: string, what: Elsewhere): boolean;
  ofOrder(orderId: string): BookCharge[];
  /** Callbacks of the order, as often and in the order that is said. */
  tell(orderId: string, messenger: Messenger, telling: Telling): Promise<void>;
  /** Callbacks of the order that are due never come. False: they are the only way to hear of it. */
  loseNews(orderId: string): boolean;
  hasNews(orderId: string): boolean;
  /** No fault strikes any more. */
  calm(): void;
  forget(orderIds: ReadonlySet<string>): void;
}
