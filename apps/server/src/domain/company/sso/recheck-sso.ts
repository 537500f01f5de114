import { AppError } from '../../../kit/app-error.ts';
import { sameBytes } from '../../../kit/seal.ts';
import { writeAudit } from '../../audit/audit.ts';
import type { Shop } from '../../shop.ts';
import { deleteSession, findSsoToken, type SignedIn, updateSsoChecked } from '../../user/session.sql.ts';
import { askAgain, configurationOf, isRefusal, roleOfGroups, type SsoTokens } from './identity-provider.ts';
import { SSO_STALE_SECONDS } from './role-in.ts';
import { findSso, ssoTokenContext, updateSsoMember } from './sso.sql.ts';

/** Early enough that a slow answer comes before the last word is too old. */
const ASK_AFTER_SECONDS = 240;

async function endOne({ db }: Shop, { userId, email, sessionId, sso }: SignedIn, ip: string): Promise<null> {
  await db.transaction(async tx => {
    const ended = await deleteSession(tx, userId, sessionId);
    const companyId = sso?.companyId ?? null;
    if (ended.length > 0)
      writeAudit(tx, { userId, email, ip }, { companyId, kind: 'session.ended_by_sso', objectId: sessionId });
  });
  return null;
}

async function recheck(shop: Shop, signedIn: SignedIn, ip: string): Promise<SignedIn | null> {
  const { db, seal } = shop;
  const { sessionId, userId } = signedIn;
  const { companyId, subject, checkedSecondsAgo } = signedIn.sso!;
  const sso = await findSso(db, companyId);
  const sealed = await findSsoToken(db, sessionId);
  if (!sso || !sealed) return endOne(shop, signedIn, ip);
  const context = ssoTokenContext(sessionId);
  try {
    const tokens = JSON.parse(seal.open(sealed, context)) as SsoTokens;
    const { groupClaim } = sso;
    const answer = await askAgain(await configurationOf(shop, sso), tokens, { groupClaim, subject });
    const role = roleOfGroups(sso.roles, answer.claims.groups);
    if (role === null) return await endOne(shop, signedIn, ip);
    await updateSsoChecked(db, sessionId, role, seal.seal(JSON.stringify(answer.tokens), context));
    await updateSsoMember(db, companyId, userId, role);
    return { ...signedIn, sso: { companyId, subject, role, checkedSecondsAgo: 0 } };
  } catch (error) {
    const now = await findSsoToken(db, sessionId);
    // Another process has asked meanwhile, and a token for asking works once.
    if (now && !sameBytes(now, sealed)) return { ...signedIn, sso: { ...signedIn.sso!, checkedSecondsAgo: 0 } };
    if (isRefusal(error)) return endOne(shop, signedIn, ip);
    shop.onError(error, 'single sign-on');
    if (checkedSecondsAgo < SSO_STALE_SECONDS) return signedIn;
    throw new AppError('unavailable', { detail: 'The identity provider does not answer.', cause: error });
  }
}

/**
 * Asks the identity provider every few minutes whether the user is still in a group that has a role. One who left is out at
 * the next request, and no session lives on an answer that is older than five minutes.
 */
export function createSsoRecheck(shop: Shop): (signedIn: SignedIn | null, ip: string) => Promise<SignedIn | null> {
  const pending = new Map<string, Promise<SignedIn | null>>();
  return async (signedIn, ip) => {
    if (!signedIn?.sso) return signedIn;
    const { sso, sessionId } = signedIn;
    if (sso.checkedSecondsAgo < ASK_AFTER_SECONDS) return signedIn;
    const asked = pending.get(sessionId) ?? recheck(shop, signedIn, ip).finally(() => pending.delete(sessionId));
    pending.set(sessionId, asked);
    return asked;
  };
}
