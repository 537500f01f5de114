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

export type PayWith = { kind: 'card'; card: CardDetails } | { kind: 'saved_method'; token: string };

export interface AuthorizeRequest extends ChargeRef {
  orderId: string;
  amountMinor: number;
  currency: string;
  payWith: PayWith;
  /** Where the player's browser comes back to after a challenge. */
  returnUrl: string;
}

export type ChargeStatus = 'requires_action' | 'authorized' | 'captured' | 'declined' | 'voided' | 'refunded';

export interface Dispute {
  status: 'open' | 'won' | 'lost';
  reason: string;
}

/** What the provider holds. Every answer of the gateway has this shape, whichever way it was asked. */
export interface Charge {
  status: ChargeStatus;
  amountMinor: number;
  currency: string;
  brand: string | null;
  last4: string | null;
  country: string | null;
  responseCode: string | null;
  responseDescription: string | null;
  /** Where the player proves who they are, while `requires_action`. */
  challengeUrl: string | null;
  dispute: Dispute | null;
  /** The provider expects news about this charge (a dispute that will open or close): ask again then. */
  askAgainInSeconds: number | null;
}

export interface SavedMethod {
  token: string;
  brand: string;
  last4: string;
  expiryMonth: number;
  expiryYear: number;
}

export type RefundAnswer = { kind: 'refunded'; charge: Charge } | { kind: 'refused'; reason: string };

/** The provider did not say what happened. Never a decline: ask again with `lookUp`, never charge again. */
export class OutcomeUnknown extends Error {}

/**
 * What Coinslot asks of a payment provider. Every call may be repeated with the same reference and moves money once.
 * A call either returns what the provider now holds or throws; whatever it throws means that the outcome is not known.
 */
export interface Gateway {
  readonly name: string;
  authorize(request: AuthorizeRequest): Promise<Charge>;
  /** The amount is said again, so that a mix-up is refused where the money is. */
  capture(request: ChargeRef & { amountMinor: number; currency: string }): Promise<Charge>;
  void(ref: ChargeRef): Promise<Charge>;
  refund(ref: ChargeRef): Promise<RefundAnswer>;
  /** Null: the provider has never heard of it, and after this answer it never will. */
  lookUp(ref: ChargeRef): Promise<Charge | null>;
  saveMethod(ref: ChargeRef & { playerId: string }): Promise<SavedMethod>;
  /** The dispute on a charge as it stands now, or null. */
  dispute(ref: ChargeRef): Promise<Dispute | null>;
}
