import type { Db } from '../../../db/db.ts';
import type { Seal } from '../../../kit/seal.ts';
import { openAccount } from '../merchant-accounts/account-secrets.ts';
import type { Connection } from '../merchant-accounts/connections.ts';
import { listAllAccounts } from '../merchant-accounts/provider-account.sql.ts';
import type { OpenedAccount } from '../providers/base/provider.ts';
import { checkProvider } from './check-provider.ts';
import { claimChecks, insertChecksDue } from './provider-check.sql.ts';

export interface CheckDueDeps {
  db: Db;
  seal: Seal;
  connections: readonly Connection[];
  allowTestKeys: boolean;
  publicUrl: string;
  nowMs: () => number;
  onError: (error: unknown, source: string) => void;
}

interface Candidate {
  connection: Connection;
  companyId: string;
  account: OpenedAccount;
  isOfSettings: boolean;
}

async function listCandidates({ db, seal, connections }: CheckDueDeps): Promise<Candidate[]> {
  const rows = (await listAllAccounts(db)).filter(({ isCurrent }) => isCurrent);
  const found = await Promise.all(
    connections.map(async connection => {
      const own = rows.filter(({ provider }) => provider === connection.provider.name);
      const { fromSettings } = connection;
      const companies = fromSettings ? await connection.settingsCompanies() : [];
      const given = companies.filter(id => !own.some(({ companyId }) => companyId === id));
      return [
        ...own.map(row => ({
          connection,
          companyId: row.companyId,
          account: openAccount(seal, row),
          isOfSettings: false,
        })),
        ...given.map(companyId => ({ connection, companyId, account: fromSettings, isOfSettings: true })),
      ];
    }),
  );
  return found.flat().flatMap(({ account, ...rest }) => (account ? [{ ...rest, account }] : []));
}

/** Every connection once a day, by whichever process is first. One that cannot be asked does not keep the others from it. */
export async function checkDue(deps: CheckDueDeps): Promise<boolean> {
  for (const { connection, ...input } of await listCandidates(deps)) {
    const { provider } = connection;
    const key = { companyId: input.companyId, provider: provider.name, accountId: input.account.accountId };
    await insertChecksDue(deps.db, key);
    if (!(await claimChecks(deps.db, key))) continue;
    await checkProvider({ ...deps, provider }, input).catch((error: unknown) => deps.onError(error, 'connection test'));
  }
  return false;
}
