import { ROLES, type Role } from '@coinslot/contract';
import type { Tx } from '../../db/db.ts';
import { AppError, foundOr } from '../../kit/app-error.ts';
import { type Actor, writeAudit } from '../audit/audit.ts';
import type { Shop } from '../shop.ts';
import { deleteSsoSessionsOfMember } from '../user/sso-session.sql.ts';
import { deleteInvitationsOfSender } from './invitation.sql.ts';
import {
  deleteMember,
  findMember,
  findOwnerCount,
  lockCompany,
  type Member,
  updateMemberRole,
  updateSessionsEnded,
} from './member.sql.ts';

export const hasRole = (role: Role, least: Role): boolean => ROLES.indexOf(role) >= ROLES.indexOf(least);

export function assertRole(role: Role, least: Role): void {
  if (hasRole(role, least)) return;
  throw new AppError('role_too_low', { detail: `You are ${role} here. This takes ${least}.` });
}

const NOT_THEIRS = 'The member has not confirmed their e-mail address yet.';

async function lockMember(tx: Tx, companyId: string, userId: string): Promise<Member> {
  await lockCompany(tx, companyId);
  return foundOr('member_not_found', findMember(tx, companyId, userId));
}

async function assertNotLastOwner(tx: Tx, companyId: string, member: Member): Promise<void> {
  if (member.role === 'owner' && (await findOwnerCount(tx, companyId)) === 1) throw new AppError('last_owner');
}

/** Only an owner invites: what a former one offered must not make owners any more. */
async function endInvitations(tx: Tx, companyId: string, userId: string): Promise<{ ended_invitations?: string[] }> {
  const ended = await deleteInvitationsOfSender(tx, companyId, userId);
  return ended.length === 0 ? {} : { ended_invitations: ended.map(({ email }) => email) };
}

export async function changeRole(
  { db }: Shop,
  actor: Actor,
  companyId: string,
  { userId, role }: { userId: string; role: Role },
): Promise<Member> {
  return db.transaction(async tx => {
    const member = await lockMember(tx, companyId, userId);
    if (member.role === role) return member;
    if (role === 'owner' && !member.isVerified) throw new AppError('email_unverified', { detail: NOT_THEIRS });
    await assertNotLastOwner(tx, companyId, member);
    const ended = role === 'owner' ? {} : await endInvitations(tx, companyId, userId);
    updateMemberRole(tx, companyId, userId, role);
    writeAudit(tx, actor, {
      companyId,
      kind: 'member.role_changed',
      objectId: userId,
      before: { email: member.email, role: member.role },
      after: { role, ...ended },
    });
    return { ...member, role };
  });
}

/**
 * What the member has open, or a thief has taken, is of no use in the company until the user proves who they are. The sessions stay:
 * they may be of use elsewhere. Those by single sign-on open this company alone, and end.
 */
export async function endMemberSessions({ db }: Shop, actor: Actor, companyId: string, userId: string): Promise<void> {
  await db.transaction(async tx => {
    const member = await lockMember(tx, companyId, userId);
    updateSessionsEnded(tx, companyId, userId);
    deleteSsoSessionsOfMember(tx, companyId, userId);
    writeAudit(tx, actor, {
      companyId,
      kind: 'member.sessions_ended',
      objectId: userId,
      before: { email: member.email },
    });
  });
}

/** The next request of the member finds no company. The sessions stay: they may be of use elsewhere. */
export async function removeMember({ db }: Shop, actor: Actor, companyId: string, userId: string): Promise<void> {
  await db.transaction(async tx => {
    const member = await lockMember(tx, companyId, userId);
    await assertNotLastOwner(tx, companyId, member);
    deleteMember(tx, companyId, userId);
    const ended = await endInvitations(tx, companyId, userId);
    const before = { email: member.email, role: member.role, ...ended };
    writeAudit(tx, actor, { companyId, kind: 'member.removed', objectId: userId, before });
  });
}
