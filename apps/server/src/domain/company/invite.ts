import type { Role } from '@coinslot/contract';
import { mails } from '@coinslot/texts/mails';
import type { Db, Tx } from '../../db/db.ts';
import { AppError, foundOr } from '../../kit/app-error.ts';
import { newId } from '../../kit/ids.ts';
import { randomToken, sha256 } from '../../kit/seal.ts';
import { takeMailQuota } from '../../mail/mail-quota.sql.ts';
import { type Actor, type Person, writeAudit } from '../audit/audit.ts';
import type { Shop } from '../shop.ts';
import { assertConfirmed, type Confirmation } from '../user/confirm-identity.ts';
import { assertVerified } from '../user/mail-links/verify-email.ts';
import { findAccent } from '../user/studio-look.sql.ts';
import { mailTries, takeTry } from '../user/throttle.ts';
import { findUserByEmail } from '../user/user.sql.ts';
import { mailLanguage, queueAccountMail } from '../user/user-mail.ts';
import { deleteInvitation, findInvitation, type Invitation, insertInvitation } from './invitation.sql.ts';
import { findMember, findMemberByEmail, lockCompany } from './member.sql.ts';
import { linkForInviter } from './shown-link.ts';

/** Beyond what any team needs, and too few to be of use to a sender of spam. */
export const INVITATIONS_A_DAY = { member: 30, company: 60 };
const DAY_SECONDS = 24 * 3600;

const LIVES_SECONDS = 7 * 24 * 3600;
const TOKEN_BYTES = 32;

interface Offer {
  email: string;
  role: Role;
}

/** Under the lock of the members: an owner who is removed in this moment invites no more. */
async function lockAsOwner(tx: Tx, actor: Actor, companyId: string): Promise<void> {
  await lockCompany(tx, companyId);
  const member = await findMember(tx, companyId, actor.userId);
  if (member?.role !== 'owner') throw new AppError('company_not_found');
}

/** What was sent, and the link in it where the operator has to hand it over. */
export interface SentInvitation extends Invitation {
  url: string | null;
}

async function takeInvitations(db: Db, userId: string, companyId: string): Promise<void> {
  const isAllowed =
    (await takeMailQuota(db, `invitations ${userId}`, INVITATIONS_A_DAY.member)) &&
    (await takeMailQuota(db, `invitations ${companyId}`, INVITATIONS_A_DAY.company));
  if (isAllowed) return;
  throw new AppError('rate_limited', {
    detail: 'No more invitations can be sent today.',
    headers: { 'retry-after': String(DAY_SECONDS) },
  });
}

/** Every role but the viewer's may reveal, refund or change: a stolen session must not invite its thief to one. */
function assertMayOffer(by: Confirmation, role: Role): void {
  if (role !== 'viewer') assertConfirmed(by);
}

async function write(shop: Shop, tx: Tx, actor: Person, companyId: string, offer: Offer): Promise<SentInvitation> {
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
  const role = mails.text(language, `role.${offer.role}`);
  const url = `${shop.publicUrl}/dashboard/invitation#token=${token}`;
  await queueAccountMail(tx, shop.publicUrl, {
    kind: 'invitation',
    recipient: offer.email,
    language,
    values: { company: invitation.companyName, inviter: actor.email, role },
    url,
    // No pictures: they would come from a stranger.
    look: { iconUrl: null, logoUrl: null, accentColor: await findAccent(tx, companyId) },
  });
  return { ...invitation, url: await linkForInviter({ mailer: shop.mailer, db: tx }, companyId, url) };
}

export async function invite(
  shop: Shop,
  actor: Person,
  companyId: string,
  offer: Offer & { by: Confirmation },
): Promise<SentInvitation> {
  const email = offer.email.trim();
  assertMayOffer(offer.by, offer.role);
  await assertVerified(shop.db, actor.userId);
  await takeTry(shop.db, [mailTries(`invitation ${companyId}`, email)]);
  await takeInvitations(shop.db, actor.userId, companyId);
  return shop.db.transaction(async tx => {
    await lockAsOwner(tx, actor, companyId);
    if (await findMemberByEmail(tx, companyId, email)) throw new AppError('already_member');
    const invitation = await write(shop, tx, actor, companyId, { email, role: offer.role });
    const after = { email, role: offer.role };
    writeAudit(tx, actor, { companyId, kind: 'invitation.sent', objectId: invitation.id, after });
    return invitation;
  });
}

export async function resendInvitation(
  shop: Shop,
  actor: Person,
  companyId: string,
  { id, by }: { id: string; by: Confirmation },
): Promise<SentInvitation> {
  const found = await foundOr('invitation_not_found', findInvitation(shop.db, companyId, id));
  assertMayOffer(by, found.role);
  await assertVerified(shop.db, actor.userId);
  await takeTry(shop.db, [mailTries(`invitation ${companyId}`, found.email)]);
  await takeInvitations(shop.db, actor.userId, companyId);
  return shop.db.transaction(async tx => {
    await lockAsOwner(tx, actor, companyId);
    const { email, role } = await foundOr('invitation_not_found', findInvitation(tx, companyId, id));
    assertMayOffer(by, role);
    const invitation = await write(shop, tx, actor, companyId, { email, role });
    writeAudit(tx, actor, { companyId, kind: 'invitation.resent', objectId: id, after: { email, role } });
    return invitation;
  });
}

export async function revokeInvitation({ db }: Shop, actor: Actor, companyId: string, id: string): Promise<void> {
  await db.transaction(async tx => {
    const found = await findInvitation(tx, companyId, id);
    if (!found || !(await deleteInvitation(tx, companyId, id, null))) throw new AppError('invitation_not_found');
    const before = { email: found.email, role: found.role };
    writeAudit(tx, actor, { companyId, kind: 'invitation.revoked', objectId: id, before });
  });
}
