import { AppError } from '../../../kit/app-error.ts';
import { type Actor, writeAudit } from '../../audit/audit.ts';
import { lockCompany } from '../../company/member.sql.ts';
import type { Shop } from '../../shop.ts';
import { deleteChecks } from '../provider-health/provider-check.sql.ts';
import { type AccountNeed, findNeed } from './account-need.sql.ts';
import { findConnected, type WhichAccount } from './find-connected.ts';
import {
  listAllAccounts,
  listLeftAccounts,
  type ProviderAccount,
  updateAccountErased,
  updateAccountLeft,
} from './provider-account.sql.ts';

const isNeeded = ({ open, until }: AccountNeed): boolean => open > 0 || until !== null;

/** An account that takes no new payments, and what its keys are needed for. */
export interface LeftAccount extends AccountNeed {
  account: ProviderAccount;
  hasKeys: boolean;
}

/** Those whose keys are still here, and those whose keys were erased while payments needed them. */
export async function listLeft({ db }: Pick<Shop, 'db'>, companyId: string, provider: string): Promise<LeftAccount[]> {
  const left = await listLeftAccounts(db, companyId, provider);
  const known = await Promise.all(
    left.map(async account => ({
      account,
      hasKeys: account.secretKeySealed !== null,
      ...(await findNeed(db, account)),
    })),
  );
  return known.filter(({ hasKeys, open }) => hasKeys || open > 0);
}

/**
 * No new payment goes to the account from here on. Its keys stay, sealed, for the payments that it took: a reserved one must
 * be captured or released, a captured one may be refunded or disputed. They are erased when none needs them.
 */
export async function leaveProvider({ db }: Pick<Shop, 'db'>, actor: Actor, which: WhichAccount): Promise<void> {
  const { companyId } = which;
  await db.transaction(async tx => {
    await lockCompany(tx, companyId);
    const current = await findConnected(tx, which);
    if (!current) throw new AppError('provider_not_connected');
    const { accountId } = current;
    await updateAccountLeft(tx, companyId, accountId);
    await deleteChecks(tx, current);
    const need = await findNeed(tx, current);
    if (!isNeeded(need)) await updateAccountErased(tx, companyId, accountId);
    writeAudit(tx, actor, {
      companyId,
      kind: 'provider.disconnected',
      objectId: accountId,
      before: { account_id: accountId, secret_key: `…${current.secretKeyLast4}` },
      after: { open_payments: need.open, keys_erased: !isNeeded(need) },
    });
  });
}

/** Erases the keys of accounts that were left and that no payment needs any longer. */
export async function eraseUnneededKeys({ db }: Pick<Shop, 'db'>): Promise<boolean> {
  for (const account of await listAllAccounts(db)) {
    if (account.isCurrent || isNeeded(await findNeed(db, account))) continue;
    await db.transaction(tx => updateAccountErased(tx, account.companyId, account.accountId));
  }
  return false;
}
