import type { Db } from '../../../../db/db.ts';
import { type IsChaotic, providerChaos } from '../../../game/chaos/chaos.ts';
import {
  CHARGE_MISSING,
  type Decline,
  declinedCharge,
  disputedRefusal,
  isHeldByBank,
  leadingDispute,
  ownRefusal,
  refusal,
  refused,
} from '../base/charges.ts';
import { evidenceRefusal, judgeEvidence } from '../base/evidence.ts';
import {
  type AuthorizeRequest,
  aroundCalls,
  type Charge,
  type ChargeRef,
  type DisputeStatus,
  type Evidence,
  type EvidenceAnswer,
  type Gateway,
  NothingKept,
  OutcomeUnknown,
  type RefundAnswer,
  type SavedMethod,
  type StepAnswer,
} from '../base/gateway.ts';
import type { BalanceEntry, DayRange } from '../base/provider.ts';
import { entriesOfDay } from './balance.ts';
import {
  type ChargeRow,
  deleteSavedMethod,
  findCharge,
  insertCharge,
  insertEntries,
  insertSavedMethod,
  insertTombstone,
  type Move,
  type NewCharge,
  updateCharge,
  updateChargeArrived,
  updateChargeEvidence,
  updateChargeOlder,
  updateChargeRefunded,
  updateRefundFailed,
} from './charges.sql.ts';
import { DISPUTE_RULES, type DisputeRules, disputeAt } from './dispute-rules.ts';
import { denial, newCharge } from './new-charge.ts';
import { afterChallenge, canBeReturned, SLOW_RULES, type SlowRules, waitOf } from './other-methods.ts';

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

const GIVEN_UP = denial('2012');
const CHALLENGE_FAILED = denial('2065');

const disputesOf = ({ paymentId }: ChargeRef, row: ChargeRow, rules: Rules) =>
  disputeAt(
    {
      paymentId,
      amountMinor: row.amountMinor,
      currency: row.currency ?? '',
      behavior: row.behavior,
      capturedAt: row.capturedAt,
      refundedAt: row.refundedAt,
      evidenceAt: row.evidenceAt,
      now: row.now,
    },
    rules,
  );

const { code, reason } = ownRefusal('bank', 'lost_or_stolen_card');
const REFUND_FAILURE = { code, reason };

/** A refund that will fail is asked about again, as a provider would call. */
const refundFailureOf = (row: ChargeRow, { failsAfterSeconds }: Rules): Partial<Charge> => ({
  ...(row.status === 'captured' && row.refundFailedAt !== null && { refundFailure: REFUND_FAILURE }),
  ...(row.status === 'refunded' && { refundFailure: null }),
  ...(row.status === 'refunded' && row.behavior === 'refund_fails' && { askAgainInSeconds: failsAfterSeconds }),
});

/** Everything that a test card or a player says no to is the bank's; what never came to be is ours. */
function declineOf({
  responseCode,
  responseDescription,
}: Pick<NewCharge, 'responseCode' | 'responseDescription'>): Decline {
  if (responseCode === null) return { code: 'declined', refusal: ownRefusal('bank', 'declined') };
  const whose = responseCode === GIVEN_UP.responseCode ? 'shop' : 'bank';
  return { code: responseCode, refusal: refusal(whose, responseCode, responseDescription ?? '') };
}

/** Null for a charge that never came. */
function toCharge(ref: ChargeRef, row: ChargeRow, rules: Rules): Charge | null {
  const { status, currency, amountMinor, brand, last4, country, responseCode, responseDescription, challengeUrl } = row;
  if (status === 'never' || currency === null) return null;
  const charge = {
    status,
    amountMinor,
    currency,
    brand,
    last4,
    country,
    responseCode,
    responseDescription,
    challengeUrl,
    ...disputesOf(ref, row, rules),
    ...refundFailureOf(row, rules),
    ...(row.method !== 'card' && { method: row.method }),
    ...waitOf({ ...ref, ...row }),
  };
  return status === 'declined' ? declinedCharge(charge, declineOf(row)) : charge;
}

async function authorize(db: Db, rules: Rules, request: AuthorizeRequest): Promise<Charge> {
  const { paymentId, orderId, amountMinor, currency } = request;
  const wanted = await newCharge(db, rules, request);
  const row = (await db.shared(paymentId, tx => insertCharge(tx, wanted))) ?? (await findCharge(db, request));
  if (!row) throw new ChargeRefusal(`The charge ${paymentId} could not be made.`);
  const charge = toCharge(request, row, rules);
  if (!charge) return declinedCharge({ amountMinor, currency }, declineOf(GIVEN_UP));
  const isMeant = row.orderId === orderId && charge.amountMinor === amountMinor && charge.currency === currency;
  if (!isMeant) throw new ChargeRefusal(`The charge ${paymentId} exists for another order or amount.`);
  return charge;
}

