import type { Db } from '../../../../db/db.ts';
import { evidenceRefusal, judgeEvidence } from '../base/evidence.ts';
import type { ChargeRef, DisputeAnswer, Evidence, EvidenceAnswer } from '../base/gateway.ts';
import type { ChargeRow } from './charge-row.sql.ts';
import { findCharge, updateChargeAccepted, updateChargeEvidence } from './charges.sql.ts';
import { disputesOf, type Rules } from './simulated-charge.ts';

const isSame = (given: Evidence, other: Evidence | null): boolean =>
  other !== null && Object.keys(given).every(key => given[key as keyof Evidence] === other[key as keyof Evidence]);

const disputeIn = (ref: ChargeRef, row: ChargeRow | null, rules: Rules, disputeId: string) =>
  row && disputesOf(ref, row, rules).disputes.find(({ id }) => id === disputeId);

export async function simulateEvidence(
  db: Db,
  rules: Rules,
  { disputeId, evidence, files = [], ...ref }: ChargeRef & DisputeAnswer,
): Promise<EvidenceAnswer> {
  const names = files.map(({ name }) => name);
  if (disputeIn(ref, await findCharge(db, ref), rules, disputeId)?.evidenceStage === 'needed') {
    await updateChargeEvidence(db, ref, { ...evidence, files: names });
  }
  const row = await findCharge(db, ref);
  const dispute = disputeIn(ref, row, rules, disputeId);
  if (!row || !dispute) return { kind: 'refused', refusal: evidenceRefusal(null, false) };
  const holds = (given: Evidence): boolean =>
    isSame(given, row.evidence) && names.every(name => row.evidence?.files?.includes(name));
  return judgeEvidence({ dispute, holds }, { evidence, files }, row.now);
}

export async function simulateAcceptance(
  db: Db,
  rules: Rules,
  { disputeId, ...ref }: ChargeRef & { disputeId: string },
): Promise<EvidenceAnswer> {
  const before = disputeIn(ref, await findCharge(db, ref), rules, disputeId);
  if (before?.status === 'open') await updateChargeAccepted(db, ref);
  const dispute = disputeIn(ref, await findCharge(db, ref), rules, disputeId);
  if (dispute?.status === 'lost') return { kind: 'taken', dispute };
  return { kind: 'refused', refusal: evidenceRefusal(dispute ?? null, false) };
}
