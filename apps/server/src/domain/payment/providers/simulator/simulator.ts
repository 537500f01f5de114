import type { Db, Queryable } from '../../../../db/db.ts';
import { brandOf, digitsOf } from '../base/card.ts';
import { chargeMissing, declinedCharge, disputedRefusal, isHeldByBank, refusal, refused } from '../base/charges.ts';
import { evidenceRefusal, judgeEvidence } from '../base/evidence.ts';
import {
  type AuthorizeRequest,
  type CardDetails,
  type Charge,
  type ChargeRef,
  type DisputeStatus,
  type Evidence,
  type EvidenceAnswer,
  type Gateway,
  NothingKept,
  type RefundAnswer,
  type SavedMethod,
  type StepAnswer,
} from '../base/gateway.ts';
import type { BalanceEntry, DayRange } from '../base/provider.ts';
import { entriesOfDay } from './balance.ts';
import type { ChargeRow, Move, NewCharge } from './charges.sql.ts';
import {
  deleteSavedMethod,
  findCharge,
  insertCharge,
  insertChargeByMethod,
  insertChargeBySavedMethod,
  insertEntries,
  insertSavedMethod,
  insertTombstone,
  updateCharge,
  updateChargeArrived,
  updateChargeEvidence,
  updateChargeOlder,
  updateChargeRefunded,
  updateRefundFailed,
} from './charges.sql.ts';
import { DISPUTE_RULES, type DisputeRules, disputeAt } from './dispute-rules.ts';
import { afterChallenge, canBeReturned, openingOf, SLOW_RULES, type SlowRules, waitOf } from './other-methods.ts';
import { findTestCard, type TestCard } from './test-cards.ts';

/** The provider was asked for what this charge can no longer, or not yet, do. Asking again changes nothing. */
export class ChargeRefusal extends Error {}

export type ChallengeAnswer = 'complete' | 'fail';

/** What must agree before money moves. A caller that leaves it out takes the charge as it is. */
export type CaptureRequest = ChargeRef & { amountMinor?: number; currency?: string };

export interface Simulator extends Gateway {
  capture(ref: CaptureRequest): Promise<StepAnswer>;
  /** The player's answer on the 3-D Secure page. The first answer stands. */
  answerChallenge(ref: ChargeRef, answer: ChallengeAnswer): Promise<Charge>;
  /** Makes the charge older, so that what a bank does later comes due. */
  advance(ref: ChargeRef, seconds: number): Promise<void>;
  /** What the provider booked, as it would list it for the accountant. */
  entries(environmentId: string, range: DayRange): Promise<BalanceEntry[]>;
}

export interface SimulatorOptions {
  /** The provider's own connections. It must never be given the shop's transaction. */
  db: Db;
  rules?: Partial<Rules>;
}

type Rules = DisputeRules & SlowRules & { failsAfterSeconds: number };

/** From a refund until its bank says that it could not do it. */
const FAIL_RULES = { failsAfterSeconds: 3 };

interface Denial {
  code: string;
  description: string;
}

const NOT_A_TEST_CARD = { code: '2014', description: 'Sandbox takes test cards only' };
const WRONG_CVC = { code: '2082', description: 'CVV is not valid' };
const EXPIRED = { code: '2054', description: 'Expired card' };
const CHALLENGE_FAILED = { responseCode: '2065', responseDescription: '3-D Secure authentication failed' };
const METHOD_UNKNOWN = { code: '2025', description: 'Saved payment method not found' };
const GIVEN_UP = { code: '2012', description: 'This payment was given up before it reached the provider' };

function judge(card: CardDetails, known: TestCard | undefined): Denial | null {
  if (!known) return NOT_A_TEST_CARD;
  const cvcLength = known.brand === 'amex' ? 4 : 3;
  if (!/^\d+$/.test(card.cvc) || card.cvc.length !== cvcLength) return WRONG_CVC;
  const { expiryMonth, expiryYear } = card;
  const isMonth = Number.isInteger(expiryMonth) && expiryMonth >= 1 && expiryMonth <= 12;
  if (!isMonth || !Number.isInteger(expiryYear) || expiryYear < 2000 || expiryYear > 9999) return EXPIRED;
  return known.behavior.kind === 'decline' ? known.behavior : null;
}

