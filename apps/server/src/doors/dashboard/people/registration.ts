import { dashboardEndpoints } from '@coinslot/contract';
import { acceptAsNewUser, acceptAsUser, readInvitation } from '../../../domain/company/accept-invitation.ts';
import { register } from '../../../domain/game/register.ts';
import { readLink } from '../../../domain/game/registration.ts';
import { STORES } from '../../../domain/game/store-link.ts';
import { confirmEmailChange } from '../../../domain/user/change-email.ts';
import { requestPasswordReset, resetPassword } from '../../../domain/user/reset-password.ts';
import { startSession } from '../../../domain/user/start-session.ts';
import { mailTries, requestTries, takeTry } from '../../../domain/user/throttle.ts';
import { AppError } from '../../../kit/app-error.ts';
import type { DashboardDeps } from '../dashboard-context.ts';
import type { DashboardMount } from '../define-route.ts';
import { enter, sessionState } from './session.ts';

const calls = dashboardEndpoints;

/** What people do who are not in yet. */
export function mountRegistration(mount: DashboardMount, deps: DashboardDeps): void {
  const { db } = deps;

  mount(calls.readStoreLink, async (_context, { body }) => {
    const read = readLink(body.game_url);
    if ('issue' in read) throw new AppError('validation_failed', { issues: [read.issue] });
    const { store, appId, gameName } = read.link;
    return { store, store_label: STORES[store].label, app_id: appId, name: gameName };
  });

  mount(calls.register, async (caller, { body, setHeader }) => {
    await takeTry(db, [requestTries('register', caller.ip)]);
    const { game_url: gameUrl, game_name: gameName, ...form } = body;
    const { userId } = await register(deps, { ...form, gameUrl, gameName }, caller.ip);
    const token = await db.transaction(async tx => startSession(tx, userId, caller));
    return enter(deps, token, setHeader);
  });

  mount(calls.requestPasswordReset, async ({ ip, language }, { body }) => {
    await takeTry(db, [requestTries('reset', ip), mailTries('reset', body.email)]);
    // After the answer, so that its time does not tell whether there is such a user.
    deps.fulfillment.background(requestPasswordReset(deps, body.email, language), 'password reset');
    return undefined;
  });

  mount(calls.resetPassword, async (caller, { body }) => {
    await takeTry(db, [requestTries('reset use', caller.ip)]);
    await resetPassword(deps, body, caller);
    return undefined;
  });

  mount(calls.confirmEmail, async (caller, { body }) => {
    await takeTry(db, [requestTries('email use', caller.ip)]);
    await confirmEmailChange(deps, body.token, caller);
    return undefined;
  });

  mount(calls.readInvitation, async ({ ip }, { body }) => {
    await takeTry(db, [requestTries('invitation', ip)]);
    const { companyName, role, email, invitedBy, hasAccount } = await readInvitation(deps, body.token);
    return { company: companyName, role, email, invited_by: invitedBy, has_account: hasAccount };
  });

  mount(calls.acceptInvitation, async (caller, { body, setHeader }) => {
    await takeTry(db, [requestTries('invitation', caller.ip)]);
    const { cookie, signedIn, ip } = caller;
    if (!signedIn || cookie === null) return enter(deps, await acceptAsNewUser(deps, body, caller), setHeader);
    await acceptAsUser(deps, { userId: signedIn.userId, email: signedIn.email, ip }, body.token);
    return sessionState(deps, cookie, signedIn);
  });
}
