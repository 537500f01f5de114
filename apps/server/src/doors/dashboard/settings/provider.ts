import { dashboardEndpoints, type ProviderConnection, type ProviderState } from '@coinslot/contract';
import { callbackUrl } from '../../../domain/payment/connections/account-secrets.ts';
import { checkProvider } from '../../../domain/payment/connections/check-provider.ts';
import { connectProvider, type ProviderDeps } from '../../../domain/payment/connections/connect-provider.ts';
import { disconnectProvider } from '../../../domain/payment/connections/disconnect-provider.ts';
import { findCurrentAccount, type ProviderAccount } from '../../../domain/payment/connections/provider-account.sql.ts';
import { registerCallback } from '../../../domain/payment/connections/register-callback.ts';
import { ACCOUNT_PROBLEMS, type AccountProblem } from '../../../domain/payment/gateways/problems.ts';
import type { OpenedAccount } from '../../../domain/payment/gateways/provider.ts';
import { toUnixSeconds, unixOrNull } from '../../../kit/clock.ts';
import type { DashboardDeps } from '../dashboard-context.ts';
import type { DashboardMount } from '../define-route.ts';

const calls = dashboardEndpoints;

const accountView = (account: ProviderAccount): ProviderConnection => {
  const problem = account.problemCode as AccountProblem | null;
  return {
    provider: account.provider as ProviderConnection['provider'],
    source: 'dashboard',
    account_id: account.accountId,
    display_name: account.displayName,
    country: account.country,
    default_currency: account.defaultCurrency,
    is_test: account.isTest,
    charges_enabled: account.chargesEnabled,
    secret_key_hint: account.secretKeyLast4,
    publishable_key: account.publishableKey,
    has_callback_secret: account.callbackSecretSealed !== null,
    problem_code: problem,
    problem: problem && ACCOUNT_PROBLEMS[problem],
    problem_at: unixOrNull(account.problemAt),
    checked_at: toUnixSeconds(account.checkedAt),
  };
};

/** From the installation's settings: nothing about it is stored. */
const settingsView = (name: string, account: OpenedAccount | null): ProviderConnection => ({
  provider: name as ProviderConnection['provider'],
  source: 'settings',
  account_id: null,
  display_name: null,
  country: null,
  default_currency: null,
  is_test: account?.isTest ?? true,
  charges_enabled: true,
  secret_key_hint: account?.secretKey.slice(-4) ?? null,
  publishable_key: account?.publishableKey ?? null,
  has_callback_secret: account !== null && account.callbackSecret !== null,
  problem_code: null,
  problem: null,
  problem_at: null,
  checked_at: null,
});

function connectionOf(
  { provider }: DashboardDeps,
  own: ProviderAccount | null,
  given: OpenedAccount | null,
): ProviderConnection | null {
  if (provider.isSimulated) return settingsView('simulator', null);
  if (own) return accountView(own);
  return given && settingsView(provider.provider.name, given);
}

async function stateOf(deps: DashboardDeps, companyId: string): Promise<ProviderState> {
  const { provider, publicUrl } = deps;
  const own = await findCurrentAccount(deps.db, companyId);
  const given = (await provider.isOfSettings(companyId)) ? provider.fromSettings : null;
  const isOwn = own !== null || given === null;
  return {
    connection: connectionOf(deps, own, given),
    callback_url: callbackUrl(publicUrl, provider.provider.name, isOwn ? companyId : null),
    callback_events: [...provider.provider.callbacks.events],
    allows_test_keys: provider.allowTestKeys,
  };
}

const providerDeps = ({ db, seal, publicUrl, provider }: DashboardDeps): ProviderDeps => ({
  db,
  seal,
  publicUrl,
  provider: provider.provider,
  allowTestKeys: provider.allowTestKeys,
});

export function mountProvider(mount: DashboardMount, deps: DashboardDeps): void {
  const own = providerDeps(deps);

  mount(calls.getProvider, ({ company }) => stateOf(deps, company.id));

  mount(calls.putProvider, async ({ company, actor }, { body }) => {
    await connectProvider(own, actor, {
      companyId: company.id,
      secretKey: body.secret_key,
      publishableKey: body.publishable_key,
      callbackSecret: body.callback_secret,
    });
    return stateOf(deps, company.id);
  });

  mount(calls.testProvider, async ({ company }) => {
    const { ok, account, callback, advice } = await checkProvider(own, company.id);
    return { ok, connection: accountView(account), callback, advice };
  });

  mount(calls.registerProviderCallback, async ({ company, actor }) => {
    await registerCallback(own, actor, company.id);
    return stateOf(deps, company.id);
  });

  mount(calls.deleteProvider, async ({ company, actor }, { query }) => {
    await disconnectProvider(own, actor, { companyId: company.id, confirmed: query.confirm === 'true' });
    return stateOf(deps, company.id);
  });
}