const challengeUrlOf = ({ returnUrl }: AuthorizeRequest): string => `${returnUrl}/challenge`;

const refOf = ({ environmentId, paymentId, orderId, amountMinor, currency }: AuthorizeRequest) => ({
  environmentId,
  paymentId,
  orderId,
  amountMinor,
  currency,
});

function declined(request: AuthorizeRequest, { code, description }: Denial): NewCharge {
  return {
    status: 'declined',
    ...refOf(request),
    behavior: 'decline',
    brand: null,
    last4: null,
    country: null,
    expiryMonth: null,
    expiryYear: null,
    responseCode: code,
    responseDescription: description,
    challengeUrl: null,
  };
}

/** The last point that sees the number: four digits of it go on. */
function chargeFor(request: AuthorizeRequest, card: CardDetails): NewCharge {
  const digits = digitsOf(card.number);
  const known = findTestCard(digits);
  const seen = {
    brand: known?.brand ?? brandOf(digits),
    last4: /^\d{12,19}$/.test(digits) ? digits.slice(-4) : null,
    country: known?.country ?? null,
  };
  const denial = judge(card, known);
  if (denial || !known) return { ...declined(request, denial ?? NOT_A_TEST_CARD), ...seen };
  const isChallenge = known.behavior.kind === 'challenge';
  return {
    status: isChallenge ? 'requires_action' : 'authorized',
    ...refOf(request),
    ...seen,
    behavior: known.behavior.kind,
    expiryMonth: card.expiryMonth,
    expiryYear: card.expiryYear,
    responseCode: null,
    responseDescription: null,
    challengeUrl: isChallenge ? challengeUrlOf(request) : null,
  };
}

const wayFor = (request: AuthorizeRequest, rules: Rules, method: string) => ({
  ...refOf(request),
  method,
  ...openingOf(method, rules, challengeUrlOf(request)),
});

function insertFor(db: Queryable, rules: Rules, request: AuthorizeRequest): Promise<ChargeRow | null> {
  const { payWith } = request;
  switch (payWith.kind) {
    case 'card':
      return insertCharge(db, chargeFor(request, payWith.card));
    case 'saved_method':
      return insertChargeBySavedMethod(db, {
        ...refOf(request),
        token: payWith.token,
        playerId: request.playerId ?? null,
        challengeUrl: challengeUrlOf(request),
      });
    case 'redirect':
      return insertChargeByMethod(db, wayFor(request, rules, payWith.method));
    case 'provider_token':
      throw new ChargeRefusal('The simulator has no form of its own in the browser.');
  }
}

const disputeOf = (row: ChargeRow, rules: Rules) =>
  disputeAt(
    {
      behavior: row.behavior,
      capturedAt: row.capturedAt,
      refundedAt: row.refundedAt,
      evidenceAt: row.evidenceAt,
      now: row.now,
    },
    rules,
  );

const REFUND_FAILURE = { code: 'lost_or_stolen_card', reason: 'The bank could not return the money to this card.' };

/** A refund that will fail is asked about again, as a provider would call. */
const refundFailureOf = (row: ChargeRow, { failsAfterSeconds }: Rules): Partial<Charge> => ({
  ...(row.status === 'captured' && row.refundFailedAt !== null && { refundFailure: REFUND_FAILURE }),
  ...(row.status === 'refunded' && { refundFailure: null }),
  ...(row.status === 'refunded' && row.behavior === 'refund_fails' && { askAgainInSeconds: failsAfterSeconds }),
});

/** Everything that a test card or a player says no to is the bank's; what never came to be is ours. */
function declineIn({ code, description }: Denial): Pick<Charge, 'declinedBy' | 'refusal'> {
  const whose = code === GIVEN_UP.code ? 'shop' : 'bank';
  return { declinedBy: whose, refusal: refusal(whose, code, description) };
}

