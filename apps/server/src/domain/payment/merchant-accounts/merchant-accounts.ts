import type { Db } from '../../../db/db.ts';
import type { Seal } from '../../../kit/seal.ts';
import { findFirstCompany } from '../../company/company.sql.ts';
import type { Environment } from '../../game/environment.ts';
import type { FindLiveRouting, LiveProvider } from '../methods/live-routing.ts';
import { createSilences, type Silences } from '../provider-health/watch-silence.ts';
import type { Gateway } from '../providers/base/gateway.ts';
import {
  type Accounts,
  type OpenedAccount,
  type Provider,
  type ProviderKeys,
  SETTINGS_ACCOUNT,
} from '../providers/base/provider.ts';
import { createProviderDirectory, type ProviderDirectory } from './provider-directory.ts';
import { createRoutingReader } from './read-choices.ts';

/** A provider that the program knows, before it is given who its accounts are. */
export interface KnownProvider {
  name: string;
  build: (accounts: Accounts, watch: (gateway: Gateway) => Gateway) => Provider;
  keys: ProviderKeys | undefined;
  /** Whose they are; undefined is the first company. */
  companies: string[] | undefined;
  /** Whether they are of the provider's test mode, where their form does not tell. */
  isTest?: boolean;
}

export interface MerchantAccountsOptions {
  /** In the order in which they are asked whether they can take a payment. */
  providers: readonly KnownProvider[];
  db: Db;
  seal: Seal;
  environmentOf: (environmentId: string) => Promise<Environment | null>;
  onError: (error: unknown) => void;
}

/** One provider: its accounts, and the one that the program's settings name. */
export interface ConnectedProvider {
  provider: Provider;
  directory: ProviderDirectory;
  fromSettings: OpenedAccount | null;
  isOfSettings: (companyId: string) => Promise<boolean>;
  /** Whose the account of the settings is. */
  settingsCompanies: () => Promise<string[]>;
}

/** Rows of the first provider had this name before there were others. */
const settingsName = (name: string, isFirst: boolean): string =>
  isFirst ? SETTINGS_ACCOUNT : `${SETTINGS_ACCOUNT}:${name}`;

/** Whether the account came with the program's settings. */
export const isSettingsAccount = (accountId: string): boolean =>
  accountId === SETTINGS_ACCOUNT || accountId.startsWith(`${SETTINGS_ACCOUNT}:`);

function connect(
  known: KnownProvider,
  isFirst: boolean,
  options: MerchantAccountsOptions,
  silences: Silences,
): ConnectedProvider {
  const { db, seal, environmentOf } = options;
  let fromSettings: OpenedAccount | null = null;
  const settingsCompanies = settingsOwners(db, known.companies);
  const isOfSettings = async (companyId: string) => (await settingsCompanies()).includes(companyId);
  const directory = createProviderDirectory({
    provider: known.name,
    db,
    seal,
    environmentOf,
    fromSettings: () => fromSettings,
    isOfSettings,
  });
  const provider = known.build(directory, silences.watch);
  if (known.keys) {
    const isTest = known.isTest ?? provider.keys.modeOf(known.keys) === 'test';
    fromSettings = { accountId: settingsName(known.name, isFirst), isTest, ...known.keys };
  }
  return { provider, directory, fromSettings, isOfSettings, settingsCompanies };
}

/** Who takes real money: the providers, their accounts, and which of them takes what. */
export function createMerchantAccounts(options: MerchantAccountsOptions) {
  const { db, environmentOf, onError } = options;
  const silences = createSilences({ db, onError });
  const list = options.providers.map((known, i) => connect(known, i === 0, options, silences));
  const routingOf = createRoutingReader(db);
  const findRouting: FindLiveRouting = async environmentId => {
    const found = await Promise.all(list.map(connected => liveProviders(connected, silences, environmentId)));
    const providers = found.flat();
    const environment = await environmentOf(environmentId);
    if (providers.length === 0 || !environment) return null;
    return { providers, gameId: environment.gameId, ...(await routingOf(environment.companyId)) };
  };
  return {
    list,
    of(name: string): ConnectedProvider | undefined {
      return list.find(({ provider }) => provider.name === name);
    },
    gateways: Object.fromEntries(list.map(({ provider }) => [provider.name, provider.gateway])),
    silences,
    findRouting,
    async settingsAccountsOf(companyId: string): Promise<string[]> {
      const owned: string[] = [];
      for (const { fromSettings, isOfSettings } of list) {
        if (fromSettings && (await isOfSettings(companyId))) owned.push(fromSettings.accountId);
      }
      return owned;
    },
  };
}

/** Whose the account of the settings is. The first company stays the first, so it is asked for once. */
function settingsOwners(db: Db, named: string[] | undefined): () => Promise<string[]> {
  let first: string | null = null;
  return async () => {
    first ??= named ? null : await findFirstCompany(db);
    return named ?? (first === null ? [] : [first]);
  };
}

export type MerchantAccounts = ReturnType<typeof createMerchantAccounts>;

/** What a page needs of each account that may take its money: never a secret. */
async function liveProviders(
  { provider, directory }: ConnectedProvider,
  { silentSince }: Silences,
  environmentId: string,
): Promise<LiveProvider[]> {
  const { gateway, abilities, pageForm, name } = provider;
  const accounts = await directory.recent(environmentId);
  return Promise.all(
    accounts.map(async account => ({
      gateway,
      account: { id: account.accountId, label: account.label },
      currencies: account.currencies,
      abilities,
      form: pageForm(account),
      isTest: account.isTest,
      isSimulated: false,
      isSilent: (await silentSince(name, account.accountId)) !== null,
      isRefused: account.isRefused,
      unavailable: account.unavailable,
    })),
  );
}
