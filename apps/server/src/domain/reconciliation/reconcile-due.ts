import { openAccount } from '../payment/merchant-accounts/account-secrets.ts';
import type { ConnectedProvider } from '../payment/merchant-accounts/merchant-accounts.ts';
import { listAllAccounts } from '../payment/merchant-accounts/provider-account.sql.ts';
import type { OpenedAccount } from '../payment/providers/base/provider.ts';
import { type ReconciliationDeps, reconcileDay } from './reconcile-day.ts';
import { listDaysDue, type RunCounts } from './reconciliation.sql.ts';

export interface DueDeps extends Pick<ReconciliationDeps, 'purchasing'> {
  providers: readonly Pick<ConnectedProvider, 'provider' | 'fromSettings'>[];
}

interface Candidate {
  companyId: string | null;
  account: OpenedAccount;
  provider: ReconciliationDeps['provider'];
}

async function listCandidates({ purchasing, providers }: DueDeps): Promise<Candidate[]> {
  const rows = await listAllAccounts(purchasing.db);
  return providers.flatMap(({ provider, fromSettings }) => {
    const own = rows.filter(row => row.provider === provider.name);
    const connected = own.map(row => ({ companyId: row.companyId, account: openAccount(purchasing.seal, row) }));
    return [...connected, { companyId: null, account: fromSettings }].flatMap(({ companyId, account }) =>
      account ? [{ companyId, account, provider }] : [],
    );
  });
}

export interface ComparedAccount {
  accountId: string;
  /** Null: another process is at it. */
  counts: RunCounts | null;
  problem: string | null;
}

async function compareOne(
  { purchasing }: DueDeps,
  { companyId, account, provider }: Candidate,
  day: string,
  again: boolean,
): Promise<ComparedAccount> {
  const { accountId } = account;
  try {
    const counts = await reconcileDay({ purchasing, provider }, { companyId, account, day, again });
    return { accountId, counts, problem: null };
  } catch (error) {
    purchasing.background(Promise.reject(error), 'reconciliation');
    return { accountId, counts: null, problem: 'The provider could not be asked. Look at the log.' };
  }
}

/** Every account, one after the other. One that cannot be asked does not keep the others from it. */
export async function reconcileAll(deps: DueDeps, day: string, again: boolean): Promise<ComparedAccount[]> {
  const compared: ComparedAccount[] = [];
  for (const candidate of await listCandidates(deps)) compared.push(await compareOne(deps, candidate, day, again));
  return compared;
}

/** Of each account the days that are over and were not compared, once each, by whichever process is first. */
export async function reconcileDue(deps: DueDeps): Promise<boolean> {
  for (const candidate of await listCandidates(deps)) {
    for (const day of await listDaysDue(deps.purchasing.db, candidate.account.accountId)) {
      const { problem } = await compareOne(deps, candidate, day, false);
      if (problem !== null) break;
    }
  }
  return false;
}
