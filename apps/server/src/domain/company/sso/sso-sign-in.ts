import type { DashboardLocale } from '@coinslot/contract';
import * as oidc from 'openid-client';
import type { Tx } from '../../../db/db.ts';
import { AppError } from '../../../kit/app-error.ts';
import { systemClock } from '../../../kit/clock.ts';
import { isEmail } from '../../../kit/email.ts';
import { newId } from '../../../kit/ids.ts';
import { randomToken, sha256 } from '../../../kit/seal.ts';
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
import {
  type Claims,
  configurationOf,
  isAllowedEmail,
  redeem,
  roleOfGroups,
  type SsoAnswer,
  scopeOf,
} from './identity-provider.ts';
import {
  deleteSsoLogin,
  findSso,
  findSsoUser,
  findSubjectUser,
  insertSsoLogin,
  insertSsoMember,
  insertSubject,
  type Sso,
  ssoTokenContext,
  ssoUserKey,
  updateSsoMember,
} from './sso.sql.ts';

const STATE_BYTES = 32;
const FRESH_SECONDS = 600;
/** The provider asks its user again, and then has to say when it did: without `max_age` many do not (row 272). */
const ASK_USER = { prompt: 'login', max_age: String(FRESH_SECONDS) };
/** The characters and the length that OpenID Connect allows for a user's name at the provider. */
const SUBJECT = /^[\x21-\x7e][\x20-\x7e]{0,254}$/;

/** Each company has its own, so that what one provider gives a browser is never handed to another (row 200). */
export const ssoRedirectUrl = (publicUrl: string, companyId: string): string =>
  `${publicUrl}/dashboard/sso/${companyId}/callback`;

const failed = (detail: string): AppError => new AppError('sso_failed', { detail });

/** The browser is sent there: a page of the web, and over TLS as the issuer itself (row 233). */
function signInPage(configuration: oidc.Configuration, issuer: string, parameters: Record<string, string>): string {
  const none = failed('The identity provider names no page to sign in.');
  let url: URL;
  try {
    url = oidc.buildAuthorizationUrl(configuration, parameters);
  } catch {
    throw none;
  }
  const isSafe = url.protocol === 'https:' || (url.protocol === 'http:' && issuer.startsWith('http:'));
  if (!isSafe || url.username !== '' || url.password !== '') throw none;
  return url.href;
}

/**
 * Where the browser goes. What it brings back is of use in this browser alone, once, for ten minutes. Who is signed in that way already
 * comes to prove who they are.
 */
export async function beginSso(
  shop: Shop,
  companyId: string,
  { cookie, ip, signedIn }: Pick<Browser, 'ip' | 'signedIn'> & { cookie: string | null },
): Promise<string> {
  await takeTry(shop.db, [requestTries('sso', ip)]);
  const sso = await findSso(shop.db, companyId);
  if (!sso || cookie === null) throw failed('This company has no single sign-on.');
  const configuration = await configurationOf(shop, sso).catch(() => {
    throw new AppError('unavailable', { detail: 'The identity provider does not answer.' });
  });
  const [state, nonce, codeVerifier] = [randomToken(STATE_BYTES), randomToken(STATE_BYTES), randomToken(STATE_BYTES)];
  const url = signInPage(configuration, sso.issuer, {
    redirect_uri: ssoRedirectUrl(shop.publicUrl, companyId),
    scope: scopeOf(configuration),
    state,
    nonce,
    code_challenge: await oidc.calculatePKCECodeChallenge(codeVerifier),
    code_challenge_method: 'S256',
    ...(signedIn?.sso?.companyId === companyId && ASK_USER),
  });
  await insertSsoLogin(shop.db, sha256(state), sha256(cookie), { companyId, nonce, codeVerifier });
  return url;
}

function admit(
  { domains, roles }: Sso,
  { subject, email, isEmailVerified, groups }: Claims,
): { email: string; role: SsoRole } {
  if (!SUBJECT.test(subject)) throw failed('The identity provider names no user.');
  // What an issuer names goes into a mail and before the eyes of the team: only an address may (row 232).
  if (email === null || !isEmail(email) || isEmailVerified === false || !isAllowedEmail(email, domains))
    throw failed('This email address is not of a domain that the company allows.');
  const role = roleOfGroups(roles, groups);
  if (role === null) throw failed('You are in no group that has a role here.');
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
    throw failed('The single sign-on of this company has changed.');
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
    throw failed('This sign-in was begun in another browser, for another company, or too long ago.');
  const url = new URL(ssoRedirectUrl(shop.publicUrl, companyId));
  url.search = new URLSearchParams({ state, code, ...(iss !== undefined && { iss }) }).toString();
  const checks = { expectedNonce: login.nonce, expectedState: state, pkceCodeVerifier: login.codeVerifier };
  const answer = await redeem(await configurationOf(shop, sso), url, sso.groupClaim, checks).catch((error: unknown) => {
    shop.onError(error, 'single sign-on');
    throw failed('The identity provider did not confirm the sign-in.');
  });
  const token = await enter(shop, sso, answer, browser);
  await signOut(shop, browser);
  return token;
}
