import type {
  ChargeStatus,
  DisputeStatus,
} from '../../../apps/server/src/domain/payment/providers/base/charge-shape.ts';
import type { ChargeRef } from '../../../apps/server/src/domain/payment/providers/base/gateway.ts';

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
export type Movement =
  | 'authorized'
  | 'captured'
  | 'voided'
  | 'refunded'
  | 'refund_failed'
  /** By the shop, of what a bank has taken or may take. */
  | 'refunded_twice';
/** What happens at the provider without the shop. */
export type Elsewhere =
  | 'captured'
  | 'voided'
  | 'refunded'
  | 'refund_fails'
  | 'arrives'
  /** A payment that was declined goes through after all. */
  | 'comes_late'
  | 'warned'
  /** The bank questions a part of the money, or once more what was decided. */
  | 'dispute_part'
  | 'dispute_again'
  | `dispute_${DisputeStatus}`;

export interface BookDispute {
  id: string;
  status: DisputeStatus;
  reason: string;
  amountMinor: number;
  /** What the provider took for it, whichever side is right in the end. */
  feeMinor: number;
}

/** One line of the provider's books. */
export interface BookCharge extends ChargeRef {
  orderId: string;
  /** `never`: asked about before it came, and refused since. */
  status: ChargeStatus | 'never';
  amountMinor: number;
  currency: string;
  openedAtSeconds: number;
  /** One after the other; the last is the one that goes on. */
  disputes: readonly BookDispute[];
  /** What the provider took for the capture. */
  feeMinor: number;
  refundFailed: boolean;
  /** The game had said yes when the money was captured; null: captured by a method that cannot reserve, or elsewhere. */
  grantedAtCapture: boolean | null;
  movements: readonly Movement[];
  /** What the provider will never do for this charge, and has said so. */
  refusedForGood: ReadonlySet<MoneyCall>;
}

const count = ({ movements }: BookCharge, kind: Movement): number => movements.filter(one => one === kind).length;

const TAKEN: readonly DisputeStatus[] = ['open', 'unclear', 'lost'];
const QUESTIONED: readonly DisputeStatus[] = ['open', 'unclear'];
export const UNDECIDED: readonly DisputeStatus[] = ['inquiry', 'open', 'unclear'];

const sumOf = (disputes: readonly BookDispute[], statuses: readonly DisputeStatus[]): number =>
  disputes.reduce((sum, { status, amountMinor }) => sum + (statuses.includes(status) ? amountMinor : 0), 0);

/** Money of this charge that came and was not returned, whatever banks say of it. */
export const keptOf = (charge: BookCharge): number =>
  charge.amountMinor * (count(charge, 'captured') - count(charge, 'refunded') + count(charge, 'refund_failed'));

/** The same without what banks took for good. */
export const netOf = (charge: BookCharge): number => keptOf(charge) - sumOf(charge.disputes, ['lost']);

/** Where the money of a charge is, as an accountant at the provider would write it. */
export function accountsOf(charge: BookCharge): { reserved: number; balance: number; disputed: number; fees: number } {
  const fees = charge.feeMinor + charge.disputes.reduce((sum, { feeMinor }) => sum + feeMinor, 0);
  return {
    reserved: isReserved(charge) ? charge.amountMinor : 0,
    balance: keptOf(charge) - sumOf(charge.disputes, TAKEN) - fees,
    disputed: sumOf(charge.disputes, QUESTIONED),
    fees,
  };
}

export const isReserved = ({ status }: BookCharge): boolean => status === 'authorized';

export const isUndecided = ({ status }: Pick<BookDispute, 'status'>): boolean => UNDECIDED.includes(status);
export const openDisputes = ({ disputes }: BookCharge): BookDispute[] => disputes.filter(isUndecided);
export const wasDisputed = ({ disputes }: BookCharge): boolean => disputes.length > 0;
export const isLost = ({ disputes }: BookCharge): boolean => disputes.some(({ status }) => status === 'lost');
export const isWon = ({ disputes }: BookCharge): boolean =>
  disputes.length > 0 && disputes.every(({ status }) => status === 'won');

/** How callbacks reach the shop. */
export interface Messenger {
  /** A program is told to look; false: it failed or died over it. */
  hear(ref: ChargeRef): Promise<boolean>;
  /** The program that takes the next callback. */
  url(): string;
}

/** How often the callbacks of an order are sent, and in which order. */
export interface Sending {
  times: 1 | 2 | 3;
  isReversed: boolean;
}

/** What a provider holds and does, however the shop speaks with it. */
export interface Bank {
  /** What the player's next attempt for the order meets; answers what the page's form sends. */
  expect(orderId: string, outcome: PayOutcome, isSaved: boolean): Record<string, string>;
  /** What the player does at the provider's own page after the form; true: and then comes back. */
  visit(orderId: string, outcome: PayOutcome): boolean;
  /** The player answers the bank; the page's form that comes next, or the page that is opened. */
  challenge(orderId: string, answer: 'complete' | 'fail'): { part: string; fields: Record<string, string> | null };
  plan(orderId: string, call: MoneyCall, fault: MoneyFault, times: number): void;
  /** True when it could happen to one of the order's charges. */
  happen(orderId: string, what: Elsewhere): boolean;
  /** As the model itself keeps them. */
  ofOrder(orderId: string): BookCharge[];
  /** Where what stands for the provider on the wire holds something else. */
  contradictions(orderId: string): string[];
  /** Sends the callbacks of the order that are due. */
  sendCallbacks(orderId: string, messenger: Messenger, sending: Sending): Promise<void>;
  /** Drops the callbacks of the order that are due. False: nothing else would report the change. */
  loseCallbacks(orderId: string): boolean;
  hasCallbacks(orderId: string): boolean;
  /** No fault strikes any more. */
  calm(): void;
  forget(orderIds: ReadonlySet<string>): void;
}
