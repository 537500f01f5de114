import { type DisputeDetail, type DisputeEvidence, EVIDENCE_PARTS, type EvidencePart } from '@coinslot/contract';

/** Whether a member changed a text since it was read. */
export const isChanged = (given: DisputeEvidence, read: DisputeEvidence): boolean =>
  EVIDENCE_PARTS.some(part => given[part] !== read[part]);

export const withPart = (evidence: DisputeEvidence, part: EvidencePart, text: string): DisputeEvidence => ({
  ...evidence,
  [part]: text,
});

/** What the member is told about the evidence, the most important first. */
export type EvidenceState = 'sending' | 'taken' | 'refused' | 'late' | 'decided' | 'open';

export function stateOf(dispute: DisputeDetail, nowSeconds: number): EvidenceState {
  const { evidence_status: evidence, status, why_not: whyNot, evidence_due_at: due } = dispute;
  if (evidence === 'sending') return 'sending';
  if (status === 'won' || status === 'lost') return 'decided';
  if (evidence === 'taken') return 'taken';
  if (whyNot !== null) return due !== null && due <= nowSeconds ? 'late' : 'decided';
  return evidence === 'refused' ? 'refused' : 'open';
}
