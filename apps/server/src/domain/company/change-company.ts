import { AppError, assertNoIssues } from '../../kit/app-error.ts';
import { type Actor, writeAudit } from '../audit/audit.ts';
import type { Shop } from '../shop.ts';
import { nameIssue } from '../user/field-issues.ts';
import { hasSecondFactor } from '../user/second-factor.ts';
import { lockUser } from '../user/user.sql.ts';
import { type CompanyFacts, lockCompanyFacts, updateCompany } from './company.sql.ts';

export async function renameCompany(
  { db }: Shop,
  actor: Actor,
  companyId: string,
  given: string,
): Promise<CompanyFacts> {
  const name = given.trim();
  assertNoIssues(nameIssue(name, '/name'));
  return db.transaction(async tx => {
    const before = await lockCompanyFacts(tx, companyId);
    const after = { ...before, name };
    updateCompany(tx, after);
    const changed = { before: { name: before.name }, after: { name } };
    writeAudit(tx, actor, { companyId, kind: 'company.renamed', objectId: companyId, ...changed });
    return after;
  });
}

/** An owner who has none themselves would shut the company for everyone. */
export async function requireSecondFactor(
  { db }: Shop,
  actor: Actor,
  companyId: string,
  isRequired: boolean,
): Promise<CompanyFacts> {
  return db.transaction(async tx => {
    const before = await lockCompanyFacts(tx, companyId);
    const user = await lockUser(tx, actor.userId);
    if (isRequired && !hasSecondFactor(user)) throw new AppError('second_factor_required');
    const after = { ...before, requiresSecondFactor: isRequired };
    if (before.requiresSecondFactor === isRequired) return before;
    updateCompany(tx, after);
    writeAudit(tx, actor, {
      companyId,
      kind: 'company.second_factor_changed',
      objectId: companyId,
      before: { required: before.requiresSecondFactor },
      after: { required: isRequired },
    });
    return after;
  });
}

/** Undefined leaves a field as it is; null or only spaces clears it. */
export interface ReceiptChange {
  senderName?: string | null | undefined;
  replyTo?: string | null | undefined;
}

export async function changeReceipts(
  { db }: Shop,
  actor: Actor,
  companyId: string,
  change: ReceiptChange,
): Promise<CompanyFacts> {
  const senderName = change.senderName?.trim() || null;
  assertNoIssues(senderName === null ? null : nameIssue(senderName, '/sender_name'));
  return db.transaction(async tx => {
    const before = await lockCompanyFacts(tx, companyId);
    const after = {
      ...before,
      receiptSenderName: change.senderName === undefined ? before.receiptSenderName : senderName,
      receiptReplyTo: change.replyTo === undefined ? before.receiptReplyTo : change.replyTo?.trim() || null,
    };
    updateCompany(tx, after);
    writeAudit(tx, actor, {
      companyId,
      kind: 'receipts.changed',
      before: { sender_name: before.receiptSenderName, reply_to: before.receiptReplyTo },
      after: { sender_name: after.receiptSenderName, reply_to: after.receiptReplyTo },
    });
    return after;
  });
}
