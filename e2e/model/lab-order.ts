/** Why an order whose money came may end otherwise than paid. Whatever is not here leaves the shop no excuse. */
export type Excuse =
  /** The player gave up, or failed at the bank. */
  | 'player'
  /** A member or the game's backend asked for the money back, or decided about it. */
  | 'member'
  /** The game has said no. */
  | 'game'
  /** No endpoint took the items, or one that fails is asked for few at a time: they wait for as long as all retries would take. */
  | 'endpoint'
  /** The provider ended it, holds another amount, or will never do what is needed. */
  | 'provider';

/** An order with all that its people were told about it. */
export interface LabOrder {
  id: string;
  path: string;
  amountMinor: number;
  /** What created it, for those who send it again under the same key. */
  body: Record<string, unknown>;
  key: string;
  createdAtSeconds: number;
  expiresAtSeconds: number;
  /** How many charges it may ever have: those that it had when its player was erased. */
  mostCharges: number;
  canceled: boolean;
  refundAccepted: boolean;
  /** A member was asked to take what the provider captured for the price. */
  captureAccepted: boolean;
  /** A member said that the money was settled without the shop. */
  settledElsewhere: boolean;
  excuses: Set<Excuse>;
  /** The provider was to say no to a return; then it may take a member to get there. */
  isReturnHindered: boolean;
  /** What the last look at the row showed; null before the first. */
  lastSeen: string | null;
  /** When the money was first seen there and the game was to be asked; null: never. */
  authorizedAtSeconds: number | null;
  wasPaid: boolean;
  /** The shop has said that the money went back. */
  wasRefunded: boolean;
  /** Statuses that callers were told since then. */
  answered: string[];
  /** The callback was lost, so that only the daily comparison can find the change. */
  isCallbackLost: boolean;
}

type Given = Pick<LabOrder, 'id' | 'path' | 'amountMinor' | 'body' | 'key' | 'createdAtSeconds' | 'expiresAtSeconds'>;

export const newLabOrder = (given: Given): LabOrder => ({
  ...given,
  mostCharges: Number.POSITIVE_INFINITY,
  canceled: false,
  refundAccepted: false,
  captureAccepted: false,
  settledElsewhere: false,
  excuses: new Set(),
  isReturnHindered: false,
  lastSeen: null,
  authorizedAtSeconds: null,
  wasPaid: false,
  wasRefunded: false,
  answered: [],
  isCallbackLost: false,
});
