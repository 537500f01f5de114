import { AppError } from '../../../kit/app-error.ts';
import { type Actor, writeAudit } from '../../audit/audit.ts';
import type { Shop } from '../../shop.ts';
import { callbackContext, callbackUrl, openAccount } from '../merchant-accounts/account-secrets.ts';
import { findCurrentAccount, lockCompany, updateCallbackSecret } from '../merchant-accounts/provider-account.sql.ts';
import { accountProblemText } from '../providers/base/problems.ts';
import type { Provider } from '../providers/base/provider.ts';

export async function registerCallback(
  { db, seal, publicUrl, allowTestKeys }: Shop,
  actor: Actor,
  { provider, companyId }: { provider: Provider; companyId: string },
): Promise<void> {
  const current = await findCurrentAccount(db, companyId, provider.name);
  const opened = current && openAccount(seal, current);
  if (!current || !opened) throw new AppError('provider_not_connected');
  if (!publicUrl.startsWith('https://') && !allowTestKeys) throw new AppError('callback_not_public');
  const url = callbackUrl(publicUrl, provider.name, companyId);
  const registered = await provider.callbacks.register(opened, url);
  if ('problem' in registered) {
    const { problem } = registered;
    const code = problem === 'provider_account_not_active' ? 'provider_refused_setup' : problem;
    throw new AppError(code, { detail: accountProblemText(problem) });
  }
  const { secret } = registered;
  const { accountId } = current;
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
