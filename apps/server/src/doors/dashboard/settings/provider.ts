import { dashboardEndpoints, type ProviderConnection, type ProviderList, type ProviderState } from '@coinslot/contract';
import { type CheckedProvider, checkProvider } from '../../../domain/payment/connections/check-provider.ts';
import { connectProvider, type ProviderDeps } from '../../../domain/payment/connections/connect-provider.ts';
import type { Connection } from '../../../domain/payment/connections/connections.ts';
import { disconnectProvider } from '../../../domain/payment/connections/disconnect-provider.ts';
import type { ProviderAccount } from '../../../domain/payment/connections/provider-account.sql.ts';
import type { KeptChecks } from '../../../domain/payment/connections/provider-check.sql.ts';
import { type Connected, readProvider } from '../../../domain/payment/connections/read-provider.ts';
import { registerCallback } from '../../../domain/payment/connections/register-callback.ts';
import { readRouting, switchFailOver } from '../../../domain/payment/connections/route-method.ts';
import { ACCOUNT_PROBLEMS, type AccountProblem } from '../../../domain/payment/gateways/problems.ts';
import type { OpenedAccount } from '../../../domain/payment/gateways/provider.ts';
import { AppError } from '../../../kit/app-error.ts';
import { toUnixSeconds, unixOrNull } from '../../../kit/clock.ts';
import type { DashboardDeps } from '../dashboard-context.ts';
import type { DashboardMount } from '../define-route.ts';

const calls = dashboardEndpoints;

type Tested = Pick<ProviderConnection, 'checks' | 'failing_since'>;

const testedView = (kept: KeptChecks | null): Tested => ({
  checks: kept?.checks ?? [],
  failing_since: unixOrNull(kept?.failingSince ?? null),
});

const accountView = (account: ProviderAccount, tested: Tested): ProviderConnection => {
  const problem = account.problemCode as AccountProblem | null;
  return {
    provider: account.provider,
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
    ...tested,
  };
};

/** From the installation's settings: nothing about it is stored but what a test found. */
const settingsView = (
  name: string,
  account: OpenedAccount | null,
  kept: KeptChecks | null = null,
): ProviderConnection => ({
  provider: name,
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
  checked_at: unixOrNull(kept?.checkedAt ?? null),
  ...testedView(kept),
});

function connectionView(name: string, connected: Connected | null): ProviderConnection | null {
  switch (connected?.source) {
    case 'dashboard':
      return accountView(connected.account, testedView(connected.checks));
    case 'settings':
      return settingsView(name, connected.account, connected.checks);
    case 'simulator':
      return settingsView('simulator', null);
    case undefined:
      return null;
  }
}

async function stateOf(deps: DashboardDeps, connection: Connection, companyId: string): Promise<ProviderState> {
  const { db, publicUrl } = deps;
  const { isSimulated, allowTestKeys, connections } = deps.provider;
  const { provider } = connection;
  const { names } = provider.keys;
  const read = await readProvider(
    { db, publicUrl, isSimulated, silences: connections.silences },
    connection,
    companyId,
  );
  return {
    provider: provider.name,
    title: provider.title,
    key_names: {
      publishable_key: names.publishableKey,
      secret_key: names.secretKey,
      callback_secret: names.callbackSecret,
    },
    methods: [...provider.abilities.methods],
    silent_since: unixOrNull(read.silentSince),
    connection: connectionView(provider.name, read.connected),
    callback_url: read.callbackUrl,
    callback_events: [...provider.callbacks.events],
    allows_test_keys: allowTestKeys,
  };
}

async function listOf(deps: DashboardDeps, companyId: string): Promise<ProviderList> {
  const { list } = deps.provider.connections;
  const { failsOver } = await readRouting(deps.db, companyId);
  return { data: await Promise.all(list.map(one => stateOf(deps, one, companyId))), fails_over: failsOver };
}

function find({ provider }: DashboardDeps, name: string): Connection {
  const found = provider.connections.of(name);
  if (!found) throw new AppError('not_found');
  return found;
}

const providerDeps = ({ db, seal, publicUrl, provider }: DashboardDeps, connection: Connection): ProviderDeps => ({
  db,
  seal,
  publicUrl,
  provider: connection.provider,
  allowTestKeys: provider.allowTestKeys,
});

async function test(deps: DashboardDeps, connection: Connection, companyId: string): Promise<CheckedProvider> {
  const account = await connection.directory.ofCompany(companyId);
  if (!account) throw new AppError('provider_not_connected');
  const isOfSettings = account === connection.fromSettings;
  const checkDeps = { ...providerDeps(deps, connection), nowMs: deps.clock.nowMs };
  return checkProvider(checkDeps, { companyId, account, isOfSettings });
}

export function mountProvider(mount: DashboardMount, deps: DashboardDeps): void {
  mount(calls.listProviders, ({ company }) => listOf(deps, company.id));

  mount(calls.patchProviders, async ({ company, actor }, { body }) => {
    await switchFailOver(deps, actor, { companyId: company.id, failsOver: body.fails_over });
    return listOf(deps, company.id);
  });

  mount(calls.getProvider, ({ company }, { params }) => stateOf(deps, find(deps, params.provider), company.id));

  mount(calls.putProvider, async ({ company, actor }, { params, body }) => {
    const connection = find(deps, params.provider);
    await connectProvider(providerDeps(deps, connection), actor, {
      companyId: company.id,
      secretKey: body.secret_key,
      publishableKey: body.publishable_key,
      callbackSecret: body.callback_secret,
    });
    return stateOf(deps, connection, company.id);
  });

  mount(calls.testProvider, async ({ company }, { params }) => {
    const connection = find(deps, params.provider);
    const { ok, callback, checks, advice } = await test(deps, connection, company.id);
    const { connection: tested } = await stateOf(deps, connection, company.id);
    return { ok, connection: tested!, callback, checks, advice };
  });

  mount(calls.registerProviderCallback, async ({ company, actor }, { params }) => {
    const connection = find(deps, params.provider);
    await registerCallback(providerDeps(deps, connection), actor, company.id);
    return stateOf(deps, connection, company.id);
  });

  mount(calls.deleteProvider, async ({ company, actor }, { params, query }) => {
    const connection = find(deps, params.provider);
    const confirmed = query.confirm === 'true';
    await disconnectProvider(providerDeps(deps, connection), actor, { companyId: company.id, confirmed });
    return stateOf(deps, connection, company.id);
  });
}
