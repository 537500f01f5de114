import {
  EVIDENCE_CHARS,
  type Evidence,
  type EvidenceAnswer,
  evidenceRefusal,
  OutcomeUnknown,
} from '../base/gateway.ts';
import { disputeOf, evidenceStageOf } from './charge-of-payment.ts';
import { callPaypal, type Found, type PaypalDeps, refuse } from './paypal-context.ts';
import { stepRefusalOf } from './paypal-problem.ts';
import { listDisputes } from './read-payment.ts';
import { PaypalFault, TIMEOUTS_MS } from './wire/paypal-client.ts';
import type { PaypalDispute } from './wire/paypal-objects.ts';

interface PaypalEvidence {
  evidence_type: string;
  notes: string;
}

/** PayPal's words for each text. It takes files only as pictures and PDF, so all of it is notes. */
export function evidencesOf({ product, delivery, receipt, history, statement, email }: Evidence): PaypalEvidence[] {
  const account = [email && `E-mail of the player: ${email}`, history].filter(Boolean).join('\n');
  const texts = [
    ['PROOF_FOR_SOFTWARE_OR_SERVICE_DELIVERED', delivery],
    ['ITEM_DESCRIPTION', product],
    ['PROOF_OF_RECEIPT_COPY', receipt],
    ['ORDER_DETAILS', account],
    ['MERCHANT_RESPONSE', statement],
  ] as const;
  return texts
    .filter(([, text]) => text !== '')
    .map(([evidence_type, text]) => ({ evidence_type, notes: text.slice(0, EVIDENCE_CHARS) }));
}

const isSame = ({ evidences = [] }: PaypalDispute, evidence: Evidence): boolean =>
  evidencesOf(evidence).every(({ evidence_type: type, notes }) =>
    evidences.some(it => it.source === 'SUBMITTED_BY_SELLER' && it.evidence_type === type && it.notes === notes),
  );

/** What the disputes say about the evidence: that PayPal has it, or why it takes none. */
function judge({ row }: Found, disputes: readonly PaypalDispute[], evidence: Evidence): EvidenceAnswer {
  const ours = disputes.find(it => evidenceStageOf(it) === 'submitted' && isSame(it, evidence));
  const dispute = disputeOf(ours ? [ours] : disputes);
  if (ours && dispute) return { kind: 'taken', dispute };
  const now = new Date(row.createdAt.getTime() + row.ageSeconds * 1000);
  const isPast = dispute?.evidenceDueAt != null && dispute.evidenceDueAt <= now;
  return { kind: 'refused', refusal: evidenceRefusal(dispute, isPast) };
}

/** PayPal hears the seller once, so the dispute itself tells after a lost answer whether the evidence is there. */
export async function answerDispute(deps: PaypalDeps, found: Found, evidence: Evidence): Promise<EvidenceAnswer> {
  const { row, account } = found;
  if (row.captureId === null) return { kind: 'refused', refusal: evidenceRefusal(null, false) };
  const read = (): Promise<PaypalDispute[]> => listDisputes(deps, found, row.captureId!);
  const disputes = await read();
  const waiting = disputes.find(it => evidenceStageOf(it) === 'needed');
  if (!waiting) return judge(found, disputes, evidence);
  try {
    await callPaypal(deps, { environmentId: row.environmentId, account }, 'evidence', {
      method: 'POST',
      path: `/v1/customer/disputes/${waiting.dispute_id}/provide-evidence`,
      form: { input: { evidences: evidencesOf(evidence) } },
      timeoutMs: TIMEOUTS_MS.charge,
    });
  } catch (error) {
    if (!(error instanceof PaypalFault)) throw error;
    const answer = judge(found, await read(), evidence);
    // The state of the dispute does not explain the no: the members read what PayPal said.
    const isUnexplained = answer.kind === 'refused' && answer.refusal.code === 'dispute_closed';
    return isUnexplained ? refuse(deps, row, stepRefusalOf(error)) : answer;
  }
  const answer = judge(found, await read(), evidence);
  if (answer.kind === 'refused') throw new OutcomeUnknown('PayPal took the evidence and does not show it yet.');
  return answer;
}
