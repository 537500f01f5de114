import type { Db } from '../../../db/db.ts';
import type { Seal } from '../../../kit/seal.ts';
import { findFirstCompany } from '../../company/company.sql.ts';
import type { Environment } from '../../game/environment.ts';
import {
  type Accounts,
  type OpenedAccount,
  type Provider,
  type ProviderKeys,
  SETTINGS_ACCOUNT,
} from '../gateways/provider.ts';
import type { FindLiveProvider } from '../live-provider.ts';
import { createProviderDirectory, type ProviderDirectory } from './provider-directory.ts';

export interface ConnectionsOptions {
  /** The provider is given who its accounts are. */
  provider: (accounts: Accounts) => Provider;
  /** Keys from the program's settings. */
  settingsKeys: ProviderKeys | undefined;
  /** Whose they are; undefined is the first company. */
  settingsCompanies: string[] | undefined;
  db: Db;
  seal: Seal;
  environmentOf: (environmentId: string) => Promise<Environment | null>;
}

/** Who takes real money: the provider, its accounts, and the one that the program's settings name. */
export function createConnections(options: ConnectionsOptions) {
  const { provider: build, settingsKeys, settingsCompanies, db, seal, environmentOf } = options;
  let fromSettings: OpenedAccount | null = null;
  const isOfSettings = settingsOwners(db, settingsCompanies);
  const directory = createProviderDirectory({
    db,
    seal,
    environmentOf,
    fromSettings: () => fromSettings,
    isOfSettings,
  });
  const provider = build(directory);
  if (settingsKeys) {
    const isTest = provider.keys.modeOf(settingsKeys) === 'test';
    fromSettings = { accountId: SETTINGS_ACCOUNT, isTest, ...settingsKeys };
  }
  return {
    provider,
    gateway: provider.gateway,
    directory,
    fromSettings,
    isOfSettings,
    findProvider: findConnectedProvider(directory, provider),
  };
}

/** Whether the account of the settings is this company's. The first company stays the first, so it is asked for once. */
function settingsOwners(db: Db, named: string[] | undefined): (companyId: string) => Promise<boolean> {
  let first: string | null = null;
  return async companyId => {
    if (named) return named.includes(companyId);
    first ??= await findFirstCompany(db);
    return first === companyId;
  };
}

export type Connections = ReturnType<typeof createConnections>;

/** What a page needs of the account that takes its money: never a secret. */
export const findConnectedProvider =
  (directory: Pick<ProviderDirectory, 'recent'>, { gateway, abilities, pageForm }: Provider): FindLiveProvider =>
  async environmentId => {
    const account = await directory.recent(environmentId);
    return account && { gateway, abilities, form: pageForm(account), isTest: account.isTest };
  };
