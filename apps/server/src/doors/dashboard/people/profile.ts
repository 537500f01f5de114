import { dashboardEndpoints as calls, type DashboardLocale, type Profile } from '@coinslot/contract';
import { listUserAuditEntries } from '../../../domain/audit/audit.sql.ts';
import { askForVerification } from '../../../domain/company/shown-link.ts';
import { changePassword, changeProfile, readProfile } from '../../../domain/user/change-profile.ts';
import { assertFactor, confirmByPassword } from '../../../domain/user/confirm-identity.ts';
import { requestEmailChange } from '../../../domain/user/mail-links/change-email.ts';
import { beginTotp, confirmTotp, disableTotp, renewRecoveryCodes } from '../../../domain/user/manage-totp.ts';
import {
  addPasskey,
  beginPasskey,
  removePasskey,
  renamePasskey,
} from '../../../domain/user/passkeys/manage-passkeys.ts';
import { beginPasskeyConfirmation, confirmByPasskey } from '../../../domain/user/passkeys/use-passkey.ts';
import { listSessions } from '../../../domain/user/session.sql.ts';
import { endOtherSessions, endSession } from '../../../domain/user/start-session.ts';
import { pageOf } from '../../../http/paging.ts';
import { toUnixSeconds } from '../../../kit/clock.ts';
import { onWire } from '../../../kit/on-wire.ts';
import type { DashboardMount, DashboardShop } from '../define-route.ts';

async function profileView(shop: DashboardShop, userId: string): Promise<Profile> {
  const { user, pendingEmail, passkeys, recoveryCodesLeft } = await readProfile(shop, userId);
  return {
    id: user.id,
    email: user.email,
    email_verified: user.emailVerifiedAt !== null,
    pending_email: pendingEmail,
    name: user.name,
    locale: user.locale as DashboardLocale | null,
    totp_enabled: user.totpConfirmedAt !== null,
    passkeys: passkeys.map(passkey => onWire(passkey, 'id, name, created_at, last_used_at')),
    recovery_codes_left: recoveryCodesLeft,
    created_at: toUnixSeconds(user.createdAt),
  };
}

function mountTotp(mount: DashboardMount, shop: DashboardShop): void {
  mount(calls.beginTotp, async ({ actor }) => {
    const { secret, uri } = await beginTotp(shop, actor);
    return { secret, otpauth_uri: uri };
  });

  mount(calls.confirmTotp, async ({ actor, signedIn }, { body }) => ({
    recovery_codes: await confirmTotp(shop, actor, { code: body.code, sessionId: signedIn.sessionId }),
  }));

  mount(calls.disableTotp, async ({ actor, signedIn }, { body }) =>
    disableTotp(shop, actor, { code: body.code, sessionId: signedIn.sessionId }),
  );

  mount(calls.renewRecoveryCodes, async ({ actor }) => ({ recovery_codes: await renewRecoveryCodes(shop, actor) }));
}

function mountSessions(mount: DashboardMount, shop: DashboardShop): void {
  mount(calls.listSessions, async ({ signedIn }) => {
    const sessions = await listSessions(shop.db, signedIn.userId);
    return {
      data: sessions.map(session => ({
        ...onWire(session, 'id, ip, user_agent, created_at, last_seen_at, expires_at'),
        is_current: session.id === signedIn.sessionId,
      })),
    };
  });

  mount(calls.endSession, async ({ actor }, { params }) => endSession(shop, actor, params.session_id));

  mount(calls.endOtherSessions, async ({ actor, signedIn }) => ({
    ended: await endOtherSessions(shop, actor, signedIn.sessionId),
  }));
}

export function mountProfile(mount: DashboardMount, shop: DashboardShop): void {
  mount(calls.getProfile, ({ signedIn }) => profileView(shop, signedIn.userId));

  mount(calls.patchProfile, async ({ actor }, { body }) => {
    await changeProfile(shop, actor, body);
    return profileView(shop, actor.userId);
  });

  mount(calls.changeEmail, async ({ actor, signedIn }, { body }) =>
    requestEmailChange(shop, actor, { email: body.email, sessionId: signedIn.sessionId }),
  );

  mount(calls.requestVerification, async ({ actor }) => ({ url: await askForVerification(shop, actor) }));

  mount(calls.changePassword, async ({ actor, signedIn }, { body }) => {
    assertFactor(signedIn);
    const change = { current: body.current_password, next: body.password, sessionId: signedIn.sessionId };
    await changePassword(shop, actor, change);
    return undefined;
  });

  mountTotp(mount, shop);
  mountSessions(mount, shop);
}

function mountPasskeys(mount: DashboardMount, shop: DashboardShop): void {
  mount(calls.beginPasskey, async ({ actor }) => ({ options: await beginPasskey(shop, actor) }));

  mount(calls.addPasskey, async ({ actor, signedIn }, { body }) => ({
    recovery_codes: await addPasskey(shop, actor, {
      name: body.name,
      answer: body.answer,
      sessionId: signedIn.sessionId,
    }),
  }));

  mount(calls.renamePasskey, async ({ actor }, { params, body }) =>
    renamePasskey(shop, actor, params.passkey_id, body.name),
  );

  mount(calls.removePasskey, async ({ actor, signedIn }, { params }) =>
    removePasskey(shop, actor, { id: params.passkey_id, sessionId: signedIn.sessionId }),
  );
}

export function mountSecurity(mount: DashboardMount, shop: DashboardShop): void {
  mount(calls.confirmIdentity, async ({ actor, signedIn }, { body }) => {
    const { sessionId } = signedIn;
    if (body.answer) await confirmByPasskey(shop, actor, { answer: body.answer, sessionId });
    else await confirmByPassword(shop, actor, { password: body.password ?? '', code: body.code, sessionId });
    return undefined;
  });

  mount(calls.beginPasskeyConfirmation, async ({ actor }) => ({
    options: await beginPasskeyConfirmation(shop, actor),
  }));

  mountPasskeys(mount, shop);

  mount(calls.listSecurityEvents, ({ signedIn }, { query }) =>
    pageOf(
      query,
      'aud',
      (beforeId, limit) => listUserAuditEntries(shop.db, signedIn.userId, beforeId, limit),
      entries =>
        entries.map(({ id, kind, before, after, ip, createdAt }) => ({
          id,
          kind,
          before,
          after,
          ip,
          created_at: toUnixSeconds(createdAt),
        })),
    ),
  );
}
