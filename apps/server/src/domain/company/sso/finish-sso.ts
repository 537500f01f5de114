import type { DashboardLocale } from '@coinslot/contract';
import type { Tx } from '../../../db/db.ts';
import { systemClock } from '../../../kit/clock.ts';
import { isEmail } from '../../../kit/email.ts';
import { newId } from '../../../kit/ids.ts';
import { sha256 } from '../../../kit/seal.ts';
import { takeMailQuota } from '../../../mail/mail-quota.sql.ts';
import { writeAudit } from '../../audit/audit.ts';
import type { Shop } from '../../shop.ts';
import { nameIssue } from '../../user/field-issues.ts';
import { browserName } from '../../user/known-browser.ts';
import { sendVerification } from '../../user/mail-links/verify-email.ts';
import { NO_PASSWORD } from '../../user/password.ts';
import type { SsoRole } from '../../user/session.sql.ts';
import { type Browser, signOut } from '../../user/sign-in.ts';
import { startSession } from '../../user/start-session.ts';
import { requestTries, takeTry } from '../../user/throttle.ts';
import { insertUser } from '../../user/user.sql.ts';
import { INVITATIONS_A_DAY } from '../invite.ts';
import { lockCompany } from '../member.sql.ts';
import { FRESH_SECONDS, ssoFailed, ssoRedirectUrl } from './begin-sso.ts';
import {
  type Claims,
  configurationOf,
  isAllowedEmail,
  redeem,
  roleOfGroups,
  type SsoAnswer,
} from './identity-provider.ts';
import {
  deleteSsoLogin,
  findSso,
  findSsoUser,
  findSubjectUser,
  insertSsoMember,
  insertSubject,
  type Sso,
  ssoTokenContext,
  ssoUserKey,
  updateSsoMember,
} from './sso.sql.ts';

/** The characters and the length that OpenID Connect allows for a user's name at the provider. */
const SUBJECT = /^[\x21-\x7e][\x20-\x7e]{0,254}$/;

function admit(
  { domains, roles }: Sso,
  { subject, email, isEmailVerified, groups }: Claims,
): { email: string; role: SsoRole } {
  if (!SUBJECT.test(subject)) throw ssoFailed('The identity provider names no user.');
  // What an issuer names goes into a mail and before the eyes of the team: only an address may (row 232).
  if (email === null || !isEmail(email) || isEmailVerified === false || !isAllowedEmail(email, domains))
    throw ssoFailed('This email address is not of a domain that the company allows.');
  const role = roleOfGroups(roles, groups);
  if (role === null) throw ssoFailed('You are in no group that has a role here.');
  return { email, role };
}

/**
 * The user behind the subject: one of the company's own. An address that the identity provider names proves nothing about an
 * account here, which would become a member with all that members show of themselves (row 199).
 */
async function userOf(
  tx: Tx,
  { companyId, issuer }: Sso,
  { subject, name }: Claims,
  { email, publicUrl, language }: { email: string; publicUrl: string; language: DashboardLocale },
): Promise<string> {
  const known = await findSubjectUser(tx, companyId, issuer, subject);
  if (known) return known;
  const found = await findSsoUser(tx, companyId, email);
  const userId = found ?? newId('usr');
  if (!found) {
    const shown = nameIssue(name, '/name') === null ? name : '';
    await insertUser(tx, {
      id: userId,
      email,
      passwordHash: NO_PASSWORD,
      name: shown,
      locale: null,
      isVerified: false,
      key: ssoUserKey(companyId, email),
    });
    // Nothing is mailed to an address that only an issuer named, until it answers.
    if (await takeMailQuota(tx, `invitations ${companyId}`, INVITATIONS_A_DAY.company))
      await sendVerification(tx, publicUrl, { id: userId, email, language });
  }
  await insertSubject(tx, { companyId, issuer, subject, userId });
  return userId;
}

/** As the company has it now: while its identity provider took its time to answer, an owner may have left that one (row 280). */
async function lockSso(tx: Tx, { companyId, issuer, clientId }: Sso): Promise<Sso> {
  await lockCompany(tx, companyId);
  const now = await findSso(tx, companyId);
  if (now?.issuer !== issuer || now.clientId !== clientId)
    throw ssoFailed('The single sign-on of this company has changed.');
  return now;
}

async function enter(shop: Shop, asked: Sso, { claims, tokens }: SsoAnswer, browser: Browser): Promise<string> {
  const { db, seal, publicUrl } = shop;
  return db.transaction(async tx => {
    const sso = await lockSso(tx, asked);
    const { companyId } = sso;
    const { email, role } = admit(sso, claims);
    const userId = await userOf(tx, sso, claims, { email, publicUrl, language: browser.language });
    const actor = { userId, email, ip: browser.ip };
    if (await insertSsoMember(tx, companyId, userId, role))
      writeAudit(tx, actor, { companyId, kind: 'member.joined', objectId: userId, after: { email, role, by: 'sso' } });
    await updateSsoMember(tx, companyId, userId, role);
    const after = { by: 'sso', browser: browserName(browser.userAgent), role };
    writeAudit(tx, actor, { companyId, kind: 'user.signed_in', objectId: userId, after });
    const id = newId('ses');
    // The identity provider goes by the real time.
    const isFresh =
      claims.authenticatedAt !== null && systemClock.nowMs() / 1000 - claims.authenticatedAt < FRESH_SECONDS;
    const tokenSealed = seal.seal(JSON.stringify(tokens), ssoTokenContext(id));
    const session = { companyId, role, subject: claims.subject, tokenSealed, isFresh };
    return startSession(tx, userId, browser, { id, signedInBy: 'sso', sso: session });
  });
}

/** Answers with the token of a new session. */
export async function finishSso(
  shop: Shop,
  companyId: string,
  { state, code, iss }: { state: string; code: string; iss?: string | undefined },
  browser: Browser & { cookie: string | null },
): Promise<string> {
  const { db } = shop;
  await takeTry(db, [requestTries('sso use', browser.ip)]);
  const login = browser.cookie === null ? null : await deleteSsoLogin(db, sha256(state), sha256(browser.cookie));
  const sso = login && (await findSso(db, login.companyId));
  if (!login || !sso || login.companyId !== companyId)
    throw ssoFailed('This sign-in was begun in another browser, for another company, or too long ago.');
  const url = new URL(ssoRedirectUrl(shop.publicUrl, companyId));
  url.search = new URLSearchParams({ state, code, ...(iss !== undefined && { iss }) }).toString();
  const checks = { expectedNonce: login.nonce, expectedState: state, pkceCodeVerifier: login.codeVerifier };
  const answer = await redeem(await configurationOf(shop, sso), url, sso.groupClaim, checks).catch((error: unknown) => {
    shop.onError(error, 'single sign-on');
    throw ssoFailed('The identity provider did not confirm the sign-in.');
  });
  const token = await enter(shop, sso, answer, browser);
  await signOut(shop, browser);
  return token;
}
