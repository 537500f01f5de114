import type { PaymentShop } from '../payment-shop.ts';
import { findChecks, type KeptChecks } from '../provider-health/provider-check.sql.ts';
import type { OpenedAccount } from '../providers/base/provider.ts';
import { callbackUrl } from './account-secrets.ts';
import type { ConnectedProvider } from './merchant-accounts.ts';
import { listCurrentAccounts, type ProviderAccount } from './provider-account.sql.ts';

interface ReadAccount {
  checks: KeptChecks | null;
  /** Since when the account has given no answer. */
  silentSince: Date | null;
  /** Where the provider sends its news. */
  callbackUrl: string;
}

/** One that takes a company's payments: its own before one that the operator gives it. */
export type Connected =
  | ({ source: 'dashboard'; account: ProviderAccount } & ReadAccount)
  | ({ source: 'settings'; account: OpenedAccount } & ReadAccount)
  | { source: 'simulator' };

/** In the order in which they are asked. */
export async function readProvider(
  { db, publicUrl, isSimulated, merchantAccounts }: PaymentShop,
  { provider: { name }, fromSettings, isOfSettings }: ConnectedProvider,
  companyId: string,
): Promise<Connected[]> {
  if (isSimulated) return [{ source: 'simulator' }];
  const read = async (accountId: string, isOwn: boolean): Promise<ReadAccount> => ({
    checks: await findChecks(db, companyId, { provider: name, accountId }),
    silentSince: await merchantAccounts.silences.silentSince(name, accountId),
    callbackUrl: callbackUrl(publicUrl, name, isOwn ? { companyId, accountId } : null),
  });
  const own = await listCurrentAccounts(db, companyId, name);
  if (own.length === 0 && fromSettings && (await isOfSettings(companyId)))
    return [{ source: 'settings', account: fromSettings, ...(await read(fromSettings.accountId, false)) }];
  return Promise.all(
    own.map(async account => ({ source: 'dashboard' as const, account, ...(await read(account.accountId, true)) })),
  );
}
