import { AppError } from '../../../kit/app-error.ts';
import { type Actor, writeAudit } from '../../audit/audit.ts';
import type { Shop } from '../../shop.ts';
import { deleteChecks } from '../provider-health/provider-check.sql.ts';
import type { Provider } from '../providers/base/provider.ts';
import { findCurrentAccount, findOpenWork, lockCompany, updateAccountErased } from './provider-account.sql.ts';

/** Erases the keys. Payments that are under way need them, so that must be said twice. */
export async function disconnectProvider(
  { db }: Shop,
  actor: Actor,
  { provider, companyId, confirmed }: { provider: Provider; companyId: string; confirmed: boolean },
): Promise<void> {
  await db.transaction(async tx => {
    await lockCompany(tx, companyId);
    const current = await findCurrentAccount(tx, companyId, provider.name);
    if (!current) throw new AppError('provider_not_connected');
    const { accountId } = current;
    const open = await findOpenWork(tx, companyId, accountId);
    if (open > 0 && !confirmed) {
      throw new AppError('provider_in_use', { detail: `${open} payments of ${accountId} are not at their end.` });
    }
    await updateAccountErased(tx, companyId, accountId);
    await deleteChecks(tx, companyId, provider.name);
    writeAudit(tx, actor, {
      companyId,
      kind: 'provider.disconnected',
      objectId: accountId,
      before: { account_id: accountId, secret_key: `…${current.secretKeyLast4}` },
      after: { open_payments: open },
    });
  });
}
