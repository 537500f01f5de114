import type { Dispute, Refusal } from './charge-shape.ts';
import { ownRefusal } from './charges.ts';
import { clearNo } from './fault.ts';
import {
  type DisputeAnswer,
  type Evidence,
  type EvidenceAnswer,
  type EvidencePartSent,
  type FileRules,
  type NamedFile,
  OutcomeUnknown,
} from './gateway.ts';
import type { LocatedCharge } from './session.ts';

export interface ProviderDispute {
  dispute: Dispute;
  /** Whether exactly this evidence is what the provider has. */
  holds(evidence: Evidence, files: readonly NamedFile[]): boolean;
}

export interface DisputeDriver<Client> {
  list(charge: LocatedCharge<Client>): Promise<ProviderDispute[]>;
  /** To the bank at once: evidence that is only staged counts for nothing. Absent: the provider takes none by its API. */
  submit?(charge: LocatedCharge<Client>, answer: Required<DisputeAnswer>): Promise<void>;
  /** Gives the money up. Absent: the provider has no such call. */
  accept?(charge: LocatedCharge<Client>, disputeId: string): Promise<void>;
  readonly fileRules?: FileRules;
  preview?(evidence: Evidence, files: readonly NamedFile[]): EvidencePartSent[];
}

/** Why evidence is not taken, where the state of the dispute tells it. */
export function evidenceRefusal(dispute: Dispute | null, isPast: boolean): Refusal {
  if (dispute === null) return ownRefusal('bank', 'dispute_missing');
  if (dispute.evidenceStage === 'submitted') return ownRefusal('bank', 'evidence_already_submitted');
  return ownRefusal('bank', isPast ? 'evidence_too_late' : 'dispute_closed');
}

/** What the dispute says about the evidence: that the provider has it, or why it takes none. */
export function judgeEvidence(
  found: ProviderDispute | undefined,
  { evidence, files = [] }: { evidence: Evidence; files?: readonly NamedFile[] },
  now: Date,
): EvidenceAnswer {
  const dispute = found?.dispute ?? null;
  if (dispute?.evidenceStage === 'submitted' && found!.holds(evidence, files)) return { kind: 'taken', dispute };
  const isPast = dispute?.evidenceDueAt != null && dispute.evidenceDueAt <= now;
  return { kind: 'refused', refusal: evidenceRefusal(dispute, isPast) };
}

/** Providers take evidence once, so it needs no key: after a lost answer the dispute itself tells whether it is there. */
export async function submitEvidence<Client>(
  { list, submit }: DisputeDriver<Client>,
  charge: LocatedCharge<Client>,
  { disputeId, evidence, files = [] }: DisputeAnswer,
): Promise<EvidenceAnswer> {
  const { row } = charge;
  const now = new Date(row.createdAt.getTime() + row.ageSeconds * 1000);
  const find = async () => (await list(charge)).find(({ dispute }) => dispute.id === disputeId);
  const judge = async () => judgeEvidence(await find(), { evidence, files }, now);
  const found = await find();
  if (found?.dispute.evidenceStage !== 'needed' || !submit) return judgeEvidence(found, { evidence, files }, now);
  try {
    await submit(charge, { disputeId, evidence, files });
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

/** A dispute that is lost needs no acceptance any more, so that a lost answer does no harm. */
export async function submitAcceptance<Client>(
  { list }: DisputeDriver<Client>,
  accept: NonNullable<DisputeDriver<Client>['accept']>,
  charge: LocatedCharge<Client>,
  disputeId: string,
): Promise<EvidenceAnswer> {
  const find = async () => (await list(charge)).find(({ dispute }) => dispute.id === disputeId)?.dispute ?? null;
  const judge = (dispute: Dispute | null): EvidenceAnswer =>
    dispute?.status === 'lost'
      ? { kind: 'taken', dispute }
      : { kind: 'refused', refusal: evidenceRefusal(dispute, false) };
  const found = await find();
  if (found?.status !== 'open') return judge(found);
  try {
    await accept(charge, disputeId);
  } catch (error) {
    const fault = clearNo(error);
    const answer = judge(await find());
    return answer.kind === 'taken' ? answer : charge.refuse(charge.row, fault.stepRefusal);
  }
  const answer = judge(await find());
  if (answer.kind === 'refused') throw new OutcomeUnknown('The provider took the acceptance and does not show it yet.');
  return answer;
}
