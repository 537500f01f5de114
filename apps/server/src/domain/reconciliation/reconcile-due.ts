import { openAccount } from '../payment/connections/account-secrets.ts';
import { listAllAccounts } from '../payment/connections/provider-account.sql.ts';
import type { OpenedAccount } from '../payment/gateways/provider.ts';
import { type ReconciliationDeps, reconcileDay } from './reconcile-day.ts';
import { findDayDue, type RunCounts } from './reconciliation.sql.ts';

export interface DueDeps extends ReconciliationDeps {
  /** Keys from the program's settings. */
  fromSettings: OpenedAccount | null;
}

/** Early in the morning, UTC: by then the provider has everything of the day before. */
const AFTER_HOUR = 2;

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

/** Every account, one after the other. One that cannot be asked does not keep the others from it. */
export async function reconcileAll(deps: DueDeps, day: string, again: boolean): Promise<ComparedAccount[]> {
  const compared: ComparedAccount[] = [];
  for (const { companyId, account } of await listCandidates(deps)) {
    const { accountId } = account;
    try {
      compared.push({ accountId, counts: await reconcileDay(deps, { companyId, account, day, again }), problem: null });
    } catch (error) {
      deps.fulfillment.background(Promise.reject(error), 'reconciliation');
      compared.push({ accountId, counts: null, problem: 'The provider could not be asked. Look at the log.' });
    }
  }
  return compared;
}

/** The day before, once, by whichever process is first. */
export async function reconcileDue(deps: DueDeps): Promise<boolean> {
  const day = await findDayDue(deps.fulfillment.db, AFTER_HOUR);
  if (day !== null) await reconcileAll(deps, day, false);
  return false;
}