/** Null for a charge that never came. */
function toCharge({ paymentId }: ChargeRef, row: ChargeRow, rules: Rules): Charge | null {
  if (row.status === 'never' || row.currency === null) return null;
  return {
    status: row.status,
    amountMinor: row.amountMinor,
    currency: row.currency,
    brand: row.brand,
    last4: row.last4,
    country: row.country,
    responseCode: row.responseCode,
    responseDescription: row.responseDescription,
    challengeUrl: row.challengeUrl,
    ...disputeOf(row, rules),
    ...refundFailureOf(row, rules),
    ...(row.status === 'declined' &&
      declineIn({
        code: row.responseCode ?? 'declined',
        description: row.responseDescription ?? 'Payment declined',
      })),
    ...(row.method !== 'card' && { method: row.method }),
    ...waitOf({ paymentId, method: row.method, status: row.status, dueAt: row.dueAt, now: row.now }),
  };
}

const givenUp = ({ amountMinor, currency }: AuthorizeRequest): Charge =>
  declinedCharge(
    { amountMinor, currency },
    { code: GIVEN_UP.code, refusal: refusal('shop', GIVEN_UP.code, GIVEN_UP.description) },
  );

async function authorize(db: Db, rules: Rules, request: AuthorizeRequest): Promise<Charge> {
  const { paymentId } = request;
  const row =
    (await db.shared(paymentId, tx => insertFor(tx, rules, request))) ??
    (await findCharge(db, request)) ??
    // Neither made nor there: the saved method does not exist. The decline is a charge like any other.
    (await insertCharge(db, declined(request, METHOD_UNKNOWN))) ??
    (await findCharge(db, request));
  if (!row) throw new ChargeRefusal(`The charge ${paymentId} could not be made.`);
  const charge = toCharge(request, row, rules);
  if (!charge) return givenUp(request);
  const isMeant =
    row.orderId === request.orderId &&
    charge.amountMinor === request.amountMinor &&
    charge.currency === request.currency;
  if (!isMeant) throw new ChargeRefusal(`The charge ${paymentId} exists for another order or amount.`);
  return charge;
}

const DISPUTE_ENTRIES: Readonly<Record<DisputeStatus, readonly string[]>> = {
  inquiry: [],
  open: ['disputed'],
  won: ['disputed', 'dispute_won'],
  lost: ['disputed', 'charged_back'],
  unclear: [],
};

/** The ledger learns of a dispute with the first answer that names it, so before a studio member can act on it. */
async function enterDispute(db: Db, ref: ChargeRef, charge: Charge | null): Promise<void> {
  if (charge?.dispute) await insertEntries(db, ref, [...DISPUTE_ENTRIES[charge.dispute.status]]);
}

/** Moves the charge, or answers it as it stands. Refused: it was never made, or it is of another amount. */
async function settle(db: Db, rules: Rules, ref: ChargeRef, move: Move): Promise<StepAnswer> {
  const moved = await db.shared(ref.paymentId, tx => updateCharge(tx, ref, move));
  const row = moved ?? (await findCharge(db, ref));
  const charge = row && toCharge(ref, row, rules);
  if (!charge) return chargeMissing('The simulator', ref);
  await enterDispute(db, ref, charge);
  const { amountMinor = charge.amountMinor, currency = charge.currency } = move;
  if (amountMinor !== charge.amountMinor || currency !== charge.currency) {
    const held = `${charge.amountMinor} ${charge.currency}`;
    const reason = `The charge ${ref.paymentId} is of ${held} (minor units), not of ${amountMinor} ${currency}.`;
    return refused('shop', 'amount_differs', reason, { param: 'amount' });
  }
  return { kind: 'charge', charge };
}

async function refund(db: Db, rules: Rules, ref: ChargeRef): Promise<RefundAnswer> {
  const there = await findCharge(db, ref);
  if (there?.status === 'captured' && !canBeReturned(there.method)) {
    const reason = `What was paid by ${there.method} cannot be returned by the provider.`;
    return refused('bank', 'charge_not_refundable', reason);
  }
  const dispute = there?.status === 'captured' ? disputeOf(there, rules).dispute : null;
  if (isHeldByBank(dispute)) return disputedRefusal(dispute?.status === 'lost');
  const row = (await updateChargeRefunded(db, ref)) ?? (await findCharge(db, ref));
  const charge = row && toCharge(ref, row, rules);
  if (!charge) return chargeMissing('The simulator', ref);
  if (charge.status === 'refunded') return { kind: 'charge', charge };
  return refused(
    'shop',
    'charge_not_captured',
    `The charge ${ref.paymentId} is ${charge.status}: nothing was captured.`,
  );
}

