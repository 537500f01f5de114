import { type DashboardLocale, dashboardEndpoints, type SessionState } from '@coinslot/contract';
import { listCompaniesOfUser } from '../../domain/account/company.sql.ts';
import type { SignedIn } from '../../domain/account/session.sql.ts';
import { csrfToken } from './csrf.ts';
import type { DashboardDeps } from './dashboard-deps.ts';
import type { DashboardMount } from './dashboard-mount.ts';
import { cookieHeader, isSessionToken, newVisitorToken } from './session-cookie.ts';

const { getSession } = dashboardEndpoints;

async function stateOf({ db, seal }: DashboardDeps, cookie: string, signedIn: SignedIn | null): Promise<SessionState> {
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

export function mountSession(mount: DashboardMount, deps: DashboardDeps): void {
  const isHttps = deps.publicUrl.startsWith('https:');

  mount(getSession, async ({ cookie, signedIn }, { setHeader }) => {
    // A cookie of a session that has ended is replaced, so that nothing of it lives on.
    const isUsable = cookie !== null && (signedIn !== null || !isSessionToken(cookie));
    if (isUsable) return stateOf(deps, cookie, signedIn);
    const visitor = newVisitorToken();
    setHeader('set-cookie', cookieHeader(visitor, isHttps));
    return stateOf(deps, visitor, null);
  });
}
