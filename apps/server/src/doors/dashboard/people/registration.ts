import { dashboardEndpoints as calls } from '@coinslot/contract';
import { acceptInvitation, readInvitation } from '../../../domain/company/accept-invitation.ts';
import { registerVisitor } from '../../../domain/game/register-visitor.ts';
import { checkLink } from '../../../domain/game/registration.ts';
import { STORES } from '../../../domain/game/stores/stores.ts';
import { confirmEmailChange } from '../../../domain/user/mail-links/change-email.ts';
import { requestPasswordReset, resetPassword } from '../../../domain/user/mail-links/reset-password.ts';
import { verifyEmail } from '../../../domain/user/mail-links/verify-email.ts';
import { newVisitorToken } from '../../../domain/user/start-session.ts';
import type { DashboardShop } from '../dashboard-context.ts';
import type { DashboardMount } from '../define-route.ts';
import { enter, knowBrowser, sessionState } from './session.ts';

/** What a visitor may do before signing in. */
export function mountRegistration(mount: DashboardMount, shop: DashboardShop): void {
  mount(calls.readStoreLink, async (_context, { body }) => {
    const { store, appId, gameName } = checkLink(body.game_url);
    return { store, store_label: STORES[store].label, app_id: appId, name: gameName };
  });

  mount(calls.register, async (caller, { body, setHeader }) => {
    const { game_url: gameUrl, game_name: gameName, ...form } = body;
    const token = await registerVisitor(shop, { ...form, gameUrl, gameName }, caller);
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
    const token = await acceptInvitation(shop, body, caller);
    // Null means that the browser was signed in, so it has a cookie.
    return token === null
      ? sessionState(shop, { cookie: cookie!, signedIn })
      : enter(shop, token, { ...caller, setHeader });
  });
}
