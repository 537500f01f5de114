import type { Dispute, DisputeStatus } from '../base/charge-shape.ts';

export interface DisputeRules {
  /** From the capture until the bank questions it. */
  opensAfterSeconds: number;
  /** From then, or from the evidence, until the bank has decided. */
  closesAfterSeconds: number;
  /** How long a bank that waits for evidence hears it. */
  evidenceForSeconds: number;
}

export const DISPUTE_RULES: DisputeRules = {
  opensAfterSeconds: 2,
  closesAfterSeconds: 3,
  evidenceForSeconds: 7 * 86_400,
};

export interface DisputeFacts {
  paymentId: string;
  amountMinor: number;
  currency: string;
  behavior: string;
  capturedAt: Date | null;
  refundedAt: Date | null;
  /** When the studio sent its side. */
  evidenceAt?: Date | null;
  /** When the studio gave the money up. */
  acceptedAt?: Date | null;
  now: Date;
}

export interface DisputeOutlook {
  disputes: readonly Dispute[];
  askAgainInSeconds: number | null;
}

interface Course {
  /** While the bank has not decided. */
  open: DisputeStatus;
  withEvidence: DisputeStatus;
  without: DisputeStatus;
  /** The bank decides soon, whatever it hears; else it waits for evidence as long as it may come. */
  isQuick: boolean;
}

const COURSES: Readonly<Record<string, Course>> = {
  dispute_lost: { open: 'open', withEvidence: 'lost', without: 'lost', isQuick: true },
  dispute_won: { open: 'open', withEvidence: 'won', without: 'won', isQuick: true },
  dispute_evidence: { open: 'open', withEvidence: 'won', without: 'lost', isQuick: false },
  inquiry: { open: 'inquiry', withEvidence: 'won', without: 'won', isQuick: false },
  dispute_unclear: { open: 'unclear', withEvidence: 'unclear', without: 'unclear', isQuick: false },
};

const FACTS = { reason: 'fraudulent', networkCode: '10.4' } as const;
const QUIET: DisputeOutlook = { disputes: [], askAgainInSeconds: null };
const DAY_SECONDS = 86_400;

const later = (time: Date, seconds: number): Date => new Date(time.getTime() + seconds * 1000);

/** A dispute is a function of time: it needs no worker, and a moved clock shows every stage. */
export function disputeAt(facts: DisputeFacts, rules: DisputeRules): DisputeOutlook {
  const { behavior, capturedAt, refundedAt, evidenceAt = null, now, amountMinor, currency } = facts;
  const course = Object.hasOwn(COURSES, behavior) ? COURSES[behavior] : undefined;
  if (capturedAt === null || !course) return QUIET;
  const opensAt = later(capturedAt, rules.opensAfterSeconds);
  const secondsTo = (time: Date): number => Math.ceil((time.getTime() - now.getTime()) / 1000);
  if (now < opensAt) return { disputes: [], askAgainInSeconds: secondsTo(opensAt) };
  const about = { id: `dsp_${facts.paymentId}`, amountMinor, currency, ...FACTS };
  const evidenceDueAt = later(opensAt, course.isQuick ? rules.closesAfterSeconds : rules.evidenceForSeconds);
  const closesAt = evidenceAt && !course.isQuick ? later(evidenceAt, rules.closesAfterSeconds) : evidenceDueAt;
  if (facts.acceptedAt && refundedAt === null) {
    return {
      disputes: [{ ...about, status: 'lost', evidenceDueAt, evidenceStage: 'closed' }],
      askAgainInSeconds: null,
    };
  }
  // A bank that only asks is content with the money.
  const isEndedByRefund = course.open === 'inquiry' && refundedAt !== null;
  if (now < closesAt && !isEndedByRefund) {
    const evidenceStage = evidenceAt ? 'submitted' : 'needed';
    const dispute = { ...about, status: course.open, evidenceDueAt, evidenceStage } as const;
    return { disputes: [dispute], askAgainInSeconds: Math.min(secondsTo(closesAt), DAY_SECONDS) };
  }
  const decided = evidenceAt ? course.withEvidence : course.without;
  // The player already has the money back, so the bank finds for the shop: nothing moves twice.
  const status = refundedAt !== null ? 'won' : decided;
  const evidenceStage = evidenceAt ? 'submitted' : 'closed';
  return { disputes: [{ ...about, status, evidenceDueAt, evidenceStage }], askAgainInSeconds: null };
}
