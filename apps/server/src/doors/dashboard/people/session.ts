import { dashboardEndpoints as calls, type DashboardLocale, type SessionState } from '@coinslot/contract';
import { acceptInvitation, readInvitation } from '../../../domain/company/accept-invitation.ts';
import { findFirstCompany, listCompaniesOfUser } from '../../../domain/company/company.sql.ts';
import { isRegistrationOpen, registerVisitor } from '../../../domain/game/register-visitor.ts';
import { checkLink } from '../../../domain/game/registration.ts';
import { STORES } from '../../../domain/game/stores/stores.ts';
import { rememberBrowser } from '../../../domain/user/known-browser.ts';
import { confirmEmailChange } from '../../../domain/user/mail-links/change-email.ts';
import { requestPasswordReset, resetPassword } from '../../../domain/user/mail-links/reset-password.ts';
import { verifyEmail } from '../../../domain/user/mail-links/verify-email.ts';
import { beginPasskeySignIn, signInWithPasskey } from '../../../domain/user/passkeys/use-passkey.ts';
import { findFormerToken, findSession, type SignedIn } from '../../../domain/user/session.sql.ts';
import { signIn, signOut } from '../../../domain/user/sign-in.ts';
import { isSessionToken, newVisitorToken } from '../../../domain/user/start-session.ts';
import { AppError } from '../../../kit/app-error.ts';
import { sha256 } from '../../../kit/seal.ts';
import type { DashboardMount, DashboardShop } from '../define-route.ts';
import { browserCookieHeader, cookieHeader, csrfSubject, csrfToken } from '../session-cookie.ts';

async function sessionState(
  { db, seal, registration, requireSecondFactor, isSimulated }: DashboardShop,
  { cookie, signedIn }: { cookie: string; signedIn: SignedIn | null },
): Promise<SessionState> {
  const isOpen = await isRegistrationOpen(db, registration);
  return {
    csrf_token: csrfToken(seal, csrfSubject(cookie, signedIn)!),
    registration_open: isOpen,
    registration_needs_code: isOpen && registration === 'first',
    installation_is_new: isOpen && signedIn === null && (await findFirstCompany(db)) === null,
    live_is_simulated: isSimulated,
    user: signedIn && {
      id: signedIn.userId,
      email: signedIn.email,
      email_verified: signedIn.isVerified,
      name: signedIn.name,
      locale: signedIn.locale as DashboardLocale | null,
      totp_enabled: signedIn.totpEnabled,
      passkeys: signedIn.passkeys,
      by_sso: signedIn.sso !== null,
    },
    companies: signedIn
      ? await listCompaniesOfUser(db, signedIn.userId, {
          sso: signedIn.sso,
          isFactorRequired: requireSecondFactor,
        })
      : [],
  };
}

type SetHeader = (name: string, value: string) => void;

/** From now on the browser is one that this account has used. */
function knowBrowser(
  { seal, publicUrl }: DashboardShop,
  email: string,
  { setHeader, browserCookie }: { setHeader: SetHeader; browserCookie: string | null },
): void {
  const isHttps = publicUrl.startsWith('https:');
  setHeader('set-cookie', browserCookieHeader(rememberBrowser(seal, browserCookie, email), isHttps));
}

/** Gives the browser its cookie and answers with its session from now on. */
export async function enter(
  shop: DashboardShop,
  token: string,
  { setHeader, browserCookie }: { setHeader: SetHeader; browserCookie: string | null },
): Promise<SessionState> {
  const isHttps = shop.publicUrl.startsWith('https:');
  setHeader('set-cookie', cookieHeader(token, isHttps));
  const signedIn = isSessionToken(token) ? await findSession(shop.db, sha256(token)) : null;
  if (signedIn) knowBrowser(shop, signedIn.email, { setHeader, browserCookie });
  return sessionState(shop, { cookie: token, signedIn });
}

export function mountSession(mount: DashboardMount, shop: DashboardShop): void {
  mount(calls.getSession, async ({ cookie, browserCookie, signedIn }, { setHeader }) => {
    // A cookie of a session that has ended is replaced, so that nothing of it lives on.
    const isUsable = cookie !== null && (signedIn !== null || !isSessionToken(cookie));
    // This request left before its browser was given the session's new cookie: another one would take that away.
    if (!isUsable && cookie !== null && (await findFormerToken(shop.db, sha256(cookie))))
      throw new AppError('sign_in_required');
    return isUsable
      ? sessionState(shop, { cookie, signedIn })
      : enter(shop, newVisitorToken(), { setHeader, browserCookie });
  });

  mount(calls.signIn, async (caller, { body, setHeader }) =>
    enter(shop, await signIn(shop, body, caller), { ...caller, setHeader }),
  );

  mount(calls.beginPasskeySignIn, async ({ ip }) => ({ options: await beginPasskeySignIn(shop, ip) }));

  mount(calls.signInWithPasskey, async (caller, { body, setHeader }) =>
    enter(shop, await signInWithPasskey(shop, body.answer, caller), { ...caller, setHeader }),
  );

  mount(calls.signOut, async (caller, { setHeader }) => {
    await signOut(shop, caller);
    await enter(shop, newVisitorToken(), { ...caller, setHeader });
    return undefined;
  });
}

/** What a visitor may do before signing in. */
export function mountRegistration(mount: DashboardMount, shop: DashboardShop): void {
  mount(calls.readStoreLink, async (_context, { body }) => {
    const { store, appId, gameName } = checkLink(body.game_url);
    return { store, store_label: STORES[store].label, app_id: appId, name: gameName };
  });

  mount(calls.register, async (caller, { body, setHeader }) => {
    const { game_url: gameUrl, game_name: gameName, setup_code: setupCode, ...form } = body;
    const token = await registerVisitor(shop, { ...form, gameUrl, gameName, setupCode }, caller);
    return enter(shop, token ?? newVisitorToken(), { ...caller, setHeader });
  });

  mount(calls.requestPasswordReset, async (caller, { body }) => requestPasswordReset(shop, body.email, caller));

  mount(calls.resetPassword, async (caller, { body, setHeader }) => {
    knowBrowser(shop, await resetPassword(shop, body, caller), { ...caller, setHeader });
    return undefined;
  });

  mount(calls.confirmEmail, async (caller, { body }) => {
    if (!(await verifyEmail(shop, body.token, caller))) await confirmEmailChange(shop, body.token, caller);
    return undefined;
  });

  mount(calls.readInvitation, async ({ ip }, { body }) => {
    const { companyName, role, email, invitedBy, hasAccount } = await readInvitation(shop, body.token, ip);
    return { company: companyName, role, email, invited_by: invitedBy, has_account: hasAccount };
  });

  mount(calls.acceptInvitation, async (caller, { body, setHeader }) => {
    const { cookie, signedIn } = caller;
    if (signedIn?.sso) throw new AppError('sso_session');
    const token = await acceptInvitation(shop, body, caller);
    // Null means that the browser was signed in, so it has a cookie.
    return token === null
      ? sessionState(shop, { cookie: cookie!, signedIn })
      : enter(shop, token, { ...caller, setHeader });
  });
}
