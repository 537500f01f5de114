import type { AuthorizeRequest, Gateway } from '../../../apps/server/src/domain/payment/providers/base/gateway.ts';
import type { BalanceEntry } from '../../../apps/server/src/domain/payment/providers/base/provider-day.ts';

/** `answer`: the evidence in a dispute; `accept`: giving it up. */
export type Step = 'authorize' | 'capture' | 'void' | 'refund' | 'answer' | 'accept';

/** How a provider that misbehaves is brought about. */
export interface Trouble {
  /** The next call of this step is done, and its answer is lost. */
  loseAnswer(step: Step): void;
  /** The next call of this step never arrives. */
  loseRequest(step: Step): void;
  /** The next call of this step meets a fault of the provider, which it stores under the call's key if it has one. */
  storeFault(step: Step): void;
  /** The next call of this step is refused for good. */
  refuseForGood(step: Exclude<Step, 'authorize' | 'answer' | 'accept'>): void;
  /** The next refund is refused because the balance is low, and the refusal is stored under its key. */
  refuseForBalance(): void;
  /** The next authorization is refused because of a parameter of ours. */
  refuseOurRequest(): void;
}

/** A dispute by which a bank has the money, or may have. */
export type HeldState = 'open' | 'unclear' | 'lost';

/** What the bank behind a provider can be brought to. */
export interface BankTrouble {
  /** A refund that was done fails at the bank. */
  failRefund(request: AuthorizeRequest): Promise<void>;
  /** A dispute in each state that the provider has words for, and in one that is not invented yet. */
  dispute(request: AuthorizeRequest, state: 'inquiry' | HeldState): Promise<void>;
  /** A person at the provider returns the money. */
  returnThere(request: AuthorizeRequest): Promise<void>;
  /** The time in which the bank accepts evidence is over. */
  closeEvidence(request: AuthorizeRequest): Promise<void>;
  /** What the bank got as evidence, in one text; null: nothing. */
  evidenceOf(request: AuthorizeRequest): Promise<string | null>;
}

/**
 * What a provider does not have. `inquiry`: banks never only ask. `evidence`: nothing is sent to a bank through it. `request_id`:
 * its answers have no name that its support finds them by. `final_refusals`: its refusals have no codes, so none is known to be
 * for good. `open_disputes`: it reports a dispute when the money is gone.
 */
export type Lacking = 'inquiry' | 'evidence' | 'request_id' | 'final_refusals' | 'open_disputes';

export interface PortUnderTest {
  /** Switches off what cannot be tried; everything else holds for every provider. */
  lacks?: readonly Lacking[];
  gateway(): Gateway;
  /** A request that will be approved, each with a payment of its own. */
  request(): Promise<AuthorizeRequest>;
  /** A request that the bank declines. */
  declinedRequest(): Promise<AuthorizeRequest>;
  /** Money movements in the provider's own books. */
  books(request: AuthorizeRequest): Promise<string[]>;
  /** Long enough for whatever the provider needs to be sure of an error. */
  later(): Promise<void>;
  trouble: Trouble & BankTrouble;
  /** What the provider booked today. */
  entries(): Promise<BalanceEntry[]>;
}
