import type { EvidenceFileKind, Issue } from '@coinslot/contract';
import { attention as texts } from '@coinslot/texts/attention';
import { AppError, foundOr } from '../../../kit/app-error.ts';
import { newId } from '../../../kit/ids.ts';
import { type Actor, auditScope, writeAudit } from '../../audit/audit.ts';
import type { Environment } from '../../game/environment.ts';
import { type DisputeRef, lockDispute } from '../../payment/disputes/dispute.sql.ts';
import { deleteDisputeFile, insertDisputeFile, listDisputeFiles } from '../../payment/disputes/dispute-file.sql.ts';
import { type FileProblem, fileProblem, typeOfFile } from '../../payment/disputes/evidence-files.ts';
import { findPayment } from '../../payment/payment.sql.ts';
import type { FileRules } from '../../payment/providers/base/gateway.ts';
import type { PurchaseShop } from '../engine/purchase.ts';
import { refuseUnanswerable } from './answer-dispute.ts';

const say = texts.in('en');
const megabytes = (bytes = 0): number => bytes / 1_000_000;

const CODES = {
  no_files: 'enum',
  empty: 'required',
  type: 'type',
  file_bytes: 'too_big',
  total_bytes: 'too_big',
  files: 'too_many',
  kind_taken: 'one_of',
} as const satisfies Record<FileProblem, Issue['code']>;

const issueOf = (problem: FileProblem, rules: FileRules | undefined): Issue => ({
  pointer: '/file',
  code: CODES[problem],
  message: say(`file.${problem}`, {
    file: megabytes(rules?.fileBytes),
    total: megabytes(rules?.totalBytes),
    files: rules?.files ?? 0,
  }),
});

type Given = Pick<Environment, 'id' | 'companyId'>;

interface NewFile extends Omit<DisputeRef, 'environmentId'> {
  kind: EvidenceFileKind;
  name: string;
  content: Buffer;
}

/** Kept for the next answer, if the dispute's provider takes such a file beside those that are there. */
export async function addEvidenceFile(
  { db, gateways }: PurchaseShop,
  actor: Actor,
  environment: Given,
  { paymentId, disputeId, kind, name, content }: NewFile,
): Promise<void> {
  const ref = { environmentId: environment.id, paymentId, disputeId };
  await db.transaction(async tx => {
    refuseUnanswerable(await foundOr('dispute_not_found', lockDispute(tx, ref)));
    const payment = await foundOr('payment_not_found', findPayment(tx, environment.id, paymentId));
    const rules = gateways[payment.gateway]?.fileRules;
    const problem = fileProblem(rules, await listDisputeFiles(tx, ref), { kind, content });
    if (problem) throw new AppError('validation_failed', { issues: [issueOf(problem, rules)] });
    const type = typeOfFile(content)!;
    insertDisputeFile(tx, ref, { id: newId('evf'), kind, name, type, content, addedBy: actor.email });
    const after = { kind, type, bytes: content.length };
    writeAudit(tx, actor, { ...auditScope(environment), kind: 'dispute.file_added', objectId: paymentId, after });
  });
}

export async function removeEvidenceFile(
  { db }: PurchaseShop,
  actor: Actor,
  environment: Given,
  { paymentId, disputeId, fileId }: { paymentId: string; disputeId: string; fileId: string },
): Promise<void> {
  const ref = { environmentId: environment.id, paymentId, disputeId };
  await db.transaction(async tx => {
    refuseUnanswerable(await foundOr('dispute_not_found', lockDispute(tx, ref)));
    if (!(await deleteDisputeFile(tx, ref, fileId))) return;
    writeAudit(tx, actor, { ...auditScope(environment), kind: 'dispute.file_removed', objectId: paymentId });
  });
}
