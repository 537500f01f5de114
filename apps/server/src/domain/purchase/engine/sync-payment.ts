import type { JobHandlers } from '../../../jobs/job-worker.ts';
import { findOrder } from '../../order/order.sql.ts';
import { PROVIDER_EVENT_JOB } from '../../payment/callbacks/accept-callback.ts';
import { findPayment } from '../../payment/payment.sql.ts';
import type { Payment } from '../../payment/payment.ts';
import { updatePaymentNextCheckAt } from '../../payment/payment-checks.sql.ts';
import type { ChargeStatus } from '../../payment/providers/base/charge-shape.ts';
import type { ChargeRef } from '../../payment/providers/base/gateway.ts';
import type { ChallengeAnswer } from '../../payment/providers/simulator/simulated-steps.ts';
import { nextAction } from '../table/purchase-rules.ts';
import { LEASE_SECONDS } from '../table/purchase-table.ts';
import { advanceFromAnswer, advanceFromRow } from './advance-purchase.ts';
import { UNFINISHED, voidOrRefund } from './ask-provider.ts';
import type { PurchaseShop } from './purchase.ts';

/** Its money is due back. A look alone would move the date of that, and news can come again and again. */
async function isReturnDue({ db }: PurchaseShop, payment: Payment): Promise<boolean> {
  const found = await findOrder(db, payment.environmentId, payment.orderId);
  return nextAction({ order: found!.order, payment }) === 'void_or_refund';
}

async function sync(shop: PurchaseShop, ref: ChargeRef, unwanted: readonly ChargeStatus[]): Promise<void> {
  const payment = await findPayment(shop.db, ref.environmentId, ref.paymentId);
  const gateway = payment && shop.gateways[payment.gateway];
  if (gateway && (await isReturnDue(shop, payment))) return advanceFromRow(shop, ref);
  if (gateway) await advanceFromAnswer(shop, payment, await voidOrRefund(gateway, ref, unwanted));
}

/**
 * The provider has news, or the player came back from it. What the news is, the provider is asked: so the order in which
 * callbacks, the browser and the workers come never matters, and a forged hint changes nothing.
 */
export const syncPayment = (shop: PurchaseShop, { environmentId, paymentId }: ChargeRef): Promise<void> =>
  sync(shop, { environmentId, paymentId }, []);

/**
 * The player wants to pay another way. What waits for them is ended at the provider first, so that it cannot succeed later;
 * if it has succeeded meanwhile, that is what is recorded.
 */
export const abandonPayment = (shop: PurchaseShop, ref: ChargeRef): Promise<void> => sync(shop, ref, UNFINISHED);

/** The player answered the bank's challenge, at the simulator as at a real bank. What came of it, the provider is asked. */
export async function answerChallenge(shop: PurchaseShop, payment: Payment, answer: ChallengeAnswer): Promise<void> {
  const ref = { environmentId: payment.environmentId, paymentId: payment.id };
  // From here on the outcome may exist without us: if this process does not come back, a worker asks soon.
  await updatePaymentNextCheckAt(shop.db, payment, LEASE_SECONDS);
  await shop.simulator.answerChallenge(ref, answer);
  await advanceFromRow(shop, ref);
}

export const providerEventJobs = (shop: PurchaseShop): JobHandlers => ({
  [PROVIDER_EVENT_JOB]: ({ environmentId, payload }) =>
    syncPayment(shop, { environmentId: environmentId!, paymentId: String(payload.paymentId) }),
});
