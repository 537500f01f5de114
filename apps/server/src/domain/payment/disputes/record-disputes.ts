import type { Tx } from '../../../db/db.ts';
import { isUndecided, UNREADABLE_DISPUTE } from '../providers/base/charges.ts';
import type { ChargeRef, Dispute } from '../providers/base/gateway.ts';
import { type DisputeRecord, deleteDispute, listDisputes, upsertDispute } from './dispute.sql.ts';

/** The members have not heard of it yet: another dispute, an inquiry that became one, or an answer that is needed again. */
function isNews(known: readonly DisputeRecord[], heard: Dispute): boolean {
  if (!isUndecided(heard)) return false;
  const before = known.find(({ id }) => id === heard.id);
  return before?.status !== heard.status || (heard.evidenceStage === 'needed' && before.evidenceStage !== 'needed');
}

/** In the transaction that learns of them, whatever the payment's own status. True: the members have to be told of one. */
export async function recordDisputes(tx: Tx, ref: ChargeRef, heard: readonly Dispute[]): Promise<boolean> {
  if (heard.length === 0) return false;
  const known = await listDisputes(tx, ref);
  for (const dispute of heard) await upsertDispute(tx, ref, dispute);
  const isReadable = heard.every(({ id }) => id !== UNREADABLE_DISPUTE);
  if (isReadable && known.some(({ id }) => id === UNREADABLE_DISPUTE)) {
    deleteDispute(tx, { ...ref, disputeId: UNREADABLE_DISPUTE });
  }
  return heard.some(dispute => isNews(known, dispute));
}
