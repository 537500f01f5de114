import { dashboardEndpoints } from '@coinslot/contract';
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
import type { DashboardDeps } from '../dashboard-context.ts';
import type { DashboardMount } from '../define-route.ts';

const calls = dashboardEndpoints;

function mountPasskeys(mount: DashboardMount, deps: DashboardDeps): void {
  mount(calls.beginPasskey, async ({ actor }) => ({ options: await beginPasskey(deps, actor) }));

  mount(calls.addPasskey, async ({ actor, signedIn }, { body }) => ({
    recovery_codes: await addPasskey(deps, actor, { ...body, sessionId: signedIn.sessionId }),
  }));

  mount(calls.renamePasskey, async ({ actor }, { params, body }) => {
    await renamePasskey(deps, actor, params.passkey_id, body.name);
    return undefined;
  });

  mount(calls.removePasskey, async ({ actor, signedIn }, { params }) => {
    await removePasskey(deps, actor, { id: params.passkey_id, sessionId: signedIn.sessionId });
    return undefined;
  });
}

/** How a user proves who they are, and what happened to their account. */
export function mountSecurity(mount: DashboardMount, deps: DashboardDeps): void {
  mount(calls.confirmIdentity, async ({ actor, signedIn }, { body }) => {
    const { sessionId } = signedIn;
    if (body.answer) await confirmByPasskey(deps, actor, { answer: body.answer, sessionId });
    else await confirmByPassword(deps, actor, { password: body.password ?? '', sessionId });
    return undefined;
  });

  mount(calls.beginPasskeyConfirmation, async ({ actor }) => ({
    options: await beginPasskeyConfirmation(deps, actor),
  }));

  mountPasskeys(mount, deps);

  mount(calls.listSecurityEvents, ({ signedIn }, { query }) =>
    pageOf(
      query,
      'aud',
      (beforeId, limit) => listUserAuditEntries(deps.db, signedIn.userId, beforeId, limit),
      entry => entry.id,
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
