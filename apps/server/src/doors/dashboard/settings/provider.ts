import { dashboardEndpoints as calls, type ProviderList } from '@coinslot/contract';
import { registerCallback } from '../../../domain/payment/callbacks/register-callback.ts';
import { changeScope } from '../../../domain/payment/merchant-accounts/change-scope.ts';
import { switchFailOver } from '../../../domain/payment/merchant-accounts/company-choices.ts';
import { connectProvider } from '../../../domain/payment/merchant-accounts/connect-provider.ts';
import { findConnected, type WhichAccount } from '../../../domain/payment/merchant-accounts/find-connected.ts';
import { leaveProvider } from '../../../domain/payment/merchant-accounts/leave-provider.ts';
import type { ConnectedProvider } from '../../../domain/payment/merchant-accounts/merchant-accounts.ts';
import { readRouting } from '../../../domain/payment/merchant-accounts/read-choices.ts';
import { checkViews } from '../../../domain/payment/provider-health/broken-checks.ts';
import { type CheckedProvider, checkProvider } from '../../../domain/payment/provider-health/check-provider.ts';
import { removeProvider } from '../../../domain/purchase/member-actions/remove-provider.ts';
import { AppError } from '../../../kit/app-error.ts';
import type { DashboardMount, DashboardShop } from '../define-route.ts';
import { type Asking, providerState } from './provider-view.ts';

async function listOf(shop: DashboardShop, asking: Asking): Promise<ProviderList> {
  const { list } = shop.merchantAccounts;
  const { failsOver } = await readRouting(shop.db, asking.company.id);
  return { data: await Promise.all(list.map(one => providerState(shop, one, asking))), fails_over: failsOver };
}

function find({ merchantAccounts }: DashboardShop, name: string): ConnectedProvider {
  const found = merchantAccounts.of(name);
  if (!found) throw new AppError('not_found');
  return found;
}

async function test(
  shop: DashboardShop,
  { directory, provider, fromSettings }: ConnectedProvider,
  which: WhichAccount,
): Promise<CheckedProvider & { accountId: string }> {
  const own = await findConnected(shop.db, which);
  const accounts = await directory.ofCompany(which.companyId);
  const account = accounts.find(one => one.accountId === own?.accountId || (!which.accountId && one === fromSettings));
  if (!account) throw new AppError('provider_not_connected');
  const { companyId } = which;
  const isOfSettings = account === fromSettings;
  const checked = await checkProvider(shop, { provider, companyId, account, isOfSettings });
  return { ...checked, accountId: account.accountId };
}

interface Named {
  company: { id: string };
  provider: string;
  query: { account_id?: string | undefined };
}

const whichOf = ({ company, provider, query }: Named): WhichAccount => ({
  companyId: company.id,
  provider,
  accountId: query.account_id,
});

export function mountProvider(mount: DashboardMount, shop: DashboardShop): void {
  mount(calls.listProviders, asking => listOf(shop, asking));

  mount(calls.patchProviders, async (asking, { body }) => {
    const { company, actor } = asking;
    await switchFailOver(shop, actor, { companyId: company.id, failsOver: body.fails_over });
    return listOf(shop, asking);
  });

  mount(calls.getProvider, (asking, { params }) => providerState(shop, find(shop, params.provider), asking));

  mount(calls.putProvider, async (asking, { params, body }) => {
    const { company, actor } = asking;
    const connected = find(shop, params.provider);
    await connectProvider(shop, actor, {
      provider: connected.provider,
      companyId: company.id,
      accountId: body.account_id,
      secretKey: body.secret_key,
      publishableKey: body.publishable_key,
      callbackSecret: body.callback_secret,
    });
    return providerState(shop, connected, asking);
  });

  mount(calls.patchProvider, async (asking, { params, query, body }) => {
    const { company, actor } = asking;
    const connected = find(shop, params.provider);
    await changeScope(shop, actor, whichOf({ company, query, ...params }), body);
    return providerState(shop, connected, asking);
  });

  mount(calls.testProvider, async (asking, { params, query }) => {
    const { company } = asking;
    const connected = find(shop, params.provider);
    const { ok, callback, accountId, ...found } = await test(shop, connected, whichOf({ company, query, ...params }));
    const { connections } = await providerState(shop, connected, asking);
    const tested = connections.find(one => one.source === 'settings' || one.account_id === accountId);
    const checks = checkViews(found.checks, asking.language);
    return { ok, connection: tested!, callback, checks, advice: checks.flatMap(check => check.advice ?? []) };
  });

  mount(calls.registerProviderCallback, async (asking, { params, query }) => {
    const { company, actor } = asking;
    const connected = find(shop, params.provider);
    const account = await findConnected(shop.db, whichOf({ company, query, ...params }));
    await registerCallback(shop, actor, { provider: connected.provider, account });
    return providerState(shop, connected, asking);
  });

  mount(calls.deleteProvider, async (asking, { params, query }) => {
    const { company, actor } = asking;
    const connected = find(shop, params.provider);
    const which = whichOf({ company, query, ...params });
    await (query.confirm === 'true' ? removeProvider(shop, actor, which) : leaveProvider(shop, actor, which));
    return providerState(shop, connected, asking);
  });
}
