import { ownRefusal } from './charges.ts';
import { clearNo } from './fault.ts';
import { type Dispute, type Evidence, type EvidenceAnswer, OutcomeUnknown, type Refusal } from './gateway.ts';
import type { LocatedCharge } from './session.ts';

export interface ProviderDispute {
  dispute: Dispute;
  /** Whether exactly this evidence is what the provider has. */
  holds(evidence: Evidence): boolean;
}

export interface DisputeDriver<Client> {
  list(charge: LocatedCharge<Client>): Promise<ProviderDispute[]>;
  /** To the bank at once: evidence that is only staged counts for nothing. Absent: the provider takes none by its API. */
  submit?(charge: LocatedCharge<Client>, disputeId: string, evidence: Evidence): Promise<void>;
}

/** Why evidence is not taken, where the state of the dispute tells it. */
export function evidenceRefusal(dispute: Dispute | null, isPast: boolean): Refusal {
  if (dispute === null) return ownRefusal('bank', 'dispute_missing');
  if (dispute.evidenceStage === 'submitted') return ownRefusal('bank', 'evidence_already_submitted');
  return ownRefusal('bank', isPast ? 'evidence_too_late' : 'dispute_closed');
}

/** What the dispute says about the evidence: that the provider has it, or why it takes none. */
export function judgeEvidence(found: ProviderDispute | undefined, evidence: Evidence, now: Date): EvidenceAnswer {
  const dispute = found?.dispute ?? null;
  if (dispute?.evidenceStage === 'submitted' && found!.holds(evidence)) return { kind: 'taken', dispute };
  const isPast = dispute?.evidenceDueAt != null && dispute.evidenceDueAt <= now;
  return { kind: 'refused', refusal: evidenceRefusal(dispute, isPast) };
}

/** Providers take evidence once, so it needs no key: after a lost answer the dispute itself tells whether it is there. */
export async function answerDispute<Client>(
  { list, submit }: DisputeDriver<Client>,
  charge: LocatedCharge<Client>,
  { disputeId, evidence }: { disputeId: string; evidence: Evidence },
): Promise<EvidenceAnswer> {
  const { row } = charge;
  const now = new Date(row.createdAt.getTime() + row.ageSeconds * 1000);
  const find = async () => (await list(charge)).find(({ dispute }) => dispute.id === disputeId);
  const judge = async () => judgeEvidence(await find(), evidence, now);
  const found = await find();
  if (found?.dispute.evidenceStage !== 'needed' || !submit) return judgeEvidence(found, evidence, now);
  try {
    await submit(charge, disputeId, evidence);
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
