import { openAccount } from '../payment/connections/account-secrets.ts';
import { listAllAccounts } from '../payment/connections/provider-account.sql.ts';
import type { OpenedAccount } from '../payment/gateways/provider.ts';
import { type ReconciliationDeps, reconcileDay } from './reconcile-day.ts';
import { listDaysDue, type RunCounts } from './reconciliation.sql.ts';

export interface DueDeps extends ReconciliationDeps {
  /** Keys from the program's settings. */
  fromSettings: OpenedAccount | null;
}

interface Candidate {
  companyId: string | null;
  account: OpenedAccount;
}

async function listCandidates({ fulfillment, fromSettings }: DueDeps): Promise<Candidate[]> {
  const rows = await listAllAccounts(fulfillment.db);
  const connected = rows.map(row => ({ companyId: row.companyId, account: openAccount(fulfillment.seal, row) }));
  return [...connected, { companyId: null, account: fromSettings }].filter(
    (candidate): candidate is Candidate => candidate.account !== null,
  );
}

export interface ComparedAccount {
  accountId: string;
  /** Null: another process is at it. */
  counts: RunCounts | null;
  problem: string | null;
}

async function compareOne(
  deps: DueDeps,
  { companyId, account }: Candidate,
  day: string,
  again: boolean,
): Promise<ComparedAccount> {
  const { accountId } = account;
  try {
    return { accountId, counts: await reconcileDay(deps, { companyId, account, day, again }), problem: null };
  } catch (error) {
    deps.fulfillment.background(Promise.reject(error), 'reconciliation');
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
    for (const day of await listDaysDue(deps.fulfillment.db, candidate.account.accountId)) {
      const { problem } = await compareOne(deps, candidate, day, false);
      if (problem !== null) break;
    }
  }
  return false;
}
