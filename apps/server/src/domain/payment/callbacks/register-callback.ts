import { AppError } from '../../../kit/app-error.ts';
import { type Actor, writeAudit } from '../../audit/audit.ts';
import { lockCompany } from '../../company/member.sql.ts';
import type { Shop } from '../../shop.ts';
import { callbackContext, callbackUrl, openAccount } from '../merchant-accounts/account-secrets.ts';
import { type ProviderAccount, updateCallbackSecret } from '../merchant-accounts/provider-account.sql.ts';
import { accountError } from '../providers/base/problems.ts';
import type { Provider } from '../providers/base/provider.ts';

export async function registerCallback(
  { db, seal, publicUrl, allowTestKeys }: Shop,
  actor: Actor,
  { provider, account }: { provider: Provider; account: ProviderAccount | null },
): Promise<void> {
  const opened = account && openAccount(seal, account);
  if (!account || !opened) throw new AppError('provider_not_connected');
  const { companyId, accountId } = account;
  if (!publicUrl.startsWith('https://') && !allowTestKeys) throw new AppError('callback_not_public');
  const { registration } = provider.callbacks;
  // The address goes with each payment.
  if (!registration) return;
  const url = callbackUrl(publicUrl, provider.name, account);
  const registered = await registration.register(opened, url);
  if ('problem' in registered) throw accountError(registered);
  const { secret } = registered;
  await db.transaction(async tx => {
    await lockCompany(tx, companyId);
    await updateCallbackSecret(tx, companyId, accountId, seal.seal(secret, callbackContext(companyId, accountId)));
    writeAudit(tx, actor, {
      companyId,
      kind: 'provider.callback_registered',
      objectId: accountId,
      after: { url },
    });
  });
}
