import { fragment, jsonOrNull, type Queryable, type RowOf, sql, type Tx, table, typed } from '../../../db/statement.ts';
import type { Dispute, DisputeStatus, EvidenceStage, Refusal } from '../providers/base/charge-shape.ts';
import { storableFee } from '../providers/base/charges.ts';
import type { ChargeRef, Evidence } from '../providers/base/gateway.ts';

/** `accepting`, `accepted`: the studio gives the money up. */
export type EvidenceStatus = 'none' | 'draft' | 'sending' | 'taken' | 'refused' | 'accepting' | 'accepted';

/** What a bank says about a payment, and how far the studio's answer is. */
const DISPUTES = table('disputes', {
  environmentId: 'text',
  paymentId: 'text',
  /** The provider's own name of it. */
  id: 'text',
  status: typed<DisputeStatus>('text'),
  reason: 'text',
  amountMinor: 'bigint',
  currency: 'text',
  feeMinor: 'bigint?',
  feeCurrency: 'text?',
  networkCode: 'text?',
  evidenceDueAt: 'timestamptz?',
  evidenceStage: typed<EvidenceStage>('text'),
  openedAt: 'timestamptz',
  updatedAt: 'timestamptz',
  version: 'int',
  evidence: jsonOrNull<Evidence>(),
  evidenceStatus: typed<EvidenceStatus>('text'),
  /** The member who saved or sent it last, by e-mail address. */
  evidenceBy: 'text?',
  evidenceAt: 'timestamptz?',
  settledAt: 'timestamptz?',
  refusal: jsonOrNull<Refusal>(),
});

export interface DisputeRecord extends RowOf<typeof DISPUTES> {
  now: Date;
}

export interface DisputeRef extends ChargeRef {
  disputeId: string;
}

const COLUMNS = fragment`${DISPUTES.columns}, app_now() as now`;

/**
 * Writes nothing if the provider says the same as before. A provider that does not say whether it takes evidence is assumed not
 * to. If it takes evidence once more, a new round begins, and the evidence that was sent becomes a draft again.
 */
export async function upsertDispute(tx: Tx, ref: ChargeRef, dispute: Dispute): Promise<void> {
  const { status, reason, networkCode = null, evidenceDueAt = null, evidenceStage = 'closed' } = dispute;
  const fee = storableFee(dispute.fee);
  await tx.query(sql('dispute_upsert')`
    insert into disputes as d (environment_id, payment_id, id, status, reason, amount_minor, currency, fee_minor, fee_currency,
                          network_code, evidence_due_at, evidence_stage, opened_at, updated_at)
    values (${ref.environmentId}, ${ref.paymentId}, ${dispute.id}, ${status}, ${reason}, ${dispute.amountMinor},
            ${dispute.currency}, ${fee?.amountMinor ?? null}, ${fee?.currency ?? null}, ${networkCode},
            ${evidenceDueAt}, ${evidenceStage}, app_now(), app_now())
    on conflict (environment_id, payment_id, id) do update set status = excluded.status, reason = excluded.reason,
      amount_minor = excluded.amount_minor, currency = excluded.currency,
      fee_minor = coalesce(excluded.fee_minor, d.fee_minor), fee_currency = coalesce(excluded.fee_currency, d.fee_currency),
      network_code = coalesce(excluded.network_code, d.network_code),
      evidence_due_at = coalesce(excluded.evidence_due_at, d.evidence_due_at), evidence_stage = excluded.evidence_stage,
      evidence_status = case when excluded.evidence_stage = 'needed' and d.evidence_stage = 'submitted'
                              and d.evidence_status in ('taken', 'refused') then 'draft' else d.evidence_status end,
      updated_at = excluded.updated_at, version = d.version + 1, is_posted = false
      where (d.status, d.reason, d.amount_minor, d.currency, d.evidence_stage)
              is distinct from (excluded.status, excluded.reason, excluded.amount_minor, excluded.currency, excluded.evidence_stage)
        or excluded.fee_minor is distinct from d.fee_minor and excluded.fee_minor is not null
        or excluded.evidence_due_at is distinct from d.evidence_due_at and excluded.evidence_due_at is not null`);
}

export const listDisputes = (db: Queryable, ref: ChargeRef): Promise<DisputeRecord[]> =>
  db.query(sql('dispute_list')`
    select ${COLUMNS} from disputes where environment_id = ${ref.environmentId} and payment_id = ${ref.paymentId}
    order by opened_at, id`);

export const listDisputesOf = (db: Queryable, environmentId: string, paymentIds: string[]): Promise<DisputeRecord[]> =>
  db.query(sql('dispute_list_of')`
    select ${COLUMNS} from disputes where environment_id = ${environmentId} and payment_id = any(${paymentIds}::text[])
    order by payment_id, opened_at, id`);

export const findDispute = (db: Queryable, ref: DisputeRef): Promise<DisputeRecord | null> =>
  db.queryOne(sql('dispute_find')`
    select ${COLUMNS} from disputes
    where environment_id = ${ref.environmentId} and payment_id = ${ref.paymentId} and id = ${ref.disputeId}`);

export const lockDispute = (tx: Tx, ref: DisputeRef): Promise<DisputeRecord | null> =>
  tx.queryOne(sql('dispute_lock')`
    select ${COLUMNS} from disputes
    where environment_id = ${ref.environmentId} and payment_id = ${ref.paymentId} and id = ${ref.disputeId} for update`);

/** Deletes the placeholder for disputes that could not be read, once they can be. */
export function deleteDispute(tx: Tx, ref: DisputeRef): void {
  tx.write(sql('dispute_delete')`
    delete from disputes where environment_id = ${ref.environmentId} and payment_id = ${ref.paymentId} and id = ${ref.disputeId}`);
}

export function updateEvidence(
  tx: Tx,
  ref: DisputeRef,
  { evidence, status, by }: { evidence: Evidence; status: 'draft' | 'sending'; by: string },
): void {
  tx.write(sql('dispute_update_evidence')`
    update disputes set evidence = ${JSON.stringify(evidence)}, evidence_status = ${status}, evidence_by = ${by},
      evidence_at = app_now(), settled_at = null, refusal = null
    where environment_id = ${ref.environmentId} and payment_id = ${ref.paymentId} and id = ${ref.disputeId}`);
}

export function updateAccepting(tx: Tx, ref: DisputeRef, by: string): void {
  tx.write(sql('dispute_update_accepting')`
    update disputes set evidence_status = 'accepting', evidence_by = ${by}, evidence_at = app_now(), settled_at = null,
      refusal = null
    where environment_id = ${ref.environmentId} and payment_id = ${ref.paymentId} and id = ${ref.disputeId}`);
}

export function updateEvidenceSettled(
  tx: Tx,
  ref: DisputeRef,
  { status, refusal }: { status: 'taken' | 'refused' | 'accepted'; refusal: Refusal | null },
): void {
  tx.write(sql('dispute_update_settled')`
    update disputes set evidence_status = ${status}, refusal = ${refusal && JSON.stringify(refusal)}, settled_at = app_now()
    where environment_id = ${ref.environmentId} and payment_id = ${ref.paymentId} and id = ${ref.disputeId}`);
}
