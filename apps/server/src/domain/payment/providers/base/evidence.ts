import { ownRefusal } from './charges.ts';
import { clearNo } from './fault.ts';
import {
  type Dispute,
  type DisputeStatus,
  type Evidence,
  type EvidenceAnswer,
  OutcomeUnknown,
  type Refusal,
} from './gateway.ts';
import type { LocatedCharge } from './session.ts';

/** A dispute as the provider has it, in our words, under the provider's name of it. */
export interface ProviderDispute {
  id: string;
  dispute: Dispute;
  /** Whether exactly this evidence is what the provider has. */
  holds(evidence: Evidence): boolean;
}

export interface DisputeDriver<Client> {
  list(charge: LocatedCharge<Client>): Promise<ProviderDispute[]>;
  /** To the bank at once: evidence that is only staged counts for nothing. */
  submit(charge: LocatedCharge<Client>, disputeId: string, evidence: Evidence): Promise<void>;
}

/** A charge can be disputed more than once. What was lost stays lost; what is unclear or open is waited for. */
const WORST_FIRST: readonly DisputeStatus[] = ['lost', 'unclear', 'open', 'inquiry', 'won'];

export const worstDispute = (disputes: readonly Dispute[]): Dispute | null =>
  WORST_FIRST.map(wanted => disputes.find(({ status }) => status === wanted)).find(Boolean) ?? null;

export const isUndecided = (dispute: Dispute | null): boolean =>
  dispute !== null && dispute.status !== 'won' && dispute.status !== 'lost';

/** Why evidence is not taken, where the state of the dispute tells it. */
export function evidenceRefusal(dispute: Dispute | null, isPast: boolean): Refusal {
  if (dispute === null) return ownRefusal('bank', 'dispute_missing');
  if (dispute.evidenceStage === 'submitted') return ownRefusal('bank', 'evidence_already_submitted');
  return ownRefusal('bank', isPast ? 'evidence_too_late' : 'dispute_closed');
}

/** What the disputes say about the evidence: that the provider has it, or why it takes none. */
export function judgeEvidence(disputes: readonly ProviderDispute[], evidence: Evidence, now: Date): EvidenceAnswer {
  const taken = disputes.find(it => it.dispute.evidenceStage === 'submitted' && it.holds(evidence));
  if (taken) return { kind: 'taken', dispute: taken.dispute };
  const dispute = worstDispute(disputes.map(it => it.dispute));
  const isPast = dispute?.evidenceDueAt != null && dispute.evidenceDueAt <= now;
  return { kind: 'refused', refusal: evidenceRefusal(dispute, isPast) };
}

/** Providers take evidence once, so it needs no key: after a lost answer the dispute itself tells whether it is there. */
export async function answerDispute<Client>(
  { list, submit }: DisputeDriver<Client>,
  charge: LocatedCharge<Client>,
  evidence: Evidence,
): Promise<EvidenceAnswer> {
  const { row } = charge;
  const now = new Date(row.createdAt.getTime() + row.ageSeconds * 1000);
  const judge = async () => judgeEvidence(await list(charge), evidence, now);
  const disputes = await list(charge);
  const waiting = disputes.find(({ dispute }) => dispute.evidenceStage === 'needed');
  if (!waiting) return judgeEvidence(disputes, evidence, now);
  try {
    await submit(charge, waiting.id, evidence);
  } catch (error) {
    const fault = clearNo(error);
    const answer = await judge();
    // The state of the dispute does not explain the no: the members read what the provider said.
    const isUnexplained = answer.kind === 'refused' && answer.refusal.code === 'dispute_closed';
    return isUnexplained ? charge.refuse(row, fault.stepRefusal) : answer;
  }
  const answer = await judge();
  if (answer.kind === 'refused') throw new OutcomeUnknown('The provider took the evidence and does not show it yet.');
  return answer;
}
