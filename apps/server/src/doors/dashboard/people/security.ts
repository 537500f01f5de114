import { dashboardEndpoints as calls } from '@coinslot/contract';
import { listUserAuditEntries } from '../../../domain/audit/audit.sql.ts';
import { confirmByPassword } from '../../../domain/user/confirm-identity.ts';
import {
  addPasskey,
  beginPasskey,
  removePasskey,
  renamePasskey,
} from '../../../domain/user/passkeys/manage-passkeys.ts';
import { beginPasskeyConfirmation, confirmByPasskey } from '../../../domain/user/passkeys/use-passkey.ts';
import { pageOf } from '../../../http/paging.ts';
import { toUnixSeconds } from '../../../kit/clock.ts';
import type { DashboardShop } from '../dashboard-context.ts';
import type { DashboardMount } from '../define-route.ts';

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

/** How a user proves who they are, and what happened to their account. */
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
