import type Stripe from 'stripe';
import { type Evidence, type EvidenceAnswer, evidenceRefusal, OutcomeUnknown } from '../base/gateway.ts';
import type { ProviderCharge } from '../base/provider-charge.sql.ts';
import { disputeOf, evidenceStageOf } from './charge-of-intent.ts';
import { TIMEOUTS_MS } from './stripe-client.ts';
import { type AccountClient, callStripe, faultOf, refuse, type StripeDeps } from './stripe-context.ts';
import { stepRefusalOf } from './stripe-problem.ts';

type Row = ProviderCharge & { intentId: string };

/** Stripe's fields for it. What has none of its own goes into the text that Stripe passes on as it is. */
export const evidenceParams = (evidence: Evidence): Stripe.DisputeUpdateParams.Evidence => ({
  product_description: evidence.product,
  access_activity_log: evidence.delivery,
  uncategorized_text: [evidence.statement, evidence.receipt, evidence.history].filter(Boolean).join('\n\n'),
  ...(evidence.email !== null && { customer_email_address: evidence.email }),
});

const isSame = (given: Stripe.Dispute['evidence'], evidence: Evidence): boolean => {
  const { product_description, access_activity_log, uncategorized_text } = evidenceParams(evidence);
  const isTold = (told: string | null | undefined, text: string | undefined): boolean => (told ?? '') === (text ?? '');
  return (
    isTold(given?.product_description, product_description) &&
    isTold(given?.access_activity_log, access_activity_log) &&
    isTold(given?.uncategorized_text, uncategorized_text)
  );
};

const listDisputes = async (deps: StripeDeps, { client }: AccountClient, row: Row): Promise<Stripe.Dispute[]> => {
  const cut = { payment_intent: row.intentId, limit: 20 };
  return (await callStripe(deps, row, 'disputes', () => client.disputes.list(cut, { timeout: TIMEOUTS_MS.ask }))).data;
};

/** What the disputes say about the evidence: that Stripe has it, or why it takes none. */
function judge(row: Row, disputes: readonly Stripe.Dispute[], evidence: Evidence): EvidenceAnswer {
  const ours = disputes.find(it => evidenceStageOf(it) === 'submitted' && isSame(it.evidence, evidence));
  const dispute = disputeOf(ours ? [ours] : disputes);
  if (ours && dispute) return { kind: 'taken', dispute };
  const now = new Date(row.createdAt.getTime() + row.ageSeconds * 1000);
  const isPast = dispute?.evidenceDueAt != null && dispute.evidenceDueAt <= now;
  return { kind: 'refused', refusal: evidenceRefusal(dispute, isPast) };
}

/**
 * Stripe takes evidence once, so it needs no key: after a lost answer the dispute itself tells whether it is there. What is
 * sent is submitted to the bank at once, because evidence that is only staged counts for nothing.
 */
export async function answerDispute(
  deps: StripeDeps,
  client: AccountClient,
  row: Row,
  evidence: Evidence,
): Promise<EvidenceAnswer> {
  const disputes = await listDisputes(deps, client, row);
  const waiting = disputes.find(it => evidenceStageOf(it) === 'needed');
  if (!waiting) return judge(row, disputes, evidence);
  try {
    const updated = await callStripe(deps, row, 'evidence', () =>
      client.client.disputes.update(
        waiting.id,
        { evidence: evidenceParams(evidence), submit: true },
        { timeout: TIMEOUTS_MS.charge },
      ),
    );
    return judge(row, [updated], evidence);
  } catch (error) {
    if (error instanceof OutcomeUnknown) throw error;
    const answer = judge(row, await listDisputes(deps, client, row), evidence);
    // The state of the dispute does not explain the no: the members read what Stripe said.
    const isUnexplained = answer.kind === 'refused' && answer.refusal.code === 'dispute_closed';
    return isUnexplained ? refuse(deps, row, stepRefusalOf(faultOf(error))) : answer;
  }
}
