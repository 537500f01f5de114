import type { Db } from '../../../db/db.ts';
import type { Seal } from '../../../kit/seal.ts';
import { openAccount } from '../merchant-accounts/account-secrets.ts';
import type { ConnectedProvider } from '../merchant-accounts/merchant-accounts.ts';
import { listAllAccounts } from '../merchant-accounts/provider-account.sql.ts';
import type { OpenedAccount } from '../providers/base/provider.ts';
import { checkProvider } from './check-provider.ts';
import { claimChecks, insertChecksDue } from './provider-check.sql.ts';

export interface CheckDueDeps {
  db: Db;
  seal: Seal;
  providers: readonly ConnectedProvider[];
  allowTestKeys: boolean;
  publicUrl: string;
  nowMs: () => number;
  onError: (error: unknown, source: string) => void;
}

interface Candidate {
  connected: ConnectedProvider;
  companyId: string;
  account: OpenedAccount;
  isOfSettings: boolean;
}

async function listCandidates({ db, seal, providers }: CheckDueDeps): Promise<Candidate[]> {
  const rows = (await listAllAccounts(db)).filter(({ isCurrent }) => isCurrent);
  const found = await Promise.all(
    providers.map(async connected => {
      const own = rows.filter(({ provider }) => provider === connected.provider.name);
      const { fromSettings } = connected;
      const companies = fromSettings ? await connected.settingsCompanies() : [];
      const given = companies.filter(id => !own.some(({ companyId }) => companyId === id));
      return [
        ...own.map(row => ({
          connected,
          companyId: row.companyId,
          account: openAccount(seal, row),
          isOfSettings: false,
        })),
        ...given.map(companyId => ({ connected, companyId, account: fromSettings, isOfSettings: true })),
      ];
    }),
  );
  return found.flat().flatMap(({ account, ...rest }) => (account ? [{ ...rest, account }] : []));
}

/** Every connected once a day, by whichever process is first. One that cannot be asked does not keep the others from it. */
export async function checkDue(deps: CheckDueDeps): Promise<boolean> {
  for (const { connected, ...input } of await listCandidates(deps)) {
    const { provider } = connected;
    const key = { companyId: input.companyId, provider: provider.name, accountId: input.account.accountId };
    await insertChecksDue(deps.db, key);
    if (!(await claimChecks(deps.db, key))) continue;
    await checkProvider({ ...deps, provider }, input).catch((error: unknown) => deps.onError(error, 'connected test'));
  }
  return false;
}
