import type { ConnectionCheck, Issue } from '@coinslot/contract';
import type { Advice } from '@coinslot/texts/advice';
import type { GatewayAbilities } from '../../methods/methods.ts';
import type { Gateway, PayWith } from './gateway.ts';
import type { AccountProblem, RefusedAccount } from './problems.ts';
import type { DayRange, ProviderDay } from './provider-day.ts';

/** What a member saves to connect an account. What each field is called at the provider, its folder knows. */
export interface ProviderKeys {
  secretKey: string;
  /** No secret: pages give it to the browser. */
  publishableKey: string;
  callbackSecret: string | null;
}

/** One call that a provider answered, for an operator who tries an account. It holds nothing that was sent. */
export interface AnsweredCall {
  /** Method and path, without the query. */
  call: string;
  status: number;
  /** How the provider's support finds the call; null: its answers have no such name. */
  requestId: string | null;
}

export type OnAnswer = (answered: AnsweredCall) => void;

/** Keys of one account at a provider, opened. They live in memory only. */
export interface OpenedAccount extends ProviderKeys {
  accountId: string;
  isTest: boolean;
}

/** For keys that came with the program's settings: the provider's own name of the account is not asked for. */
export const SETTINGS_ACCOUNT = 'settings';

export interface Accounts {
  /**
   * Who takes the next payment of a live environment: the account that routing chose, else the first whose scope fits. Null: none
   * is connected, or the environment is not live. A page may be some seconds older than the connections.
   */
  current(
    environmentId: string,
    chosen?: { accountId?: string | undefined; currency: string },
  ): Promise<OpenedAccount | null>;
  /** Who took an earlier one; null when its keys are erased. */
  byId(environmentId: string, accountId: string): Promise<OpenedAccount | null>;
  /** So that the studio's members see what the provider said about their account. */
  report(environmentId: string, accountId: string, problem: AccountProblem): Promise<void>;
}

/** `unknown`: only the provider can tell. */
export type KeyMode = 'live' | 'test' | 'mixed' | 'unknown';

export interface KeyRules {
  /** What is wrong with the form of the keys; the values themselves never enter a message. */
  issues(keys: ProviderKeys): Issue[];
  /** Only for keys whose form is right. */
  modeOf(keys: ProviderKeys): KeyMode;
  /** What the provider calls each field, for the form. */
  readonly names: Readonly<Record<'secretKey' | 'publishableKey', string>> & {
    /** Null: the provider signs nothing, so there is no secret. */
    readonly callbackSecret: string | null;
  };
}

export interface SeenAccount {
  country: string | null;
  defaultCurrency: string | null;
  displayName: string | null;
  chargesEnabled: boolean;
  problemCode: AccountProblem | null;
  /** Why it takes no payments, in the provider's own words. */
  said?: string | null;
  /** Methods that the provider says this account cannot take, in our words: they are not offered by it. */
  unavailableMethods?: readonly string[];
}

export type AskedAccount =
  | {
      accountId: string;
      seen: SeenAccount;
      /** Said where the keys themselves do not show whether they are test keys. */
      isTest?: boolean;
    }
  | RefusedAccount;

/** What a test of the connection found, in words for a studio member: what is wrong, and what to press where. */
export interface Check extends Omit<ConnectionCheck, 'broken' | 'advice'> {
  advice: Advice | null;
}

export interface Inspection {
  /** Where players see the page; null: nowhere that the world reaches. */
  host: string | null;
  /** What the company has switched on. */
  methods: readonly string[];
  nowMs: number;
}

export interface CallbackRequest {
  headers: Readonly<Record<string, string | string[] | undefined>>;
  body: Buffer;
}

export type CallbackVerdict = 'right' | 'missing' | 'wrong' | 'too_old';

/** What a callback tells us: which payment to ask about. Its other contents are not believed, so none are read. */
export interface CallbackHint {
  /** Null: the provider gives its news no name, so the same may come twice. */
  eventId: string | null;
  type: string;
  intentId: string | null;
  /** Its name of the capture, where news of it name no other. */
  captureId?: string | null;
  /** What we wrote on the charge when it was made. */
  paymentId: string | null;
  environmentId: string | null;
  isDispute: boolean;
  /** A bank told of fraud: what it says is asked for from now on. */
  isWarning: boolean;
}

export interface RegisteredCallback {
  isThere: boolean;
  /** Events that it does not send there. */
  missing: readonly string[];
}

export interface CallbackRegistration {
  /** Has the provider send its news to this address, and returns what they are verified with. */
  register(account: OpenedAccount, url: string): Promise<{ secret: string } | RefusedAccount>;
  /** What the provider sends to this address. Null: the key may not look. */
  findRegistered(account: OpenedAccount, url: string): Promise<RegisteredCallback | null>;
}

export interface Callbacks {
  /** What must be chosen at the provider, so that it sends it. Empty: there is nothing to choose. */
  readonly events: readonly string[];
  /**
   * Absent: the provider signs nothing. Then a callback counts only for a charge that its account took, and does no more than
   * have the provider asked.
   */
  verify?(request: CallbackRequest, account: OpenedAccount, nowSeconds: number): Promise<CallbackVerdict>;
  /** Null: not an event of this provider. */
  read(body: Buffer): CallbackHint | null;
  /** Absent: the address goes with each payment (`AuthorizeRequest.callbackUrl`), and there is nothing to register. */
  readonly registration?: CallbackRegistration;
}

/** What the page must know so that the browser can talk to the provider: never a secret. */
export interface PageForm {
  publishableKey: string;
  scriptUrl: string;
  /** The provider's part of the page's script, which draws the form. It goes into the page as it is. */
  part: string;
  /** What the page's content security policy must allow, beside the page's own. */
  sources: { script: readonly string[]; connect: readonly string[]; frame: readonly string[] };
  /** The provider's word for a method. Two of ours may be one of theirs. */
  typeOf(method: string): string;
  /** The provider's word for how its form keeps a method; null: it cannot. */
  keptFor(method: string): string | null;
  /** The amount as the provider's form counts it; null: it cannot be charged exactly. */
  amountOf(amountMinor: number, currency: string): number | null;
}

/**
 * One payment provider: a folder beside this file that alone knows the provider's words. The rest of the program asks here.
 * `testing/port-contract.ts` says what the gateway must do; a new provider begins by passing it.
 */
export interface Provider {
  /** In rows, addresses and the API. */
  readonly name: string;
  readonly title: string;
  readonly gateway: Gateway;
  readonly abilities: GatewayAbilities;
  readonly keys: KeyRules;
  readonly callbacks: Callbacks;
  /** Whose keys these are, and whether the account may take payments. Moves nothing. */
  askAccount(keys: ProviderKeys): Promise<AskedAccount>;
  /** Keys, permissions, methods, country, the page's address (which it registers), API version and clock. Moves nothing. */
  inspect(account: OpenedAccount, site: Inspection): Promise<Check[]>;
  /** What pays in the provider's test mode without a browser, or sends the operator to where it is approved. Moves nothing. */
  testPayment(account: OpenedAccount): Promise<PayWith>;
  /**
   * Null: the player leaves for the provider's own pages, with cards too. Every method is then a button, and no card number is
   * read here, whatever is posted.
   */
  pageForm(account: OpenedAccount): PageForm | null;
  day(account: OpenedAccount, range: DayRange): Promise<ProviderDay>;
}
