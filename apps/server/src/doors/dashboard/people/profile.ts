import { type DashboardLocale, dashboardEndpoints, type Profile } from '@coinslot/contract';
import { askForVerification } from '../../../domain/company/shown-link.ts';
import { changePassword } from '../../../domain/user/change-password.ts';
import { changeProfile, endOtherSessions, endSession, readProfile } from '../../../domain/user/change-profile.ts';
import { requestEmailChange } from '../../../domain/user/mail-links/change-email.ts';
import { beginTotp, confirmTotp, disableTotp, renewRecoveryCodes } from '../../../domain/user/manage-totp.ts';
import { listSessions } from '../../../domain/user/session.sql.ts';
import { toUnixSeconds, unixOrNull } from '../../../kit/clock.ts';
import type { DashboardDeps } from '../dashboard-context.ts';
import type { DashboardMount } from '../define-route.ts';

const calls = dashboardEndpoints;

async function profileView(deps: DashboardDeps, userId: string): Promise<Profile> {
  const { user, pendingEmail, passkeys, recoveryCodesLeft } = await readProfile(deps, userId);
  return {
    id: user.id,
    email: user.email,
    email_verified: user.emailVerifiedAt !== null,
    pending_email: pendingEmail,
    name: user.name,
    locale: user.locale as DashboardLocale | null,
    totp_enabled: user.totpConfirmedAt !== null,
    passkeys: passkeys.map(({ id, name, createdAt, lastUsedAt }) => ({
      id,
      name,
      created_at: toUnixSeconds(createdAt),
      last_used_at: unixOrNull(lastUsedAt),
    })),
    recovery_codes_left: recoveryCodesLeft,
    created_at: toUnixSeconds(user.createdAt),
  };
}

function mountTotp(mount: DashboardMount, deps: DashboardDeps): void {
  mount(calls.beginTotp, async ({ actor }) => {
    const { secret, uri } = await beginTotp(deps, actor);
    return { secret, otpauth_uri: uri };
  });

  mount(calls.confirmTotp, async ({ actor, signedIn }, { body }) => ({
    recovery_codes: await confirmTotp(deps, actor, { code: body.code, sessionId: signedIn.sessionId }),
  }));

  mount(calls.disableTotp, async ({ actor, signedIn }, { body }) => {
    await disableTotp(deps, actor, { code: body.code, sessionId: signedIn.sessionId });
    return undefined;
  });

  mount(calls.renewRecoveryCodes, async ({ actor }) => ({ recovery_codes: await renewRecoveryCodes(deps, actor) }));
}

function mountSessions(mount: DashboardMount, deps: DashboardDeps): void {
  mount(calls.listSessions, async ({ signedIn }) => {
    const sessions = await listSessions(deps.db, signedIn.userId);
    return {
      data: sessions.map(({ id, ip, userAgent, createdAt, lastSeenAt, expiresAt }) => ({
        id,
        is_current: id === signedIn.sessionId,
        ip,
        user_agent: userAgent,
        created_at: toUnixSeconds(createdAt),
        last_seen_at: toUnixSeconds(lastSeenAt),
        expires_at: toUnixSeconds(expiresAt),
      })),
    };
  });

  mount(calls.endSession, async ({ actor }, { params }) => {
    await endSession(deps, actor, params.session_id);
    return undefined;
  });

  mount(calls.endOtherSessions, async ({ actor, signedIn }) => ({
    ended: await endOtherSessions(deps, actor, signedIn.sessionId),
  }));
}

export function mountProfile(mount: DashboardMount, deps: DashboardDeps): void {
  mount(calls.getProfile, ({ signedIn }) => profileView(deps, signedIn.userId));

  mount(calls.patchProfile, async ({ actor }, { body }) => {
    await changeProfile(deps, actor, body);
    return profileView(deps, actor.userId);
  });

  mount(calls.changeEmail, async ({ actor, signedIn }, { body }) => {
    await requestEmailChange(deps, actor, { email: body.email, sessionId: signedIn.sessionId });
    return undefined;
  });

  mount(calls.requestVerification, async ({ actor }) => ({ url: await askForVerification(deps, actor) }));

  mount(calls.changePassword, async ({ actor, signedIn }, { body }) => {
    const change = { current: body.current_password, next: body.password, sessionId: signedIn.sessionId };
    await changePassword(deps, actor, change);
    return undefined;
  });

  mountTotp(mount, deps);
  mountSessions(mount, deps);
}
