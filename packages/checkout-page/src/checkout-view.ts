import type { Language } from './languages.ts';

export type Theme = 'auto' | 'light' | 'dark';

export const FIELDS = ['email', 'card_number', 'card_expiry', 'card_cvc', 'postal_code'] as const;
export type Field = (typeof FIELDS)[number];

export type FieldError =
  | 'email_required'
  | 'email_invalid'
  | 'card_number_required'
  | 'card_number_invalid'
  | 'card_expiry_required'
  | 'card_expiry_invalid'
  | 'card_expiry_past'
  | 'card_cvc_required'
  | 'card_cvc_invalid'
  | 'postal_code_required'
  | 'postal_code_invalid';

export type FieldErrors = Partial<Record<Field, FieldError>>;

/** Why the last try did not go through. Each has its own words in every language. */
export type FormProblem =
  | 'declined'
  | 'insufficient_funds'
  | 'card_blocked'
  | 'card_expired'
  | 'test_cards_only'
  | 'challenge_failed'
  | 'abandoned'
  | 'check_fields';

export interface ItemView {
  name: string;
  description: string | null;
  /** Written for the reader's locale; null when there is one. */
  quantity: string | null;
  /** Written for the reader's locale; null when only the order has a price. */
  price: string | null;
  /** What it cost before the sale. */
  oldPrice: string | null;
  imageUrl: string | null;
}

export interface TestCard {
  number: string;
  outcome: 'pays' | 'declined' | 'challenge' | 'dispute_lost' | 'dispute_won';
  /** What a developer needs to tell two cards apart: "Visa, GB" or "16 Payment declined". */
  note: string;
}

export interface Frame {
  language: Language;
  /** What the player picked with the switch; every address on the page then carries it. */
  chosenLanguage: Language | null;
  theme: Theme;
  /** The page's own path, without a slash at the end. Every address on the page starts with it. */
  base: string;
}

export interface OrderFrame extends Frame {
  /** The order's version: the script asks for news since then. */
  version: number;
  sandbox: boolean;
  gameName: string;
  gameIconUrl: string | null;
  /** The studio's. */
  logoUrl: string | null;
  /** `#rrggbb`, or null for our own. */
  accentColor: string | null;
  /** When the clock alone changes what the page says; null while it does not. */
  renewInSeconds: number | null;
  playerName: string | null;
  items: readonly ItemView[];
  /** Written for the reader's locale, with its currency. */
  total: string;
  /** Nothing to pay: the player claims it, and no text speaks of a payment. */
  free: boolean;
  /** Vetted by the server; the page drops what can run script all the same. */
  backToGameUrl: string | null;
  backToStoreUrl: string | null;
}

export interface OpenForm {
  email: string;
  problem: FormProblem | null;
  /** The provider's own code and words. Shown in sandbox only. */
  problemDetail: string | null;
  fieldErrors: FieldErrors;
  /** Written for the reader's locale; null while there is plenty. */
  timeLeft: string | null;
}

export type FormView = OrderFrame &
  OpenForm &
  ({ state: 'ready'; testCards: readonly TestCard[] } | { state: 'claim' });

export type OutcomeView = OrderFrame &
  (
    | { state: 'paying' | 'checking' | 'challenge' }
    | { state: 'waiting_no_webhook'; receiptEmail: string | null }
    /** `late`: the game has not answered for a while, so the player need not stay. */
    | { state: 'asking'; late: boolean; receiptEmail: string | null }
    /** `earlier`: not just now, so nothing opens by itself. */
    | { state: 'done'; earlier: boolean; receiptEmail: string | null }
    | { state: 'rejected' | 'canceled' | 'expired' | 'refund_requested' | 'refunded' | 'disputed' | 'charged_back' }
    | { state: 'not_connected'; missing: 'provider' | 'webhook' }
  );

export type NoOrderView = Frame & ({ state: 'not_found' } | { state: 'unavailable' });

export type CheckoutView = FormView | OutcomeView | NoOrderView;
export type CheckoutState = CheckoutView['state'];

/** The answer of `<base>/status?version=N`, given as soon as the order is past version N or after a while. */
export interface CheckoutStatus {
  version: number;
  state: CheckoutState;
}
