import { type DashboardLocale, dashboardEndpoints, type SessionState } from '@coinslot/contract';
import { listCompaniesOfUser } from '../../../domain/company/company.sql.ts';
import { endSession } from '../../../domain/user/change-profile.ts';
import { findSession, type SignedIn } from '../../../domain/user/session.sql.ts';
import { signIn } from '../../../domain/user/sign-in.ts';
import { isSessionToken, newVisitorToken } from '../../../domain/user/start-session.ts';
import { sha256 } from '../../../kit/seal.ts';
import type { DashboardDeps } from '../dashboard-context.ts';
import type { DashboardMount } from '../define-route.ts';
import { cookieHeader, csrfToken } from '../session-cookie.ts';

const calls = dashboardEndpoints;

export async function sessionState(
  { db, seal }: DashboardDeps,
  cookie: string,
  signedIn: SignedIn | null,
): Promise<SessionState> {
  return {
    csrf_token: csrfToken(seal, cookie),
    user: signedIn && {
      id: signedIn.userId,
      email: signedIn.email,
      name: signedIn.name,
      locale: signedIn.locale as DashboardLocale | null,
      totp_enabled: signedIn.totpEnabled,
    },
    companies: signedIn ? await listCompaniesOfUser(db, signedIn.userId) : [],
  };
}

type SetHeader = (name: string, value: string) => void;

/** Gives the browser its cookie and answers with who it is from now on. */
export async function enter(deps: DashboardDeps, token: string, setHeader: SetHeader): Promise<SessionState> {
  setHeader('set-cookie', cookieHeader(token, deps.publicUrl.startsWith('https:')));
  return sessionState(deps, token, isSessionToken(token) ? await findSession(deps.db, sha256(token)) : null);
}

export function mountSession(mount: DashboardMount, deps: DashboardDeps): void {
  mount(calls.getSession, async ({ cookie, signedIn }, { setHeader }) => {
    // A cookie of a session that has ended is replaced, so that nothing of it lives on.
    const isUsable = cookie !== null && (signedIn !== null || !isSessionToken(cookie));
    return isUsable ? sessionState(deps, cookie, signedIn) : enter(deps, newVisitorToken(), setHeader);
  });

  mount(calls.signIn, async (caller, { body, setHeader }) => {
    const token = await signIn(deps, body, caller);
    const { signedIn, ip } = caller;
    // Who signs in again in the same browser leaves no session behind that nobody has the cookie of.
    if (signedIn) await endSession(deps, { userId: signedIn.userId, email: signedIn.email, ip }, signedIn.sessionId);
    return enter(deps, token, setHeader);
  });

  mount(calls.signOut, async ({ signedIn, ip }, { setHeader }) => {
    if (signedIn) await endSession(deps, { userId: signedIn.userId, email: signedIn.email, ip }, signedIn.sessionId);
    await enter(deps, newVisitorToken(), setHeader);
    return undefined;
  });
}
