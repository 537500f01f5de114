import type { EvidenceFileKind, EvidenceFileType } from '@coinslot/contract';
import type { Charge, Dispute, Refusal } from './charge-shape.ts';

/** Names one charge at a provider. The payment's id is the idempotency key of everything that is asked about it. */
export interface ChargeRef {
  environmentId: string;
  paymentId: string;
}

/** Lives in memory between the form and the provider, never in a row, a log or an error. */
export interface CardDetails {
  number: string;
  expiryMonth: number;
  expiryYear: number;
  cvc: string;
  postalCode: string;
}

export type PayWith =
  | { kind: 'card'; card: CardDetails }
  /** `method` is our word for what the token stands for. */
  | { kind: 'saved_method'; token: string; method: string }
  /** What the provider's own form made in the browser. It stands for the method; card data never came here. */
  | {
      kind: 'provider_token';
      token: string;
      /** What the provider's form was drawn with, in its words. The token is good for exactly this list. */
      offered?: readonly string[];
    }
  /** A method without anything to type in: the player is sent away and comes back. Works without script. */
  | { kind: 'redirect'; method: string };

/** What the player buys, for pages of the provider. */
export interface RequestedItem {
  sku: string;
  name: string | null;
  quantity: number;
  /** Of one piece; null: only the whole order has a price. */
  priceMinor: number | null;
}

/**
 * Who the payer is and where they live, as far as it is known. Neither the page nor the game asks players for it, because what is
 * sold needs no delivery: a provider's own page or form asks for what its method needs, and a method that cannot be paid
 * without it is not offered (`GatewayAbilities.wantAddress`). Only the country is known, from the game.
 */
export interface PlayerAddress {
  givenName: string | null;
  familyName: string | null;
  line: string | null;
  postalCode: string | null;
  city: string | null;
  region: string | null;
}

export interface AuthorizeRequest extends ChargeRef {
  orderId: string;
  /** Which of the company's accounts takes it; absent: the first. */
  accountId?: string | undefined;
  amountMinor: number;
  currency: string;
  payWith: PayWith;
  /** The page of the order. After a challenge the player's browser comes to `/challenge` or `/return` below it. */
  returnUrl: string;
  /** Where the provider sends news of this charge, for one that is given the address with each. Null: nowhere that it reaches. */
  callbackUrl?: string | null;
  /** Whose order it is. A gateway saves methods for this player of this game only. */
  playerId?: string;
  email?: string | null;
  /** The player wants the method kept for the next order. */
  saveMethod?: boolean;
  /** The player's language, for pages of the provider. */
  locale?: string | null;
  /** The player's country, as the game says it. */
  country?: string | null;
  /** Null from this shop's own page. */
  address?: PlayerAddress | null;
  /** Whom the player buys from, for pages of the provider. */
  brandName?: string | null;
  items?: readonly RequestedItem[];
}

/** The studio's side of a dispute, in texts that every provider takes; each folder knows which field they belong to. */
export interface Evidence {
  product: string;
  /** When and how it was delivered, with what the game answered. */
  delivery: string;
  /** What the player was sent about the payment. */
  receipt: string;
  history: string;
  statement: string;
  email: string | null;
}

/** A file as the provider is told of it. Its name is made here, so that every provider takes it. */
export interface NamedFile {
  kind: EvidenceFileKind;
  name: string;
}

export interface EvidenceFile extends NamedFile {
  type: EvidenceFileType;
  content: Buffer;
}

/** Which files a provider takes with evidence. */
export interface FileRules {
  types: readonly EvidenceFileType[];
  fileBytes: number;
  /** Of all files of a dispute. */
  totalBytes: number;
  files: number;
  /** The provider has one place for each kind. */
  oneOfEachKind: boolean;
}

/** A part of evidence as the provider is given it. */
export interface EvidencePartSent {
  /** The provider's word for it. */
  field: string;
  text: string;
  files: string[];
}

export type DisputeAnswer = { disputeId: string; evidence: Evidence; files?: readonly EvidenceFile[] };

/** `taken`: the provider has exactly this evidence, by this call or by one before whose answer got lost. */
export type EvidenceAnswer = { kind: 'taken'; dispute: Dispute } | { kind: 'refused'; refusal: Refusal };

export interface SavedMethod {
  token: string;
  /** Whose account at the provider holds it, where it has several. */
  accountId?: string | null;
  brand: string;
  last4: string;
  expiryMonth: number;
  expiryYear: number;
}

