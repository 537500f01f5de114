import { type DashboardLocale, dashboardEndpoints, type SessionState } from '@coinslot/contract';
import { listCompaniesOfUser } from '../../../domain/company/company.sql.ts';
import { isRegistrationOpen } from '../../../domain/game/register-visitor.ts';
import { findSession, type SignedIn } from '../../../domain/user/session.sql.ts';
import { signIn, signOut } from '../../../domain/user/sign-in.ts';
import { isSessionToken, newVisitorToken } from '../../../domain/user/start-session.ts';
import { sha256 } from '../../../kit/seal.ts';
import type { DashboardDeps } from '../dashboard-context.ts';
import type { DashboardMount } from '../define-route.ts';
import { cookieHeader, csrfToken } from '../session-cookie.ts';

const calls = dashboardEndpoints;

export async function sessionState(
  { db, seal, registration }: DashboardDeps,
  { cookie, signedIn }: { cookie: string; signedIn: SignedIn | null },
): Promise<SessionState> {
  return {
    csrf_token: csrfToken(seal, cookie),
    registration_open: await isRegistrationOpen(db, registration),
    user: signedIn && {
      id: signedIn.userId,
      email: signedIn.email,
      email_verified: signedIn.isVerified,
      name: signedIn.name,
      locale: signedIn.locale as DashboardLocale | null,
      totp_enabled: signedIn.totpEnabled,
    },
    companies: signedIn ? await listCompaniesOfUser(db, signedIn.userId) : [],
  };
}

type SetHeader = (name: string, value: string) => void;

/** Gives the browser its cookie and answers with its session from now on. */
export async function enter(deps: DashboardDeps, token: string, setHeader: SetHeader): Promise<SessionState> {
  setHeader('set-cookie', cookieHeader(token, deps.publicUrl.startsWith('https:')));
  const signedIn = isSessionToken(token) ? await findSession(deps.db, sha256(token)) : null;
  return sessionState(deps, { cookie: token, signedIn });
}

export function mountSession(mount: DashboardMount, deps: DashboardDeps): void {
  mount(calls.getSession, async ({ cookie, signedIn }, { setHeader }) => {
    // A cookie of a session that has ended is replaced, so that nothing of it lives on.
    const isUsable = cookie !== null && (signedIn !== null || !isSessionToken(cookie));
    return isUsable ? sessionState(deps, { cookie, signedIn }) : enter(deps, newVisitorToken(), setHeader);
  });

  mount(calls.signIn, async (caller, { body, setHeader }) => enter(deps, await signIn(deps, body, caller), setHeader));

  mount(calls.signOut, async (caller, { setHeader }) => {
    await signOut(deps, caller);
    await enter(deps, newVisitorToken(), setHeader);
    return undefined;
  });
}
