import { reasons } from '@coinslot/texts/reasons';
import { openAccount } from '../payment/merchant-accounts/account-secrets.ts';
import { listAllAccounts } from '../payment/merchant-accounts/provider-account.sql.ts';
import type { OpenedAccount } from '../payment/providers/base/provider.ts';
import type { PurchaseShop } from '../purchase/engine/purchase.ts';
import type { ReconcileDay } from './compare-payment.ts';
import { reconcileDay } from './reconcile-day.ts';
import { listDaysDue, type RunCounts } from './reconciliation.sql.ts';

interface Candidate {
  companyId: string | null;
  account: OpenedAccount;
  provider: ReconcileDay['provider'];
}

async function listCandidates({ db, seal, merchantAccounts }: PurchaseShop): Promise<Candidate[]> {
  const rows = await listAllAccounts(db);
  return merchantAccounts.list.flatMap(({ provider, fromSettings }) => {
    const own = rows.filter(row => row.provider === provider.name);
    const connected = own.map(row => ({ companyId: row.companyId, account: openAccount(seal, row) }));
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
  shop: PurchaseShop,
  { companyId, account, provider }: Candidate,
  day: string,
  again: boolean,
): Promise<ComparedAccount> {
  const { accountId } = account;
  try {
    const counts = await reconcileDay(shop, { provider, companyId, account, day, again });
    return { accountId, counts, problem: null };
  } catch (error) {
    shop.background(Promise.reject(error), 'reconciliation');
    return { accountId, counts: null, problem: reasons.text('en', 'day.look_at_log') };
  }
}

/** Every account, one after the other. One that cannot be asked does not keep the others from it. */
export async function reconcileAll(shop: PurchaseShop, day: string, again: boolean): Promise<ComparedAccount[]> {
  const compared: ComparedAccount[] = [];
  for (const candidate of await listCandidates(shop)) compared.push(await compareOne(shop, candidate, day, again));
  return compared;
}

/** Of each account the days that are over and were not compared, once each, by whichever process is first. */
export async function reconcileDue(shop: PurchaseShop): Promise<boolean> {
  for (const candidate of await listCandidates(shop)) {
    for (const day of await listDaysDue(shop.db, candidate.account.accountId)) {
      const { problem } = await compareOne(shop, candidate, day, false);
      if (problem !== null) break;
    }
  }
  return false;
}
