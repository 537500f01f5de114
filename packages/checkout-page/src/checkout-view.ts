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
  | 'check_fields'
  | 'provider_keys'
  | 'currency'
  | 'amount_low'
  | 'amount_high'
  | 'method'
  | 'saved_gone';

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

/** A way to pay in live, by its own name. */
export interface MethodView {
  id: string;
  name: string;
  takes: 'at_once' | 'minutes' | 'days';
}

/** What the player kept for one tap. */
export interface SavedMethodView {
  id: string;
  /** "Visa •••• 4242" */
  name: string;
  /** Where the receipt goes. */
  email: string | null;
}

/** Who draws its own form into the page by its own script. */
/** What the content security policy must allow for the provider's script. */
export interface ProviderSources {
  script: readonly string[];
  connect: readonly string[];
  frame: readonly string[];
}

export interface ProviderScript {
  sources: ProviderSources;
  scriptUrl: string;
  publishableKey: string;
}

export interface ProviderForm {
  /** In the unit that the provider counts in. */
  amount: number;
  currency: string;
  /** The provider's names of what may be shown. */
  types: readonly string[];
  /** The likeliest first. */
  order: readonly string[];
  /** Those of `types` that can be kept for the next time. */
  savable: readonly string[];
}

/** What live adds to the form. */
export interface LiveForm {
  /** Shown as a list. Beside a provider's form only to browsers without script, so only what works without. */
  methods: readonly MethodView[];
  /** Shown as buttons of their own. */
  wallets: readonly MethodView[];
  saved: readonly SavedMethodView[];
  offersSaving: boolean;
  /** Some of them take the money before the game is asked. */
  collectsFirst: boolean;
  /** Null: the page's own card fields. */
  form: ProviderForm | null;
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
  /** Live, and yet no real money moves. */
  demo: 'simulated' | 'test' | null;
  /** The one other place that the page may load code from; null everywhere but on open live pages. */
  provider: ProviderScript | null;
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
  ({ state: 'ready'; testCards: readonly TestCard[]; live: LiveForm | null } | { state: 'claim' });

/** The money is on its way by itself. */
export interface AwaitedView {
  kind: 'voucher' | 'debit' | 'soon';
  method: string;
  reference: string | null;
  /** Written for the reader's locale. */
  until: string | null;
  /** The provider's page with the slip. */
  slipUrl: string | null;
}

/** Why nobody can pay, whatever they do. */
export type Missing = 'provider' | 'webhook' | 'currency' | 'amount_low' | 'amount_high' | 'method';

export type OutcomeView = OrderFrame &
  (
    | { state: 'paying' | 'checking' }
    /** `by`: who asks. The simulator asks on this very page. */
    | { state: 'challenge'; by: 'simulator' | 'provider' }
    | ({ state: 'awaiting'; receiptEmail: string | null } & AwaitedView)
    | { state: 'waiting_no_webhook'; receiptEmail: string | null }
    /** `late`: the game has not answered for a while, so the player need not stay. */
    | { state: 'asking'; late: boolean; receiptEmail: string | null }
    /** `earlier`: not just now, so nothing opens by itself. */
    | { state: 'done'; earlier: boolean; receiptEmail: string | null }
    /** `returned`: the money had been collected and goes back. */
    | { state: 'rejected'; returned: boolean }
    | { state: 'canceled' | 'expired' | 'refund_requested' | 'refunded' | 'disputed' | 'charged_back' }
    | { state: 'not_connected'; missing: Missing }
  );

export type NoOrderView = Frame & ({ state: 'not_found' } | { state: 'unavailable' });

export type CheckoutView = FormView | OutcomeView | NoOrderView;
export type CheckoutState = CheckoutView['state'];

/** The answer of `<base>/status?version=N`, given as soon as the order is past version N or after a while. */
export interface CheckoutStatus {
  version: number;
  state: CheckoutState;
}
