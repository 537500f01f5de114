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

/** Why the last attempt failed. Every language has a text for each. */
export type FormProblem =
  | 'declined'
  | 'insufficient_funds'
  | 'card_blocked'
  | 'card_expired'
  | 'test_cards_only'
  | 'challenge_failed'
  | 'abandoned'
  | 'check_fields'
  | 'provider_keys'
  | 'currency'
  | 'amount_low'
  | 'amount_high'
  | 'method'
  | 'too_many_attempts'
  | 'saved_gone';

export interface ItemView {
  name: string;
  description: string | null;
  /** Formatted for the player's locale. Null for a quantity of 1. */
  quantity: string | null;
  /** Formatted for the player's locale. Null if only the order has a price. */
  price: string | null;
  /** The price before the sale. */
  oldPrice: string | null;
  imageUrl: string | null;
}

export interface TestCard {
  number: string;
  outcome: 'pays' | 'declined' | 'challenge' | 'dispute_lost' | 'dispute_won';
  /** What the test card does, such as "Visa, GB" or "16 Payment declined". */
  note: string;
}

/** A live payment method, with its brand name. */
export interface MethodView {
  id: string;
  name: string;
  takes: 'at_once' | 'minutes' | 'days';
  /**
   * When the money is taken: after the game has granted, before it is asked and returned if it refuses, or before it is
   * asked and never returned.
   */
  charges: 'after' | 'first' | 'for_good';
}

/** The seller. Fields that are null are not shown. */
export interface SellerView {
  name: string;
  /** A `mailto:` or https link. */
  supportUrl: string | null;
  termsUrl: string | null;
  privacyUrl: string | null;
  refundUrl: string | null;
  /** Only the receipt shows these three. */
  address: string | null;
  registrationNumber: string | null;
  taxNumber: string | null;
}

/** What a player may need later to identify this purchase. */
export interface PurchaseFacts {
  orderNumber: string;
  /** Formatted for the player's locale. */
  paidOn: string;
  /** "Visa •••• 4242", or the method's name. */
  paidWith: string | null;
  /** When the money was returned, formatted. Null while it was not. */
  refundedOn: string | null;
  /** Whether there is a receipt to open and print. */
  hasReceipt: boolean;
}

/** A payment method that the player saved. */
export interface SavedMethodView {
  id: string;
  /** "Visa •••• 4242" */
  name: string;
  /** Where the receipt is sent. */
  email: string | null;
}

/** What the Content-Security-Policy must allow for the provider's script. */
export interface ProviderSources {
  script: readonly string[];
  connect: readonly string[];
  frame: readonly string[];
}

/** A provider whose script draws its own form in the page. */
export interface ProviderScript {
  sources: ProviderSources;
  scriptUrl: string;
  /** The provider's part of the page's script, which provides an `OpenProviderPage`. */
  part: string;
  publishableKey: string;
}

export interface ProviderForm {
  /** In the provider's smallest unit. */
  amount: number;
  currency: string;
  /** The provider's names of the methods to show. */
  types: readonly string[];
  /** The most likely one first. */
  order: readonly string[];
  /** Those of `types` that can be saved, with the provider's name for how. */
  savable: Readonly<Record<string, string | null>>;
  /** Those of `types` whose money is taken before the game is asked. */
  charges: Readonly<Record<string, MethodView['charges']>>;
}

/** What a form needs in live besides. */
export interface LiveForm {
  /**
   * Shown as a list. If the provider draws a form, only browsers without script see this list, so it contains only
   * methods that work without script.
   */
  methods: readonly MethodView[];
  /** Each is shown as its own button. */
  wallets: readonly MethodView[];
  saved: readonly SavedMethodView[];
  offersSaving: boolean;
  /** Names of the methods whose payments the provider cannot refund. */
  notRefundable: readonly string[];
  /** Null if the page shows its own card fields. */
  form: ProviderForm | null;
}

export interface Frame {
  language: Language;
  /** The language the player selected, which every URL on the page then carries. */
  chosenLanguage: Language | null;
  theme: Theme;
  /** The page's path, without a trailing slash. Every URL on the page starts with it. */
  base: string;
}

