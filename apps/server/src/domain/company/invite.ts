import type { Role } from '@coinslot/contract';
import type { Db, Tx } from '../../db/db.ts';
import { AppError } from '../../kit/app-error.ts';
import { newId } from '../../kit/ids.ts';
import { randomToken, sha256 } from '../../kit/seal.ts';
import { type Actor, type Person, writeAudit } from '../audit/audit.ts';
import { ACCOUNT_LANGUAGES, mailLanguage } from '../user/languages/user-mail-languages.ts';
import { mailTries, takeTry } from '../user/throttle.ts';
import { findUserByEmail } from '../user/user.sql.ts';
import { queueAccountMail } from '../user/user-mail.ts';
import { deleteInvitation, findInvitation, type Invitation, insertInvitation } from './invitation.sql.ts';
import { findMemberByEmail } from './member.sql.ts';

const LIVES_SECONDS = 7 * 24 * 3600;
const TOKEN_BYTES = 32;

export interface InviteDeps {
  db: Db;
  publicUrl: string;
}

interface Offer {
  email: string;
  role: Role;
}

async function write(deps: InviteDeps, tx: Tx, actor: Person, companyId: string, offer: Offer): Promise<Invitation> {
  const token = randomToken(TOKEN_BYTES);
  const invitationId = await insertInvitation(tx, {
    companyId,
    id: newId('inv'),
    ...offer,
    tokenHash: sha256(token),
    invitedBy: actor.userId,
    livesSeconds: LIVES_SECONDS,
  });
  const invitation = (await findInvitation(tx, companyId, invitationId))!;
  const known = await findUserByEmail(tx, offer.email);
  const language = mailLanguage(known?.locale ?? null, actor.language);
  const role = ACCOUNT_LANGUAGES[language].roles[offer.role];
  await queueAccountMail(tx, {
    kind: 'invitation',
    recipient: offer.email,
    language,
    values: { company: invitation.companyName, inviter: actor.email, role },
    url: `${deps.publicUrl}/dashboard/invitation#token=${token}`,
  });
  return invitation;
}

export async function invite(deps: InviteDeps, actor: Person, companyId: string, offer: Offer): Promise<Invitation> {
  const email = offer.email.trim();
  await takeTry(deps.db, [mailTries(`invitation ${companyId}`, email)]);
  return deps.db.transaction(async tx => {
    if (await findMemberByEmail(tx, companyId, email)) throw new AppError('already_member');
    const invitation = await write(deps, tx, actor, companyId, { email, role: offer.role });
    const after = { email, role: offer.role };
    writeAudit(tx, actor, { companyId, kind: 'invitation.sent', objectId: invitation.id, after });
    return invitation;
  });
}

export async function resendInvitation(
  deps: InviteDeps,
  actor: Person,
  companyId: string,
  id: string,
): Promise<Invitation> {
  const found = await findInvitation(deps.db, companyId, id);
  if (!found) throw new AppError('invitation_not_found');
  await takeTry(deps.db, [mailTries(`invitation ${companyId}`, found.email)]);
  return deps.db.transaction(async tx => {
    const current = await findInvitation(tx, companyId, id);
    if (!current) throw new AppError('invitation_not_found');
    const { email, role } = current;
    const invitation = await write(deps, tx, actor, companyId, { email, role });
    writeAudit(tx, actor, { companyId, kind: 'invitation.resent', objectId: id, after: { email, role } });
    return invitation;
  });
}

export async function revokeInvitation({ db }: { db: Db }, actor: Actor, companyId: string, id: string): Promise<void> {
  await db.transaction(async tx => {
    const found = await findInvitation(tx, companyId, id);
    if (!found || !(await deleteInvitation(tx, companyId, id, null))) throw new AppError('invitation_not_found');
    const before = { email: found.email, role: found.role };
    writeAudit(tx, actor, { companyId, kind: 'invitation.revoked', objectId: id, before });
  });
}
