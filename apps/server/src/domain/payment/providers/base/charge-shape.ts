import type { RiskResult, RiskSign } from '@coinslot/contract';

/** `processing`: the player has done everything, and the money comes by itself, within minutes or days. */
export type ChargeStatus =
  | 'requires_action'
  | 'processing'
  | 'authorized'
  | 'captured'
  | 'declined'
  | 'voided'
  | 'refunded';

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
  /** All of them: a charge can be disputed more than once, in parts, and after it was returned. */
  disputes: readonly Dispute[];
  /** The provider expects news about this charge (a dispute that will open or close): ask again then. */
  askAgainInSeconds: number | null;
  /** Our word for how it was paid, once the provider knows better than the form. */
  method?: string | null;
  /** The provider's own name of it, for people who look it up there. */
  providerId?: string | null;
  nextAction?: NextAction | null;
  fee?: Fee | null;
  /** Money that went back, by us or at the provider. Less than `amountMinor` is a partial refund made there. */
  refundedMinor?: number;
  /** Who said no, while `declined`. A shop's fault is never shown as the bank's. */
  declinedBy?: Refusal['whose'] | null;
  /** The no in full, while `declined`. */
  refusal?: Refusal | null;
  /** The last refund did not arrive, perhaps days after it was said to have: the money is here, the charge is `captured`. */
  refundFailure?: { reason: string; code: string; refundId?: string } | null;
  /** What the provider or a bank suspects. No money has moved because of it. */
  warning?: ChargeWarning | null;
  /** What the provider thinks of the payer, where it says so. */
  risk?: ChargeRisk | null;
}

/** What the player does next, while `requires_action` or `processing`. */
export interface NextAction {
  /** For the provider's script in the page. */
  clientSecret: string | null;
  /** For a browser without script: where the player goes. */
  redirectUrl: string | null;
  /** How to pay a voucher or a code, kept by the provider; good until `expiresAt`. */
  instructionsUrl: string | null;
  /** What the player types in or shows where the voucher is paid. */
  reference?: string | null;
  expiresAt: Date | null;
}

export interface Fee {
  amountMinor: number;
  /** The provider's, which may be another than the order's. */
  currency: string;
}

/**
 * A clear no: for sure nothing moved. `bank` is the bank's, the method's or the player's; `shop` is a mistake of the setup or
 * of ours (key, capability, parameter, balance), so no player could have paid otherwise.
 */
export interface Refusal {
  whose: 'bank' | 'shop';
  /** The provider's word for it, or ours where it was found before the provider was asked. */
  code: string;
  /** In plain words, without anything that the provider may have quoted. */
  reason: string;
  /** Which part of the request the provider names. */
  param: string | null;
  /** How the provider's support finds the call. */
  requestId: string | null;
  /** Asking again changes nothing, whatever else changes. False: the cause can pass (balance, key, dispute). */
  isFinal: boolean;
}

/**
 * `inquiry`: the bank only asks, no money has moved, and a refund ends it. `unclear`: a status that is not known here; it is
 * never read as won, and a person must look at the provider. `prevented`: the money went back before the bank had to ask.
 */
export type DisputeStatus = 'inquiry' | 'open' | 'won' | 'lost' | 'prevented' | 'unclear';

export interface Dispute {
  /** The provider's own name of it. */
  id: string;
  status: DisputeStatus;
  reason: string;
  /** What the bank questions, which may be a part of the payment. */
  amountMinor: number;
  currency: string;
  /** What the provider took for it, beside the money in question. */
  fee?: Fee | null;
  /** Until when the bank takes evidence. */
  evidenceDueAt?: Date | null;
  /** The card network's own code for the reason, where the provider passes it on. */
  networkCode?: string | null;
  /** Whether the studio can still send evidence. Absent: the provider does not say. */
  evidenceStage?: EvidenceStage;
}

/** `needed`: evidence can be sent. `submitted`: it was sent, and the bank decides. `closed`: decided, too late or not wanted. */
export type EvidenceStage = 'needed' | 'submitted' | 'closed';

export interface ChargeWarning {
  /** `fraud_warning`: a bank expects a dispute, which a refund may still avoid. `review`: the provider asks a person to look. */
  kind: 'fraud_warning' | 'review';
  reason: string;
}

/** For people who look at a payment: nothing follows from it by itself. */
export interface ChargeRisk {
  level: 'normal' | 'elevated' | 'highest' | null;
  /** 0 to 100, where the provider gives one. */
  score: number | null;
  checks: RiskCheck[];
}

export interface RiskCheck {
  what: RiskSign;
  result: RiskResult;
}