export interface OrderFrame extends Frame {
  /** The order's version: the script asks for changes since then. */
  version: number;
  sandbox: boolean;
  /** Set on live pages on which no real money is moved. */
  demo: 'simulated' | 'test' | null;
  /** The only other origin that the page may load code from. Null except on open live pages. */
  provider: ProviderScript | null;
  gameName: string;
  gameIconUrl: string | null;
  /** The studio's logo. */
  logoUrl: string | null;
  /** `#rrggbb`, or null for the default. */
  accentColor: string | null;
  /** Seconds after which time alone changes the page, or null. */
  renewInSeconds: number | null;
  playerName: string | null;
  items: readonly ItemView[];
  /** Formatted for the player's locale, with the currency. */
  total: string;
  /** By how much the order's own price is below the sum of its items, formatted. Null if it is not. */
  discount: string | null;
  /** Free orders are claimed, and no text mentions a payment. */
  free: boolean;
  seller: SellerView;
  /** Whether the page was loaded over an encrypted connection. */
  secure: boolean;
  /** The server checks these URLs. The page drops any that could run script all the same. */
  backToGameUrl: string | null;
  backToStoreUrl: string | null;
}

export interface OpenForm {
  email: string;
  problem: FormProblem | null;
  /** The provider's code and description, shown in the sandbox only. */
  problemDetail: string | null;
  /** When a player who tried too often may try again. */
  retryInMinutes?: number | null;
  fieldErrors: FieldErrors;
  /** What the form fills in again. Never a card's number or security code. */
  kept: Partial<Record<'card_expiry' | 'postal_code', string>>;
  /** The card of the last attempt, such as "Visa •••• 9015". */
  lastCard: string | null;
  /** Names of the accepted cards and wallets, shown as logos. */
  accepted: readonly string[];
  /** Formatted for the player's locale. Null while there is plenty of time. */
  timeLeft: string | null;
}

export type FormView = OrderFrame &
  OpenForm &
  ({ state: 'ready'; testCards: readonly TestCard[]; live: LiveForm | null } | { state: 'claim' });

/** A slow payment whose money has not arrived yet. */
export interface AwaitedView {
  kind: 'voucher' | 'debit' | 'soon';
  method: string;
  reference: string | null;
  /** Formatted for the player's locale. */
  until: string | null;
  /** The provider's page with the payment instructions. */
  slipUrl: string | null;
  /** Whether the provider can refund this payment. */
  refundable: boolean;
}

/** Why the order cannot be paid. */
export type Missing = 'provider' | 'webhook' | 'currency' | 'amount_low' | 'amount_high' | 'method';

export type OutcomeView = OrderFrame &
  /** `slow` means that no answer has come for seconds and the provider is asked again. */
  (
    | { state: 'paying'; slow: boolean }
    | { state: 'checking' }
    /** `by` is the side that asks for the confirmation. The simulator asks on this page. */
    | { state: 'challenge'; by: 'simulator' | 'provider' }
    | ({ state: 'awaiting'; receiptEmail: string | null } & AwaitedView)
    | { state: 'waiting_no_webhook'; receiptEmail: string | null }
    /**
     * `mayClose` means that the player has waited long enough to be told that they need not. `late` means that the game
     * has not answered for a while.
     */
    | { state: 'asking'; mayClose: boolean; late: boolean; receiptEmail: string | null }
    /** `earlier` means paid some time ago, so the game is not opened automatically. */
    | { state: 'done'; earlier: boolean; receiptEmail: string | null; facts: PurchaseFacts }
    /** A page to print. `refunded` means that the money was returned since. */
    | { state: 'receipt'; facts: PurchaseFacts; refunded: boolean }
    /**
     * `returned`: the captured money is refunded. `owed`: the provider refused the refund. `message`: the game's own
     * words.
     */
    | { state: 'rejected'; returned: boolean; owed?: boolean; message: string | null; facts: PurchaseFacts }
    | {
        state: 'canceled' | 'expired' | 'refund_requested' | 'refunded' | 'disputed' | 'charged_back';
        facts: PurchaseFacts;
      }
    | { state: 'not_connected'; missing: Missing }
  );

export type NoOrderView = Frame & ({ state: 'not_found' } | { state: 'unavailable'; notCharged?: boolean });

export type CheckoutView = FormView | OutcomeView | NoOrderView;
export type CheckoutState = CheckoutView['state'];

/** The response of `<base>/status?version=N`, sent once the order is past version N or after a while. */
export interface CheckoutStatus {
  version: number;
  state: CheckoutState;
}
