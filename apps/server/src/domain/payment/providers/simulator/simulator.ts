import { type BalanceKind, EVIDENCE_PARTS } from '@coinslot/contract';
import type { Db, Queryable } from '../../../../db/db.ts';
import { type IsChaotic, providerChaos } from '../../../game/chaos/chaos.ts';
import type { Charge } from '../base/charge-shape.ts';
import {
  aroundCalls,
  type ChargeRef,
  type FileRules,
  type Gateway,
  OutcomeUnknown,
  type StepAnswer,
} from '../base/gateway.ts';
import type { BalanceEntry, DayRange } from '../base/provider-day.ts';
import { updateChargeOlder } from './charges.sql.ts';
import { DISPUTE_RULES } from './dispute-rules.ts';
import { deleteSimulatedMethod, listSimulatedEntries } from './entries.sql.ts';
import { SLOW_RULES } from './other-methods.ts';
import { FAIL_RULES, type Rules } from './simulated-charge.ts';
import { simulateAcceptance, simulateEvidence } from './simulated-disputes.ts';
import {
  type ChallengeAnswer,
  simulateAuthorize,
  simulateChallenge,
  simulateLookUp,
  simulateRefund,
  simulateSavedMethod,
  simulateStep,
} from './simulated-steps.ts';

const FEE_PERCENT = 3;

/** As tight as the tightest real one, so that what sandbox takes a provider takes too. */
const FILE_RULES: FileRules = {
  types: ['application/pdf', 'image/png', 'image/jpeg'],
  fileBytes: 4_500_000,
  totalBytes: 4_500_000,
  files: 4,
  oneOfEachKind: true,
};

/** What moves the balance, and which way. A reservation moves nothing, and a refund that failed never left. */
const MOVES: Readonly<Record<string, { kind: BalanceKind; sign: 1 | -1 }>> = {
  captured: { kind: 'payment', sign: 1 },
  refunded: { kind: 'refund', sign: -1 },
  disputed: { kind: 'dispute', sign: -1 },
  dispute_won: { kind: 'dispute', sign: 1 },
};

/** The simulator's own account of a day. It pays nothing out. */
async function entriesOfDay(db: Queryable, environmentId: string, day: DayRange): Promise<BalanceEntry[]> {
  const rows = await listSimulatedEntries(db, environmentId, day);
  return rows.flatMap(({ paymentId, kind: type, amountMinor, currency, createdAt }) => {
    const move = MOVES[type];
    if (!move) return [];
    const isPayment = move.kind === 'payment';
    return {
      entryId: `${paymentId}:${type}`,
      kind: move.kind,
      type,
      grossMinor: move.sign * amountMinor,
      feeMinor: isPayment ? Math.ceil((amountMinor * FEE_PERCENT) / 100) : 0,
      currency,
      original: null,
      chargeId: paymentId,
      payoutId: null,
      atSeconds: Math.floor(createdAt.getTime() / 1000),
    };
  });
}

/** What must agree before money moves. A caller that leaves it out takes the charge as it is. */
export type SimulatorCapture = ChargeRef & { amountMinor?: number; currency?: string };

export interface Simulator extends Gateway {
  capture(ref: SimulatorCapture): Promise<StepAnswer>;
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

/** The payment provider of sandbox: test cards, no real money, its own ledger. */
export function createSimulator({ db, rules: given }: SimulatorOptions): Simulator {
  const rules = { ...DISPUTE_RULES, ...SLOW_RULES, ...FAIL_RULES, ...given };
  return {
    name: 'simulator',
    authorize: request => simulateAuthorize(db, rules, request),
    capture: ({ environmentId, paymentId, amountMinor, currency }) =>
      simulateStep(
        db,
        rules,
        { environmentId, paymentId },
        { from: ['authorized'], to: 'captured', amountMinor, currency },
      ),
    void: ref => simulateStep(db, rules, ref, { from: ['authorized', 'requires_action', 'processing'], to: 'voided' }),
    refund: ref => simulateRefund(db, rules, ref),
    lookUp: ref => simulateLookUp(db, rules, ref),
    saveMethod: ref => simulateSavedMethod(db, ref),
    forgetMethod: async request => void (await deleteSimulatedMethod(db, request)),
    answerDispute: ({ environmentId, paymentId, disputeId, evidence, files = [] }) =>
      simulateEvidence(db, rules, { environmentId, paymentId, disputeId, evidence, files }),
    acceptDispute: ({ environmentId, paymentId, disputeId }) =>
      simulateAcceptance(db, rules, { environmentId, paymentId, disputeId }),
    fileRules: FILE_RULES,
    previewEvidence: (evidence, files) => [
      ...EVIDENCE_PARTS.map(part => ({ field: part, text: evidence[part], files: [] })),
      ...files.map(({ kind, name }) => ({ field: kind, text: '', files: [name] })),
    ],
    entries: (environmentId, range) => entriesOfDay(db, environmentId, range),
    answerChallenge: (ref, answer) => simulateChallenge(db, rules, ref, answer),
    advance: (ref, seconds) => updateChargeOlder(db, ref, seconds),
  };
}

/** The same provider, which now and then does not answer a sandbox that asked for it. It always says what it holds. */
export const chaoticSimulator = (simulator: Simulator, isChaotic: IsChaotic, random: () => number): Simulator =>
  aroundCalls(
    simulator,
    ['authorize', 'capture', 'void', 'refund', 'answerDispute', 'acceptDispute'],
    async (ref, call) => {
      const strikes = await isChaotic(ref.environmentId).catch(() => false);
      const lost = strikes ? providerChaos(random) : null;
      if (lost === 'request') throw new OutcomeUnknown('chaos: the request to the provider was lost');
      const answer = await call();
      if (lost === 'answer') throw new OutcomeUnknown('chaos: the answer of the provider was lost');
      return answer;
    },
  );
