import { dashboardEndpoints as calls, type SsoSettings } from '@coinslot/contract';
import { beginSso, ssoRedirectUrl } from '../../../domain/company/sso/begin-sso.ts';
import { changeSso, removeSso } from '../../../domain/company/sso/change-sso.ts';
import { finishSso } from '../../../domain/company/sso/finish-sso.ts';
import { findSso, type Sso } from '../../../domain/company/sso/sso.sql.ts';
import { onWire } from '../../../kit/on-wire.ts';
import type { DashboardMount, DashboardShop } from '../define-route.ts';
import { enter } from './session.ts';

export function mountSso(mount: DashboardMount, shop: DashboardShop): void {
  const { publicUrl } = shop;
  const view = (companyId: string, sso: Sso | null): SsoSettings => ({
    settings: sso && onWire(sso, 'issuer, client_id, domains, group_claim, roles, required'),
    sign_in_url: `${publicUrl}/dashboard/sso/${companyId}`,
    redirect_url: ssoRedirectUrl(publicUrl, companyId),
  });

  mount(calls.getSso, async ({ company: { id } }) => view(id, await findSso(shop.db, id)));

  mount(calls.putSso, async ({ company: { id }, actor, signedIn }, { body }) => {
    const form = {
      issuer: body.issuer,
      clientId: body.client_id,
      clientSecret: body.client_secret,
      domains: body.domains.map(domain => domain.trim().toLowerCase()),
      groupClaim: body.group_claim,
      roles: body.roles,
      required: body.required,
    };
    return view(id, await changeSso(shop, actor, id, form, signedIn));
  });

  mount(calls.deleteSso, async ({ company: { id }, actor }) => {
    await removeSso(shop, actor, id);
    return undefined;
  });

  mount(calls.beginSso, async (caller, { body }) => ({ url: await beginSso(shop, body.company_id, caller) }));

  mount(calls.finishSso, async (caller, { body, setHeader }) =>
    enter(shop, await finishSso(shop, body.company_id, body, caller), { ...caller, setHeader }),
  );
}
