import type { DisputeDetail, DisputeEvidence, EvidencePart } from '@coinslot/contract';

/** In the order in which the bank reads them. */
export const EVIDENCE_PARTS = [
  'statement',
  'product',
  'delivery',
  'receipt',
  'history',
] as const satisfies readonly EvidencePart[];

/** Every provider accepts a text of this length. */
export const EVIDENCE_CHARS = 2_000;

export const isChanged = (given: DisputeEvidence, read: DisputeEvidence): boolean =>
  EVIDENCE_PARTS.some(part => given[part] !== read[part]);

export const withPart = (evidence: DisputeEvidence, part: EvidencePart, text: string): DisputeEvidence => ({
  ...evidence,
  [part]: text,
});

export type EvidenceState = 'sending' | 'taken' | 'refused' | 'late' | 'decided' | 'open' | 'accepting' | 'accepted';

export function stateOf(dispute: DisputeDetail, nowSeconds: number): EvidenceState {
  const { evidence_status: evidence, status, why_not: whyNot, evidence_due_at: due } = dispute;
  if (evidence === 'sending' || evidence === 'accepting' || evidence === 'accepted') return evidence;
  if (status === 'won' || status === 'lost' || status === 'prevented') return 'decided';
  if (evidence === 'taken' && whyNot !== null) return 'taken';
  if (whyNot !== null) return due !== null && due <= nowSeconds ? 'late' : 'decided';
  return evidence === 'refused' ? 'refused' : 'open';
}

/** The one that was picked, else the one whose deadline is next, else the newest. */
export function chosenDispute(disputes: readonly DisputeDetail[], id: string | null): DisputeDetail {
  const waiting = disputes
    .filter(({ can_answer: canAnswer }) => canAnswer)
    .toSorted((a, b) => (a.evidence_due_at ?? 0) - (b.evidence_due_at ?? 0));
  return disputes.find(dispute => dispute.dispute_id === id) ?? waiting[0] ?? disputes[0]!;
}
