import { reasons } from '@coinslot/texts/reasons';
import type { Queryable } from '../../../db/db.ts';
import { invalidField } from '../../../kit/app-error.ts';
import { listCurrentAccounts, type ProviderAccount } from './provider-account.sql.ts';

/** Which connected account a member means. Without its id it is the only one. */
export interface WhichAccount {
  companyId: string;
  provider: string;
  accountId?: string | undefined;
}

/** Null: there is no such account, or it takes no payments. Throws where several are connected and none is named. */
export async function findConnected(
  db: Queryable,
  { companyId, provider, accountId }: WhichAccount,
): Promise<ProviderAccount | null> {
  const connected = await listCurrentAccounts(db, companyId, provider);
  if (accountId !== undefined) return connected.find(account => account.accountId === accountId) ?? null;
  if (connected.length > 1) throw invalidField('/account_id', 'required', reasons.text('en', 'choice.which_account'));
  return connected[0] ?? null;
}
