import type { LabOrder } from '../lab-order.ts';
import type { BookCharge } from '../world/bank.ts';
import type { OrderFacts } from './facts.ts';

export interface Evidence {
  order: OrderFacts;
  known: LabOrder;
  /** What the provider holds, by the model's own account. */
  charges: readonly BookCharge[];
  /** Where the provider's double holds something else. */
  contradictions: readonly string[];
  nowSeconds: number;
  /** The player holds the items now; the game granted them at some time. */
  held: boolean;
  granted: boolean;
  /** How often the game was asked to grant. */
  asked: number;
  /** How often it was asked to take them back. */
  askedBack: number;
  complaints: readonly string[];
  /** At rest: whether the lists of what needs attention, in the API and in the dashboard, have it. */
  listed: { order: boolean; payments: ReadonlySet<string> } | null;
  /** At rest: what the player reads; null where it was not looked at. */
  page: string | null;
}

export type Rule =
  | 'at most one capture'
  | 'statuses follow the table'
  | 'paid means granted and captured'
  | 'nothing is captured before the grant'
  | 'what is over is not paid for'
  | 'another amount is not granted for'
  | 'a cancellation stands'
  | 'a refund is kept or its failure visible'
  | 'the game is asked properly'
  | 'what is not final has a date or needs attention'
  | 'what was paid ends paid'
  | 'a refund ends refunded'
  | 'a dispute ends with its verdict'
  | 'a grant is given up only after all retries'
  | 'money goes back once'
  | 'money fits the status'
  | 'items fit the status'
  | 'the ledger equals the books'
  | 'a refusal for good is visible'
  | 'a failed refund is visible'
  | 'a dispute is visible'
  | 'attention is listed'
  | 'postings sum to zero'
  | 'answers are expected'
  | 'answers stay true'
  | 'the books are possible'
  | 'the double does as the model says'
  | 'the page promises nothing that was refused'
  | 'a bulk action ends and counts right'
  | 'a job is run by one worker at a time';

export interface Violation {
  rule: Rule;
  what: string;
}

export type Say = (rule: Rule, what: string | null) => void;

export const GIVEN_UP = ['declined', 'abandoned'];
export const NOT_YET_OURS = ['pending', 'requires_action', ...GIVEN_UP];
export const WITHOUT_MONEY = ['created', 'rejected', 'canceled', 'expired', 'refunded', 'charged_back'];
export const WITH_ITEMS = ['paid', 'disputed'];

export const statusOf = ({ order }: Evidence, { paymentId }: BookCharge): string =>
  order.payments.find(({ id }) => id === paymentId)?.status ?? 'unknown';

export const needsAttention = ({ order }: Evidence): boolean =>
  order.payments.some(({ attention }) => attention !== null);
