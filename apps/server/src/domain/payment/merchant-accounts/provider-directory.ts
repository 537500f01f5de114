import type { Db } from '../../../db/db.ts';
import { type Clock, systemClock } from '../../../kit/clock.ts';
import type { Seal } from '../../../kit/seal.ts';
import { createTtlCache } from '../../../kit/ttl-cache.ts';
import type { Environment } from '../../game/environment.ts';
import { findChecks } from '../provider-health/provider-check.sql.ts';
import type { Accounts, OpenedAccount } from '../providers/base/provider.ts';
import { openAccount } from './account-secrets.ts';
import { findAccount, findCurrentAccount, listAccounts, updateAccountProblem } from './provider-account.sql.ts';

export interface DirectoryOptions {
  provider: string;
  db: Db;
  seal: Seal;
  environmentOf: (environmentId: string) => Promise<Environment | null>;
  /** Keys from the program's settings: they serve the companies they belong to, unless those have connected their own. */
  fromSettings: () => OpenedAccount | null;
  isOfSettings: (companyId: string) => Promise<boolean>;
  clock?: Clock;
}

export interface ProviderDirectory extends Accounts {
  /** Whose secrets may have signed a callback: the company's, newest first. Null asks for those of the settings. */
  accountsForCallback(companyId: string | null): Promise<OpenedAccount[]>;
  ofCompany(companyId: string): Promise<OpenedAccount | null>;
  /** The same, with what is known of it. */
  knownOf(companyId: string): Promise<KnownAccount | null>;
  /** As `current`, with what is known of it, but a few seconds old at most: for pages, which are many. */
  recent(environmentId: string): Promise<KnownAccount | null>;
}

/** An account that takes payments, and what its provider said of it when it was asked last. */
export interface KnownAccount extends OpenedAccount {
  isRefused: boolean;
  unavailable: ReadonlySet<string>;
}

/** Which account takes the money of an environment. Sandbox has none here, whatever its company has connected. */
export function createProviderDirectory(options: DirectoryOptions): ProviderDirectory {
  const { provider, db, seal, environmentOf, fromSettings, isOfSettings, clock = systemClock } = options;
  const load = async (companyId: string): Promise<OpenedAccount | null> => {
    const row = await findCurrentAccount(db, companyId, provider);
    return row && openAccount(seal, row);
  };
  const loadKnown = async (companyId: string): Promise<KnownAccount | null> => {
    const row = await findCurrentAccount(db, companyId, provider);
    const account = row ? openAccount(seal, row) : await settingsOf(companyId);
    if (!account) return null;
    const checks = await findChecks(db, companyId, { provider, accountId: account.accountId });
    const isRefused = row !== null && (row.problemCode !== null || !row.chargesEnabled);
    return { ...account, isRefused, unavailable: new Set(checks?.unavailableMethods) };
  };
  const recent = createTtlCache({ load: loadKnown, clock, freshMs: 3_000, absentMs: 1_000, maxEntries: 10_000 });
  const liveCompany = async (environmentId: string): Promise<string | null> => {
    const environment = await environmentOf(environmentId);
    return environment?.mode === 'live' ? environment.companyId : null;
  };
  const settingsOf = async (companyId: string): Promise<OpenedAccount | null> => {
    const account = fromSettings();
    return account && (await isOfSettings(companyId)) ? account : null;
  };
  const ofCompany = async (companyId: string) => (await load(companyId)) ?? (await settingsOf(companyId));
  return {
    ofCompany,
    knownOf: loadKnown,
    async current(environmentId) {
      const companyId = await liveCompany(environmentId);
      return companyId === null ? null : ofCompany(companyId);
    },
    async recent(environmentId) {
      const companyId = await liveCompany(environmentId);
      return companyId === null ? null : recent(companyId);
    },
    async byId(environmentId, accountId) {
      const given = fromSettings();
      if (accountId === given?.accountId) return given;
      const companyId = await liveCompany(environmentId);
      const row = companyId === null ? null : await findAccount(db, companyId, accountId);
      return row && openAccount(seal, row);
    },
    async report(environmentId, accountId, problem) {
      const companyId = await liveCompany(environmentId);
      if (companyId !== null) await updateAccountProblem(db, companyId, accountId, problem);
    },
    async accountsForCallback(companyId) {
      if (companyId === null) return [fromSettings()].filter(account => account !== null);
      const rows = await listAccounts(db, companyId, provider);
      return rows.map(row => openAccount(seal, row)).filter(account => account !== null);
    },
  };
}
