import type { Queryable, Tx } from '../../../db/db.ts';
import { fragment, sql } from '../../../db/sql.ts';
import { jsonOrNull, type RowOf, table, typed } from '../../../db/table.ts';
import type { ChargeRef, Dispute, DisputeStatus, Evidence, EvidenceStage, Refusal } from '../providers/base/gateway.ts';

export type EvidenceStatus = 'none' | 'draft' | 'sending' | 'taken' | 'refused';

/** What a bank says about a payment, and how far the studio's answer is. */
const DISPUTES = table('disputes', {
  environmentId: 'text',
  paymentId: 'text',
  status: typed<DisputeStatus>('text'),
  reason: 'text',
  networkCode: 'text?',
  evidenceDueAt: 'timestamptz?',
  evidenceStage: typed<EvidenceStage>('text'),
  openedAt: 'timestamptz',
  updatedAt: 'timestamptz',
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

const COLUMNS = fragment`${DISPUTES.columns}, app_now() as now`;

/** In the transaction that learns of it. A provider that does not say whether it hears the studio is taken not to. */
export async function upsertDispute(tx: Tx, ref: ChargeRef, dispute: Dispute): Promise<void> {
  const { status, reason, networkCode = null, evidenceDueAt = null, evidenceStage = 'closed' } = dispute;
  await tx.query(sql('dispute_upsert')`
    insert into disputes (environment_id, payment_id, status, reason, network_code, evidence_due_at, evidence_stage,
                          opened_at, updated_at)
    values (${ref.environmentId}, ${ref.paymentId}, ${status}, ${reason}, ${networkCode}, ${evidenceDueAt}, ${evidenceStage},
            app_now(), app_now())
    on conflict (environment_id, payment_id) do update set status = excluded.status, reason = excluded.reason,
      network_code = coalesce(excluded.network_code, disputes.network_code),
      evidence_due_at = coalesce(excluded.evidence_due_at, disputes.evidence_due_at), evidence_stage = excluded.evidence_stage,
      updated_at = excluded.updated_at`);
}

export const findDispute = (db: Queryable, ref: ChargeRef): Promise<DisputeRecord | null> =>
  db.queryOne(sql('dispute_find')`
    select ${COLUMNS} from disputes where environment_id = ${ref.environmentId} and payment_id = ${ref.paymentId}`);

export const lockDispute = (tx: Tx, ref: ChargeRef): Promise<DisputeRecord | null> =>
  tx.queryOne(sql('dispute_lock')`
    select ${COLUMNS} from disputes where environment_id = ${ref.environmentId} and payment_id = ${ref.paymentId} for update`);

export function updateEvidence(
  tx: Tx,
  ref: ChargeRef,
  { evidence, status, by }: { evidence: Evidence; status: 'draft' | 'sending'; by: string },
): void {
  tx.write(sql('dispute_update_evidence')`
    update disputes set evidence = ${JSON.stringify(evidence)}, evidence_status = ${status}, evidence_by = ${by},
      evidence_at = app_now(), settled_at = null, refusal = null
    where environment_id = ${ref.environmentId} and payment_id = ${ref.paymentId}`);
}

/** What the provider said to the evidence. */
export function updateEvidenceSettled(
  tx: Tx,
  ref: ChargeRef,
  { status, refusal }: { status: 'taken' | 'refused'; refusal: Refusal | null },
): void {
  tx.write(sql('dispute_update_settled')`
    update disputes set evidence_status = ${status}, refusal = ${refusal && JSON.stringify(refusal)}, settled_at = app_now()
    where environment_id = ${ref.environmentId} and payment_id = ${ref.paymentId}`);
}