const DISPUTE_ENTRIES: Readonly<Record<DisputeStatus, readonly string[]>> = {
  inquiry: [],
  open: ['disputed'],
  won: ['disputed', 'dispute_won'],
  lost: ['disputed', 'charged_back'],
  prevented: ['disputed', 'charged_back'],
  unclear: [],
};

/** The ledger learns of a dispute with the first answer that names it, so before a studio member can act on it. */
async function enterDispute(db: Db, ref: ChargeRef, charge: Charge | null): Promise<void> {
  for (const { status } of charge?.disputes ?? []) await insertEntries(db, ref, [...DISPUTE_ENTRIES[status]]);
}

/** Moves the charge, or answers it as it stands. Refused: it was never made, or it is of another amount. */
async function settle(db: Db, rules: Rules, ref: ChargeRef, move: Move): Promise<StepAnswer> {
  const moved = await db.shared(ref.paymentId, tx => updateCharge(tx, ref, move));
  const row = moved ?? (await findCharge(db, ref));
  const charge = row && toCharge(ref, row, rules);
  if (!charge) return CHARGE_MISSING;
  await enterDispute(db, ref, charge);
  const { amountMinor = charge.amountMinor, currency = charge.currency } = move;
  if (amountMinor !== charge.amountMinor || currency !== charge.currency) {
    return refused('shop', 'amount_differs', { param: 'amount' });
  }
  return { kind: 'charge', charge };
}

async function refund(db: Db, rules: Rules, ref: ChargeRef): Promise<RefundAnswer> {
  const there = await findCharge(db, ref);
  if (there?.status === 'captured' && !canBeReturned(there.method)) return refused('bank', 'charge_not_refundable');
  const seen = there?.status === 'captured' ? disputesOf(ref, there, rules) : null;
  if (seen && isHeldByBank(seen)) return disputedRefusal(leadingDispute(seen)?.status === 'lost');
  const row = (await updateChargeRefunded(db, ref)) ?? (await findCharge(db, ref));
  const charge = row && toCharge(ref, row, rules);
  if (!charge) return CHARGE_MISSING;
  return charge.status === 'refunded' ? { kind: 'charge', charge } : refused('shop', 'charge_not_captured');
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
  { disputeId, evidence, ...ref }: ChargeRef & { disputeId: string; evidence: Evidence },
): Promise<EvidenceAnswer> {
  const find = (row: ChargeRow | null) =>
    row && disputesOf(ref, row, rules).disputes.find(({ id }) => id === disputeId);
  if (find(await findCharge(db, ref))?.evidenceStage === 'needed') await updateChargeEvidence(db, ref, evidence);
  const row = await findCharge(db, ref);
  const dispute = find(row);
  if (!row || !dispute) return { kind: 'refused', refusal: evidenceRefusal(null, false) };
  const holds = (given: Evidence): boolean => isSame(given, row.evidence);
  return judgeEvidence({ dispute, holds }, evidence, row.now);
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
    forgetMethod: async request => void (await deleteSavedMethod(db, request)),
    answerDispute: ({ environmentId, paymentId, disputeId, evidence }) =>
      answerDispute(db, rules, { environmentId, paymentId, disputeId, evidence }),
    entries: (environmentId, range) => entriesOfDay(db, environmentId, range),
    answerChallenge: (ref, answer) => answerChallenge(db, rules, ref, answer),
    advance: (ref, seconds) => updateChargeOlder(db, ref, seconds),
  };
}

/** The same provider, which now and then does not answer a sandbox that asked for it. It always says what it holds. */
export const chaoticSimulator = (simulator: Simulator, isChaotic: IsChaotic, random: () => number): Simulator =>
  aroundCalls(simulator, ['authorize', 'capture', 'void', 'refund', 'answerDispute'], async (ref, call) => {
    const strikes = await isChaotic(ref.environmentId).catch(() => false);
    const lost = strikes ? providerChaos(random) : null;
    if (lost === 'request') throw new OutcomeUnknown('chaos: the request to the provider was lost');
    const answer = await call();
    if (lost === 'answer') throw new OutcomeUnknown('chaos: the answer of the provider was lost');
    return answer;
  });
