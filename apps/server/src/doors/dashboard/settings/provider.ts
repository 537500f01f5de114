import {
  dashboardEndpoints as calls,
  type DashboardLocale,
  type LeavingAccount,
  type ProviderConnection,
  type ProviderList,
  type ProviderState,
} from '@coinslot/contract';
import { advice } from '@coinslot/texts/advice';
import { registerCallback } from '../../../domain/payment/callbacks/accept-callback.ts';
import { changeScope } from '../../../domain/payment/merchant-accounts/change-scope.ts';
import { readRouting, switchFailOver } from '../../../domain/payment/merchant-accounts/company-choices.ts';
import { connectProvider } from '../../../domain/payment/merchant-accounts/connect-provider.ts';
import { findConnected, type WhichAccount } from '../../../domain/payment/merchant-accounts/find-connected.ts';
import { type LeftAccount, leaveProvider, listLeft } from '../../../domain/payment/merchant-accounts/leave-provider.ts';
import type { ConnectedProvider } from '../../../domain/payment/merchant-accounts/merchant-accounts.ts';
import type { ProviderAccount } from '../../../domain/payment/merchant-accounts/provider-account.sql.ts';
import { type Connected, readProvider } from '../../../domain/payment/merchant-accounts/read-provider.ts';
import { checkViews } from '../../../domain/payment/provider-health/broken-checks.ts';
import { type CheckedProvider, checkProvider } from '../../../domain/payment/provider-health/check-provider.ts';
import type { KeptChecks } from '../../../domain/payment/provider-health/provider-check.sql.ts';
import type { AccountProblem } from '../../../domain/payment/providers/base/problems.ts';
import type { OpenedAccount } from '../../../domain/payment/providers/base/provider.ts';
import { removeProvider } from '../../../domain/purchase/member-actions/remove-provider.ts';
import { AppError } from '../../../kit/app-error.ts';
import { toUnixSeconds, unixOrNull } from '../../../kit/clock.ts';
import { onWire } from '../../../kit/on-wire.ts';
import type { DashboardMount, DashboardShop } from '../define-route.ts';

interface Asking {
  company: { id: string };
  language: DashboardLocale;
}

type Tested = Pick<ProviderConnection, 'checks' | 'failing_since'>;

const testedView = (kept: KeptChecks | null, language: DashboardLocale): Tested => ({
  checks: checkViews(kept?.checks ?? [], language),
  failing_since: unixOrNull(kept?.failingSince ?? null),
});

type Read = Pick<ProviderConnection, 'silent_since' | 'callback_url'>;

const accountView = (
  account: ProviderAccount,
  tested: Tested & Read,
  language: DashboardLocale,
): ProviderConnection => {
  const problem = account.problemCode as AccountProblem | null;
  return {
    provider: account.provider,
    source: 'dashboard',
    ...onWire(
      account,
      'account_id, label, games, currencies, display_name, country, default_currency, is_test, charges_enabled, publishable_key',
    ),
    ...onWire(account, 'problem_at, checked_at'),
    secret_key_hint: account.secretKeyLast4,
    has_callback_secret: account.callbackSecretSealed !== null,
    problem_code: problem,
    problem: problem && advice.text(language, problem),
    ...tested,
  };
};

/** From the installation's settings: nothing about it is stored but what a test found. */
const settingsView = (
  name: string,
  account: OpenedAccount | null,
  language: DashboardLocale,
  read: Read,
  kept: KeptChecks | null = null,
): ProviderConnection => ({
  provider: name,
  source: 'settings',
  account_id: null,
  label: null,
  games: null,
  currencies: null,
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
  ...testedView(kept, language),
  ...read,
});

function connectionView(name: string, connected: Connected, language: DashboardLocale): ProviderConnection {
  if (connected.source === 'simulator')
    return settingsView('simulator', null, language, { silent_since: null, callback_url: null });
  const { checks } = connected;
  const read = { silent_since: unixOrNull(connected.silentSince), callback_url: connected.callbackUrl };
  return connected.source === 'settings'
    ? settingsView(name, connected.account, language, read, checks)
    : accountView(connected.account, { ...testedView(checks, language), ...read }, language);
}

const leavingView = ({ account, hasKeys, open, until }: LeftAccount): LeavingAccount => ({
  account_id: account.accountId,
  label: account.label,
  display_name: account.displayName,
  left_at: toUnixSeconds(account.leftAt!),
  has_keys: hasKeys,
  open_payments: open,
  until: unixOrNull(until),
});

async function stateOf(
  shop: DashboardShop,
  connected: ConnectedProvider,
  { company: { id: companyId }, language }: Asking,
): Promise<ProviderState> {
  const { provider } = connected;
  const { names } = provider.keys;
  const read = await readProvider(shop, connected, companyId);
  return {
    provider: provider.name,
    title: provider.title,
    key_names: onWire(names, 'publishable_key, secret_key, callback_secret'),
    methods: [...provider.abilities.methods],
    connections: read.map(one => connectionView(provider.name, one, language)),
    leaving: (await listLeft(shop, companyId, provider.name)).map(leavingView),
    callback_events: [...provider.callbacks.events],
    allows_test_keys: shop.allowTestKeys,
  };
}

async function listOf(shop: DashboardShop, asking: Asking): Promise<ProviderList> {
  const { list } = shop.merchantAccounts;
  const { failsOver } = await readRouting(shop.db, asking.company.id);
  return { data: await Promise.all(list.map(one => stateOf(shop, one, asking))), fails_over: failsOver };
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

  mount(calls.getProvider, (asking, { params }) => stateOf(shop, find(shop, params.provider), asking));

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
    return stateOf(shop, connected, asking);
  });

  mount(calls.patchProvider, async (asking, { params, query, body }) => {
    const { company, actor } = asking;
    const connected = find(shop, params.provider);
    await changeScope(shop, actor, whichOf({ company, query, ...params }), body);
    return stateOf(shop, connected, asking);
  });

  mount(calls.testProvider, async (asking, { params, query }) => {
    const { company } = asking;
    const connected = find(shop, params.provider);
    const { ok, callback, accountId, ...found } = await test(shop, connected, whichOf({ company, query, ...params }));
    const { connections } = await stateOf(shop, connected, asking);
    const tested = connections.find(one => one.source === 'settings' || one.account_id === accountId);
    const checks = checkViews(found.checks, asking.language);
    return { ok, connection: tested!, callback, checks, advice: checks.flatMap(check => check.advice ?? []) };
  });

  mount(calls.registerProviderCallback, async (asking, { params, query }) => {
    const { company, actor } = asking;
    const connected = find(shop, params.provider);
    const account = await findConnected(shop.db, whichOf({ company, query, ...params }));
    await registerCallback(shop, actor, { provider: connected.provider, account });
    return stateOf(shop, connected, asking);
  });

  mount(calls.deleteProvider, async (asking, { params, query }) => {
    const { company, actor } = asking;
    const connected = find(shop, params.provider);
    const which = whichOf({ company, query, ...params });
    await (query.confirm === 'true' ? removeProvider(shop, actor, which) : leaveProvider(shop, actor, which));
    return stateOf(shop, connected, asking);
  });
}
