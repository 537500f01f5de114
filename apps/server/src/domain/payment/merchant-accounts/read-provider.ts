import type { PaymentShop } from '../payment-shop.ts';
import { findChecks, type KeptChecks } from '../provider-health/provider-check.sql.ts';
import type { OpenedAccount } from '../providers/base/provider.ts';
import { callbackUrl } from './account-secrets.ts';
import type { ConnectedProvider } from './merchant-accounts.ts';
import { findCurrentAccount, type ProviderAccount } from './provider-account.sql.ts';

/** Which account takes a company's payments: its own before one that the operator gives it. */
export type Connected =
  | { source: 'dashboard'; account: ProviderAccount; checks: KeptChecks | null }
  | { source: 'settings'; account: OpenedAccount; checks: KeptChecks | null }
  | { source: 'simulator' };

export interface ReadProvider {
  connected: Connected | null;
  /** Since when the account has given no answer. */
  silentSince: Date | null;
  /** Where the provider sends news for this company. */
  callbackUrl: string;
}

export async function readProvider(
  { db, publicUrl, isSimulated, merchantAccounts }: PaymentShop,
  { provider: { name }, fromSettings, isOfSettings }: ConnectedProvider,
  companyId: string,
): Promise<ReadProvider> {
  const own = await findCurrentAccount(db, companyId, name);
  const given = (await isOfSettings(companyId)) ? fromSettings : null;
  const account = own ?? given;
  const connected = async (): Promise<Connected | null> => {
    if (isSimulated) return { source: 'simulator' };
    const checks = account && (await findChecks(db, companyId, { provider: name, accountId: account.accountId }));
    if (own) return { source: 'dashboard', account: own, checks };
    return given && { source: 'settings', account: given, checks };
  };
  return {
    connected: await connected(),
    silentSince: account && (await merchantAccounts.silences.silentSince(name, account.accountId)),
    callbackUrl: callbackUrl(publicUrl, name, own === null && given !== null ? null : companyId),
  };
}
