import { attention as texts } from '@coinslot/texts/attention';
import { AppError } from '../../../kit/app-error.ts';
import { type Actor, writeAudit } from '../../audit/audit.ts';
import { listOpenPayments, type OpenPayment } from '../../payment/merchant-accounts/account-need.sql.ts';
import { findConnected, type WhichAccount } from '../../payment/merchant-accounts/find-connected.ts';
import { leaveProvider, listLeft } from '../../payment/merchant-accounts/leave-provider.ts';
import { type ProviderAccount, updateAccountErased } from '../../payment/merchant-accounts/provider-account.sql.ts';
import { paymentIs } from '../../payment/payment.ts';
import { advanceFromRow } from '../engine/advance-purchase.ts';
import type { PurchaseShop } from '../engine/purchase.ts';
import { abandonPayment } from '../engine/sync-payment.ts';
import { requestRefund } from '../refund/request-refund.ts';

const say = texts.in('en');

/** Each is a call or two to the provider, which the member waits for. */
const MOST_AT_ONCE = 100;

const REASON = say('disconnected');

/** Lets go of what the provider reserves. The game is asked no more for an order whose money goes back. */
async function release(shop: PurchaseShop, payment: OpenPayment): Promise<void> {
  const { environmentId, id: paymentId, orderId, status } = payment;
  const ref = { environmentId, paymentId };
  if (paymentIs(status, 'questioned')) return;
  if (paymentIs(status, 'undecided')) return abandonPayment(shop, ref);
  if (paymentIs(status, 'holds_money')) await requestRefund(shop, { environmentId, orderId, reason: REASON, by: null });
  await advanceFromRow(shop, ref);
}

async function removeAccount(shop: PurchaseShop, actor: Actor, account: ProviderAccount): Promise<void> {
  const { db, onError } = shop;
  const { companyId, accountId } = account;
  for (const payment of await listOpenPayments(db, account, MOST_AT_ONCE)) {
    // One that the provider does not let go does not keep the others from it.
    await release(shop, payment).catch((error: unknown) => onError(error, 'disconnecting a provider'));
  }
  const left = await listOpenPayments(db, account, MOST_AT_ONCE);
  if (left.length === MOST_AT_ONCE || left.some(({ isFresh, status }) => isFresh && !paymentIs(status, 'questioned'))) {
    throw new AppError('provider_in_use', {
      detail: `${left.length} payments of ${accountId} could not be released yet. Its keys stay. Try again in a minute.`,
    });
  }
  await db.transaction(async tx => {
    await updateAccountErased(tx, companyId, accountId);
    writeAudit(tx, actor, {
      companyId,
      kind: 'provider.keys_erased',
      objectId: accountId,
      before: { account_id: accountId, secret_key: `…${account.secretKeyLast4}` },
      after: { left_payments: left.map(({ id }) => id) },
    });
  });
}

/**
 * The keys go now, whatever needs them. What is reserved is released first, so that no item is granted whose money could
 * not be captured. What then is not at its end can only be brought there at the provider, and the list of providers says how
 * much that is.
 */
export async function removeProvider(shop: PurchaseShop, actor: Actor, which: WhichAccount): Promise<void> {
  const { companyId, provider, accountId } = which;
  const current = await findConnected(shop.db, which);
  if (current) await leaveProvider(shop, actor, which);
  const left = (await listLeft(shop, companyId, provider)).filter(
    ({ hasKeys, account }) => hasKeys && (accountId === undefined || account.accountId === accountId),
  );
  if (!current && left.length === 0) throw new AppError('provider_not_connected');
  for (const { account } of left) await removeAccount(shop, actor, account);
}
