import type { Tx } from '../../../db/db.ts';
import type { Dispute } from '../providers/base/charge-shape.ts';
import { isUndecided, UNREADABLE_DISPUTE } from '../providers/base/charges.ts';
import type { ChargeRef } from '../providers/base/gateway.ts';
import { type DisputeRecord, deleteDispute, listDisputes, upsertDispute } from './dispute.sql.ts';

/** The members do not know of it yet: another dispute, an inquiry that became one, or an answer that is needed again. */
function needsNotice(known: readonly DisputeRecord[], reported: Dispute): boolean {
  if (!isUndecided(reported)) return false;
  const before = known.find(({ id }) => id === reported.id);
  return (
    before?.status !== reported.status || (reported.evidenceStage === 'needed' && before.evidenceStage !== 'needed')
  );
}

/** In the transaction that learns of them, whatever the payment's own status. True: the members have to be notified of one. */
export async function recordDisputes(tx: Tx, ref: ChargeRef, reported: readonly Dispute[]): Promise<boolean> {
  if (reported.length === 0) return false;
  const known = await listDisputes(tx, ref);
  for (const dispute of reported) await upsertDispute(tx, ref, dispute);
  const isReadable = reported.every(({ id }) => id !== UNREADABLE_DISPUTE);
  if (isReadable && known.some(({ id }) => id === UNREADABLE_DISPUTE)) {
    deleteDispute(tx, { ...ref, disputeId: UNREADABLE_DISPUTE });
  }
  return reported.some(dispute => needsNotice(known, dispute));
}
