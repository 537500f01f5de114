import type { DashboardLocale, LeavingAccount, ProviderConnection, ProviderState } from '@coinslot/contract';
import { advice } from '@coinslot/texts/advice';
import { type LeftAccount, listLeft } from '../../../domain/payment/merchant-accounts/leave-provider.ts';
import type { ConnectedProvider } from '../../../domain/payment/merchant-accounts/merchant-accounts.ts';
import type { ProviderAccount } from '../../../domain/payment/merchant-accounts/provider-account.sql.ts';
import { type Connected, readProvider } from '../../../domain/payment/merchant-accounts/read-provider.ts';
import { checkViews } from '../../../domain/payment/provider-health/broken-checks.ts';
import type { KeptChecks } from '../../../domain/payment/provider-health/provider-check.sql.ts';
import type { AccountProblem } from '../../../domain/payment/providers/base/problems.ts';
import type { OpenedAccount } from '../../../domain/payment/providers/base/provider.ts';
import { toUnixSeconds, unixOrNull } from '../../../kit/clock.ts';
import { onWire } from '../../../kit/on-wire.ts';
import type { DashboardShop } from '../define-route.ts';

export interface Asking {
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

export async function providerState(
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
