import { type AttentionMark, type Issue, MOST_SNOOZED_DAYS } from '@coinslot/contract';
import type { Db, Tx } from '../../../db/db.ts';
import { findNow } from '../../../db/db-clock.ts';
import { AppError } from '../../../kit/app-error.ts';
import { type Actor, auditScope, writeAudit } from '../../audit/audit.ts';
import { hasRole } from '../../company/manage-members.ts';
import { findMember } from '../../company/member.sql.ts';
import type { Environment } from '../../game/environment.ts';
import { findOrder } from '../../order/order.sql.ts';
import { findPayment } from '../../payment/payment.sql.ts';
import { listFailingChecks } from '../../payment/provider-health/provider-check.sql.ts';
import { lockMark, type Mark, readMarks, upsertMark } from '../../purchase/member-actions/attention-mark.sql.ts';
import { paymentCause } from '../../purchase/member-actions/attention-view.ts';
import { differenceCause, findDifference } from '../../reconciliation/difference.sql.ts';
import { connectionCause, type FailingChecks } from './read-inbox.ts';

export interface MarkAttention {
  subjectId: string;
  /** Undefined: stays as it is. Null: no one. */
  assigneeId?: string | null | undefined;
  /** Undefined: stays as it is. Null: back in the list. */
  snoozedUntil?: Date | null | undefined;
  note?: string | undefined;
}

type Tenant = Pick<Environment, 'id' | 'companyId' | 'mode'>;

const NOTE_MISSING: Issue = { pointer: '/note', code: 'required', message: 'Say why it can wait.' };
const untilIssue = (code: 'time_past' | 'time_too_late'): Issue => ({
  pointer: '/snoozed_until',
  code,
  message: `Choose a time within the next ${MOST_SNOOZED_DAYS} days.`,
});
const DAY_MS = 86_400_000;

async function paymentCauseNow(tx: Tx, { id: environmentId }: Tenant, paymentId: string): Promise<string | null> {
  const payment = await findPayment(tx, environmentId, paymentId);
  const found = payment?.attention ? await findOrder(tx, environmentId, payment.orderId) : null;
  return payment && found && paymentCause({ payment, order: found.order });
}

async function differenceCauseNow(tx: Tx, { id, companyId, mode }: Tenant, differenceId: string) {
  const found = mode === 'live' ? await findDifference(tx, companyId, differenceId) : null;
  const isHere = found?.state === 'open' && (found.environmentId === null || found.environmentId === id);
  return isHere ? differenceCause(found) : null;
}

async function connectionCauseNow(tx: Tx, { companyId, mode }: Tenant, accountId: string): Promise<string | null> {
  if (mode !== 'live') return null;
  const found = (await listFailingChecks(tx, companyId)).find(
    (checks): checks is FailingChecks => checks.accountId === accountId && checks.failingSince !== null,
  );
  return found ? connectionCause(found) : null;
}

/** Why it needs attention now. Null: it does not. */
function causeOf(tx: Tx, environment: Tenant, subjectId: string): Promise<string | null> {
  if (subjectId.startsWith('pay_')) return paymentCauseNow(tx, environment, subjectId);
  if (subjectId.startsWith('dif_')) return differenceCauseNow(tx, environment, subjectId);
  return connectionCauseNow(tx, environment, subjectId);
}

function assertSnooze({ snoozedUntil, note }: MarkAttention, now: Date): void {
  if (!snoozedUntil) return;
  const aheadMs = snoozedUntil.getTime() - now.getTime();
  const issues = [
    ...(aheadMs <= 0 ? [untilIssue('time_past')] : []),
    ...(aheadMs > MOST_SNOOZED_DAYS * DAY_MS ? [untilIssue('time_too_late')] : []),
    ...(note?.trim() ? [] : [NOTE_MISSING]),
  ];
  if (issues.length > 0) throw new AppError('validation_failed', { issues });
}

async function assertMayAct(tx: Tx, companyId: string, userId: string | null | undefined): Promise<string | null> {
  if (!userId) return null;
  const member = await findMember(tx, companyId, userId);
  if (!member || !hasRole(member.role, 'support')) throw new AppError('member_not_found');
  return member.email;
}

/** Says who is on it, or snoozes it until a date, with a note. It moves no money and stops nothing that goes on by itself. */
export async function markAttention(
  db: Db,
  actor: Actor,
  environment: Tenant,
  given: MarkAttention,
): Promise<AttentionMark> {
  const { subjectId, assigneeId, snoozedUntil, note = null } = given;
  const { companyId } = environment;
  return db.transaction(async tx => {
    assertSnooze(given, await findNow(tx));
    const cause = await causeOf(tx, environment, subjectId);
    if (cause === null) throw new AppError('attention_not_found');
    const assignee = await assertMayAct(tx, companyId, assigneeId);
    const before = await lockMark(tx, { companyId, subjectId, cause });
    const none: Mark = {
      companyId,
      subjectId,
      cause,
      assigneeId: null,
      snoozedUntil: null,
      note: null,
      snoozedBy: null,
    };
    await upsertMark(tx, {
      ...none,
      ...before,
      ...(assigneeId !== undefined && { assigneeId }),
      ...(snoozedUntil && { snoozedUntil, note, snoozedBy: actor.email }),
      ...(snoozedUntil === null && { snoozedUntil, note: null, snoozedBy: null }),
    });
    const entry = { ...auditScope(environment), objectId: subjectId };
    if (assigneeId !== undefined) writeAudit(tx, actor, { ...entry, kind: 'attention.assigned', after: { assignee } });
    if (snoozedUntil) {
      const after = { until: snoozedUntil.toISOString(), note };
      writeAudit(tx, actor, { ...entry, kind: 'attention.snoozed', after });
    } else if (snoozedUntil === null) writeAudit(tx, actor, { ...entry, kind: 'attention.unsnoozed' });
    return (await readMarks(tx, companyId, [subjectId]))(subjectId, cause)!;
  });
}
