import { setTimeout as pause } from 'node:timers/promises';
import { AppError } from '../../../kit/app-error.ts';
import { steadyMs } from '../../../kit/clock.ts';
import { writeAudit } from '../../audit/audit.ts';
import type { Shop } from '../../shop.ts';
import { deleteSession, type SignedIn } from '../../user/session.sql.ts';
import { claimSsoToken, findSsoChecked, releaseSsoToken, updateSsoChecked } from '../../user/sso-session.sql.ts';
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

/** How long a request waits for what another process asks. */
const WAIT_MS = 10_000;
const LOOK_MS = 200;

const unavailable = (cause?: unknown): AppError =>
  new AppError('unavailable', { detail: 'The identity provider does not answer.', cause });

/** Another process asks. The last answer holds while it is young enough; else its outcome is waited for. */
async function awaitOther({ db }: Shop, signedIn: SignedIn): Promise<SignedIn | null> {
  const sso = signedIn.sso!;
  const untilMs = steadyMs() + WAIT_MS;
  for (;;) {
    const now = await findSsoChecked(db, signedIn.sessionId);
    if (!now) return null;
    if (now.checkedSecondsAgo < SSO_STALE_SECONDS) return { ...signedIn, sso: { ...sso, ...now } };
    if (steadyMs() > untilMs) throw unavailable();
    await pause(LOOK_MS);
  }
}

async function recheck(shop: Shop, signedIn: SignedIn, ip: string): Promise<SignedIn | null> {
  const { db, seal } = shop;
  const { sessionId, userId } = signedIn;
  const { companyId, subject, checkedSecondsAgo } = signedIn.sso!;
  const sso = await findSso(db, companyId);
  if (!sso) return endOne(shop, signedIn, ip);
  // A token for asking may work once, and a provider that sees it twice may end all that came of it.
  const sealed = await claimSsoToken(db, sessionId);
  if (!sealed) return awaitOther(shop, signedIn);
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
    if (isRefusal(error)) return endOne(shop, signedIn, ip);
    shop.onError(error, 'single sign-on');
    await releaseSsoToken(db, sessionId);
    if (checkedSecondsAgo < SSO_STALE_SECONDS) return signedIn;
    throw unavailable(error);
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
