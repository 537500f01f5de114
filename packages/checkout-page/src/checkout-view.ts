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

/** Why the last attempt failed. Each has its own text in every language. */
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
  /** Formatted for the reader's locale; null when the quantity is 1. */
  quantity: string | null;
  /** Formatted for the reader's locale; null when only the order has a price. */
  price: string | null;
  /** What it cost before the sale. */
  oldPrice: string | null;
  imageUrl: string | null;
}

export interface TestCard {
  number: string;
  outcome: 'pays' | 'declined' | 'challenge' | 'dispute_lost' | 'dispute_won';
  /** Tells test cards apart: "Visa, GB" or "16 Payment declined". */
  note: string;
}

/** A live payment method, with its brand name. */
export interface MethodView {
  id: string;
  name: string;
  takes: 'at_once' | 'minutes' | 'days';
  /** When its money moves: after the game's yes, or first and then back on a no, or first and never back. */
  charges: 'after' | 'first' | 'for_good';
}

/** Who sells. What is null is not shown. */
export interface SellerView {
  name: string;
  /** A `mailto:` or https link. */
  supportUrl: string | null;
  termsUrl: string | null;
  privacyUrl: string | null;
  refundUrl: string | null;
  /** These three stand on the receipt alone. */
  address: string | null;
  registrationNumber: string | null;
  taxNumber: string | null;
}

/** What a player may need later to name this purchase. */
export interface PurchaseFacts {
  orderNumber: string;
  /** Formatted for the reader's locale. */
  paidOn: string;
  /** "Visa •••• 4242", or the method's name. */
  paidWith: string | null;
}

/** A payment method that the player saved. */
export interface SavedMethodView {
  id: string;
  /** "Visa •••• 4242" */
  name: string;
  /** Where the receipt goes. */
  email: string | null;
}

/** What the content security policy must allow for the provider's script. */
export interface ProviderSources {
  script: readonly string[];
  connect: readonly string[];
  frame: readonly string[];
}

/** A provider whose script draws its own form in the page. */
export interface ProviderScript {
  sources: ProviderSources;
  scriptUrl: string;
  /** The provider's part of the page's script: it leaves an `OpenProviderPage`. */
  part: string;
  publishableKey: string;
}

export interface ProviderForm {
  /** In the provider's smallest unit. */
  amount: number;
  currency: string;
  /** The methods to show, by the provider's names. */
  types: readonly string[];
  /** The likeliest first. */
  order: readonly string[];
  /** The `types` that can be saved, with the provider's word for how. */
  savable: Readonly<Record<string, string | null>>;
  /** The `types` whose money moves before the game is asked. */
  charges: Readonly<Record<string, MethodView['charges']>>;
}

/** Additional data of the form in live. */
export interface LiveForm {
  /** Shown as a list. With a provider's form, shown only to browsers without script, so only methods that work without it. */
  methods: readonly MethodView[];
  /** Shown as buttons of their own. */
  wallets: readonly MethodView[];
  saved: readonly SavedMethodView[];
  offersSaving: boolean;
  /** The names of the methods whose money the provider cannot return. */
  notRefundable: readonly string[];
  /** Null: the page's own card fields. */
  form: ProviderForm | null;
}

export interface Frame {
  language: Language;
  /** The language the player selected; every URL on the page then carries it. */
  chosenLanguage: Language | null;
  theme: Theme;
  /** The page's path, without a trailing slash. Every URL on the page starts with it. */
  base: string;
}

export interface OrderFrame extends Frame {
  /** The order's version: the script asks for changes since then. */
  version: number;
  sandbox: boolean;
  /** Set in live when no real money moves. */
  demo: 'simulated' | 'test' | null;
  /** The only other origin the page may load code from; null except on open live pages. */
  provider: ProviderScript | null;
  gameName: string;
  gameIconUrl: string | null;
  /** The studio's logo. */
  logoUrl: string | null;
  /** `#rrggbb`, or null for the default. */
  accentColor: string | null;
  /** When the page must refresh because of time alone; null when it need not. */
  renewInSeconds: number | null;
  playerName: string | null;
  items: readonly ItemView[];
  /** Formatted for the reader's locale, with the currency. */
  total: string;
  /** What the order's own price takes off the sum of the items, formatted; null when there is nothing to explain. */
  discount: string | null;
  /** Free orders are claimed, and no text mentions a payment. */
  free: boolean;
  seller: SellerView;
  /** The page came over an encrypted connection. */
  secure: boolean;
  /** Checked by the server; the page still drops URLs that can run script. */
  backToGameUrl: string | null;
  backToStoreUrl: string | null;
}

export interface OpenForm {
  email: string;
  problem: FormProblem | null;
  /** The provider's code and description. Shown in sandbox only. */
  problemDetail: string | null;
  /** When a player who tried too often may try again. */
  retryInMinutes?: number | null;
  fieldErrors: FieldErrors;
  /** What the player need not type again. Never a card's number or security code. */
  kept: Partial<Record<'card_expiry' | 'postal_code', string>>;
  /** The card of the last attempt, "Visa •••• 9015". */
  lastCard: string | null;
  /** Names of the cards and wallets that are accepted, shown by their marks. */
  accepted: readonly string[];
  /** Formatted for the reader's locale; null while there is plenty of time. */
  timeLeft: string | null;
}

export type FormView = OrderFrame &
  OpenForm &
  ({ state: 'ready'; testCards: readonly TestCard[]; live: LiveForm | null } | { state: 'claim' });

/** The player has started a slow payment, and the money has not arrived yet. */
export interface AwaitedView {
  kind: 'voucher' | 'debit' | 'soon';
  method: string;
  reference: string | null;
  /** Formatted for the reader's locale. */
  until: string | null;
  /** The provider's page with the payment instructions. */
  slipUrl: string | null;
  /** The provider can return the money. */
  refundable: boolean;
}

/** Why the order cannot be paid. */
export type Missing = 'provider' | 'webhook' | 'currency' | 'amount_low' | 'amount_high' | 'method';

export type OutcomeView = OrderFrame &
  (
    | { state: 'paying' | 'checking' }
    /** `by`: who asks for the confirmation. The simulator asks on this page. */
    | { state: 'challenge'; by: 'simulator' | 'provider' }
    | ({ state: 'awaiting'; receiptEmail: string | null } & AwaitedView)
    | { state: 'waiting_no_webhook'; receiptEmail: string | null }
    /** `late`: the game has not responded for a while, so the player need not wait. */
    | { state: 'asking'; late: boolean; receiptEmail: string | null }
    /** `earlier`: paid some time ago, so the game is not opened automatically. */
    | { state: 'done'; earlier: boolean; receiptEmail: string | null; facts: PurchaseFacts }
    /** To print. `refunded`: the money has gone back since. */
    | { state: 'receipt'; facts: PurchaseFacts; refunded: boolean }
    /** `returned`: the money was captured and is refunded. `owed`: the provider refused the refund. `message`: the game's own words. */
    | { state: 'rejected'; returned: boolean; owed?: boolean; message: string | null }
    | { state: 'canceled' | 'expired' | 'refund_requested' | 'refunded' | 'disputed' | 'charged_back' }
    | { state: 'not_connected'; missing: Missing }
  );

export type NoOrderView = Frame & ({ state: 'not_found' } | { state: 'unavailable'; notCharged?: boolean });

export type CheckoutView = FormView | OutcomeView | NoOrderView;
export type CheckoutState = CheckoutView['state'];

/** The response of `<base>/status?version=N`, sent when the order is past version N or after a while. */
export interface CheckoutStatus {
  version: number;
  state: CheckoutState;
}