async function lookUp(db: Db, rules: Rules, ref: ChargeRef): Promise<Charge | null> {
  const found = (await findCharge(db, ref)) ?? (await insertTombstone(db, ref));
  const arrived =
    found.status === 'processing'
      ? await updateChargeArrived(db, ref)
      : found.behavior === 'refund_fails'
        ? await updateRefundFailed(db, ref, rules)
        : null;
  const charge = toCharge(ref, arrived ?? found, rules);
  await enterDispute(db, ref, charge);
  return charge;
}

async function saveMethod(db: Db, ref: ChargeRef & { playerId: string }): Promise<SavedMethod> {
  const saved = await insertSavedMethod(db, ref);
  if (!saved) throw new NothingKept(`The charge ${ref.paymentId} holds no money, so its method is not kept.`);
  return saved;
}

async function answerChallenge(db: Db, rules: Rules, ref: ChargeRef, answer: ChallengeAnswer): Promise<Charge> {
  const found = await findCharge(db, ref);
  if (found?.behavior !== 'challenge') throw new ChargeRefusal(`The charge ${ref.paymentId} has no challenge.`);
  const to =
    answer === 'complete' ? { to: afterChallenge(found.method) } : ({ to: 'declined', ...CHALLENGE_FAILED } as const);
  const settled = await settle(db, rules, ref, { from: ['requires_action'], ...to });
  if (settled.kind === 'refused') throw new ChargeRefusal(settled.refusal.reason);
  return settled.charge;
}

const isSame = (given: Evidence, other: Evidence | null): boolean =>
  other !== null && Object.keys(given).every(key => given[key as keyof Evidence] === other[key as keyof Evidence]);

async function answerDispute(
  db: Db,
  rules: Rules,
  { evidence, ...ref }: ChargeRef & { evidence: Evidence },
): Promise<EvidenceAnswer> {
  const before = await findCharge(db, ref);
  if (before && disputeOf(before, rules).dispute?.evidenceStage === 'needed')
    await updateChargeEvidence(db, ref, evidence);
  const row = await findCharge(db, ref);
  const dispute = row && disputeOf(row, rules).dispute;
  if (!row || !dispute) return { kind: 'refused', refusal: evidenceRefusal(null, false) };
  const holds = (given: Evidence): boolean => isSame(given, row.evidence);
  return judgeEvidence([{ id: ref.paymentId, dispute, holds }], evidence, row.now);
}

/** The payment provider of sandbox: test cards, no real money, its own ledger. */
export function createSimulator({ db, rules: given }: SimulatorOptions): Simulator {
  const rules = { ...DISPUTE_RULES, ...SLOW_RULES, ...FAIL_RULES, ...given };
  return {
    name: 'simulator',
    authorize: request => authorize(db, rules, request),
    capture: ({ environmentId, paymentId, amountMinor, currency }) =>
      settle(db, rules, { environmentId, paymentId }, { from: ['authorized'], to: 'captured', amountMinor, currency }),
    void: ref => settle(db, rules, ref, { from: ['authorized', 'requires_action', 'processing'], to: 'voided' }),
    refund: ref => refund(db, rules, ref),
    lookUp: ref => lookUp(db, rules, ref),
    saveMethod: ref => saveMethod(db, ref),
    forgetMethod: request => deleteSavedMethod(db, request),
    async dispute(ref) {
      const row = await findCharge(db, ref);
      return row ? ((await lookUp(db, rules, ref))?.dispute ?? null) : null;
    },
    answerDispute: ({ environmentId, paymentId, evidence }) =>
      answerDispute(db, rules, { environmentId, paymentId, evidence }),
    entries: (environmentId, range) => entriesOfDay(db, environmentId, range),
    answerChallenge: (ref, answer) => answerChallenge(db, rules, ref, answer),
    advance: (ref, seconds) => updateChargeOlder(db, ref, seconds),
  };
}