export interface ForgetMethod {
  environmentId: string;
  playerId: string;
  token: string;
  /** The account that holds it, even if another one takes payments by now. Null: the one that takes them. */
  accountId?: string | null;
}

export interface ForgetPlayer {
  environmentId: string;
  /** The account that holds the customer. */
  accountId: string;
  customerId: string;
}

/** A charge that stands elsewhere than the step needs is answered as it stands, and nothing moved. */
export type StepAnswer = { kind: 'charge'; charge: Charge } | { kind: 'refused'; refusal: Refusal };

/** `charge`: the money went back, by this call or before. */
export type RefundAnswer =
  | StepAnswer
  /** The bank takes days. The charge stays `captured` and says when to ask again. */
  | { kind: 'pending'; charge: Charge };

/** The provider did not say what happened. Never a decline: ask again with `lookUp`, never charge again. */
export class OutcomeUnknown extends Error {}

/** There was no connection to the provider, so that nothing can have happened there. */
export class NothingSent extends OutcomeUnknown {}

/** The provider was asked by its own name for the charge and has none: another account, another mode, or deleted there. */
export class ChargeMissing extends OutcomeUnknown {}

/** The charge holds no money any longer, so the provider keeps nothing of it. */
export class NothingKept extends Error {}

/**
 * What Coinslot asks of a payment provider. Every call may be repeated with the same reference and moves money once.
 * A call returns what the provider now holds, or a clear no; whatever it throws means that the outcome is not known.
 */
export interface Gateway {
  readonly name: string;
  /** A no is a charge too: `declined`, with who said it. */
  authorize(request: AuthorizeRequest): Promise<Charge>;
  /** The amount is said again, so that a mix-up is refused where the money is. */
  capture(request: ChargeRef & { amountMinor: number; currency: string }): Promise<StepAnswer>;
  /**
   * Whether the account that reserved the money can still be asked for it: its keys are there. Absent: it always can. The game
   * is not asked for an order whose money could not be captured.
   */
  canCapture?(ref: ChargeRef): Promise<boolean>;
  void(ref: ChargeRef): Promise<StepAnswer>;
  refund(ref: ChargeRef): Promise<RefundAnswer>;
  /** Null: the provider has never heard of it, and after this answer it never will. */
  lookUp(ref: ChargeRef): Promise<Charge | null>;
  /** Throws `NothingKept` when asking again will not help. */
  saveMethod(ref: ChargeRef & { playerId: string }): Promise<SavedMethod>;
  /** The player does not want it kept any longer. Removing it twice changes nothing. */
  forgetMethod?(request: ForgetMethod): Promise<void>;
  /**
   * The player is erased: the customer goes with every method that was kept for it. Again changes nothing. False: the account is
   * not this provider's, or is connected no more. Absent where a provider keeps nothing but methods.
   */
  forgetPlayer?(request: ForgetPlayer): Promise<boolean>;
  /** Sends the studio's side of one dispute to the bank. Providers take it once, so it is final. */
  answerDispute(request: ChargeRef & DisputeAnswer): Promise<EvidenceAnswer>;
  /** Gives the money up: the dispute is lost, for good. Absent: the provider has no such call. */
  acceptDispute?(request: ChargeRef & { disputeId: string }): Promise<EvidenceAnswer>;
  /** Absent: the provider takes no files. */
  readonly fileRules?: FileRules | undefined;
  /** What the bank would read. Absent: nothing is sent through this provider. */
  previewEvidence?(evidence: Evidence, files: readonly NamedFile[]): EvidencePartSent[];
}

type Call = 'authorize' | 'capture' | 'void' | 'refund' | 'lookUp' | 'answerDispute' | 'acceptDispute';

/** The same gateway, with something done around each of these calls. */
export function aroundCalls<G extends Gateway>(
  gateway: G,
  calls: readonly Call[],
  around: <T>(ref: ChargeRef, call: () => Promise<T>) => Promise<T>,
): G {
  const there = calls.filter(name => gateway[name] !== undefined);
  const wrapped = there.map(name => {
    const call = gateway[name] as (request: ChargeRef) => Promise<unknown>;
    return [name, (request: ChargeRef) => around(request, () => call(request))];
  });
  return { ...gateway, ...Object.fromEntries(wrapped) };
}
