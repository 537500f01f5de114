import type { Db } from '../../../db/db.ts';
import { type Clock, systemClock } from '../../../kit/clock.ts';
import type { Seal } from '../../../kit/seal.ts';
import { createTtlCache } from '../../../kit/ttl-cache.ts';
import type { Environment } from '../../game/environment.ts';
import { findChecks, type KeptChecks } from '../provider-health/provider-check.sql.ts';
import type { Accounts, OpenedAccount } from '../providers/base/provider.ts';
import { openAccount } from './account-secrets.ts';
import {
  findAccount,
  listCurrentAccounts,
  type ProviderAccount,
  updateAccountProblem,
} from './provider-account.sql.ts';

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
  /** Whose callback it is, as its address says; null: the keys are erased, or there is no such account. */
  accountForCallback(address: { companyId: string; accountId: string } | null): Promise<OpenedAccount | null>;
  /** Those that take payments, in the order in which they are asked. */
  ofCompany(companyId: string): Promise<OpenedAccount[]>;
  /** The same, with what is known of each. */
  knownOf(companyId: string): Promise<KnownAccount[]>;
  /** Those of the environment's game, but a few seconds old at most: for pages, which are many. */
  recent(environmentId: string): Promise<KnownAccount[]>;
}

/** An account that takes payments, and what its provider said of it when it was asked last. */
export interface KnownAccount extends OpenedAccount {
  /** What the company calls it. */
  label: string | null;
  /** Null: it takes payments of all games, or in all currencies. */
  games: readonly string[] | null;
  currencies: ReadonlySet<string> | null;
  isRefused: boolean;
  unavailable: ReadonlySet<string>;
}

const isFor = ({ games }: { games: readonly string[] | null }, { gameId }: Environment): boolean =>
  games === null || games.includes(gameId);

/** What a stranger put into an address may be no text that the database can hold. */
const isName = (text: string): boolean => /^\P{Cc}{1,255}$/u.test(text);

const takes = ({ currencies }: ProviderAccount, currency: string | undefined): boolean =>
  currencies === null || currency === undefined || currencies.includes(currency);

const knownAs = (account: OpenedAccount, row: ProviderAccount | null, checks: KeptChecks | null): KnownAccount => ({
  ...account,
  label: row?.label ?? null,
  games: row?.games ?? null,
  currencies: row?.currencies ? new Set(row.currencies) : null,
  isRefused: row !== null && (row.problemCode !== null || !row.chargesEnabled),
  unavailable: new Set(checks?.unavailableMethods),
});

/** Which accounts take the money of an environment. Sandbox has none here, whatever its company has connected. */
export function createProviderDirectory(options: DirectoryOptions): ProviderDirectory {
  const { provider, db, seal, environmentOf, fromSettings, isOfSettings, clock = systemClock } = options;
  const settingsOf = async (companyId: string): Promise<OpenedAccount[]> => {
    const account = fromSettings();
    return account && (await isOfSettings(companyId)) ? [account] : [];
  };
  const opened = (rows: ProviderAccount[]): OpenedAccount[] =>
    rows.map(row => openAccount(seal, row)).filter(account => account !== null);
  const loadKnown = async (companyId: string): Promise<KnownAccount[]> => {
    const rows = await listCurrentAccounts(db, companyId, provider);
    const found =
      rows.length > 0
        ? rows.map(row => ({ row, account: openAccount(seal, row) }))
        : (await settingsOf(companyId)).map(account => ({ row: null, account }));
    const known = found.map(async ({ row, account }) => {
      if (!account) return [];
      const checks = await findChecks(db, companyId, { provider, accountId: account.accountId });
      return [knownAs(account, row, checks)];
    });
    return (await Promise.all(known)).flat();
  };
  const loadRecent = async (companyId: string): Promise<KnownAccount[] | null> => {
    const known = await loadKnown(companyId);
    return known.length > 0 ? known : null;
  };
  const recent = createTtlCache({ load: loadRecent, clock, freshMs: 3_000, absentMs: 1_000, maxEntries: 10_000 });
  const liveEnvironment = async (environmentId: string): Promise<Environment | null> => {
    const environment = await environmentOf(environmentId);
    return environment?.mode === 'live' ? environment : null;
  };
  return {
    async ofCompany(companyId) {
      const rows = await listCurrentAccounts(db, companyId, provider);
      return rows.length > 0 ? opened(rows) : settingsOf(companyId);
    },
    knownOf: loadKnown,
    async current(environmentId, chosen) {
      const environment = await liveEnvironment(environmentId);
      if (!environment) return null;
      const rows = await listCurrentAccounts(db, environment.companyId, provider);
      if (rows.length === 0) return (await settingsOf(environment.companyId))[0] ?? null;
      const own = rows.filter(row => isFor(row, environment));
      const taker =
        own.find(row => row.accountId === chosen?.accountId) ?? own.find(row => takes(row, chosen?.currency));
      return taker ? openAccount(seal, taker) : null;
    },
    async recent(environmentId) {
      const environment = await liveEnvironment(environmentId);
      if (!environment) return [];
      return ((await recent(environment.companyId)) ?? []).filter(account => isFor(account, environment));
    },
    async byId(environmentId, accountId) {
      const given = fromSettings();
      if (accountId === given?.accountId) return given;
      const environment = await liveEnvironment(environmentId);
      const row = environment && (await findAccount(db, environment.companyId, accountId));
      return row && openAccount(seal, row);
    },
    async report(environmentId, accountId, problem) {
      const environment = await liveEnvironment(environmentId);
      if (environment) await updateAccountProblem(db, environment.companyId, accountId, problem);
    },
    async accountForCallback(address) {
      if (address === null) return fromSettings();
      if (!isName(address.companyId) || !isName(address.accountId)) return null;
      const row = await findAccount(db, address.companyId, address.accountId);
      return row?.provider === provider ? openAccount(seal, row) : null;
    },
  };
}
