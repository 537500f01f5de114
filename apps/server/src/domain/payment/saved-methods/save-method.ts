import type { Job } from '../../../jobs/jobs.sql.ts';
import { newId } from '../../../kit/ids.ts';
import { findPayment } from '../payment.sql.ts';
import { type Payment, paymentIs } from '../payment.ts';
import type { PaymentShop } from '../payment-shop.ts';
import { type Gateway, NothingKept, type SavedMethod } from '../providers/base/gateway.ts';
import {
  FORGET_CUSTOMER_JOB,
  FORGET_METHOD_JOB,
  forgetCustomer,
  forgetMethod,
  queueForget,
  savedMethodContext,
} from './forget-method.ts';
import { insertSavedMethod, lockSameMethod } from './saved-method.sql.ts';

/** Queued once, by the step that learns that the payment holds money. */
export const SAVE_METHOD_JOB = 'method.save';

/** A provider that still says no will not say yes: a method that is not saved costs the player a few digits. */
const MOST_TRIES = 6;

/** Neither a card nor all that there is of the method: the player could not tell it from another. */
const isTellable = ({ last4, expiryYear, brand }: SavedMethod, { method }: Payment): boolean =>
  (last4.length === 4 && expiryYear > 0) || brand === method;

async function findKept(
  gateway: Gateway,
  { environmentId, id: paymentId, playerId }: Payment,
): Promise<SavedMethod | null> {
  try {
    return await gateway.saveMethod({ environmentId, paymentId, playerId });
  } catch (error) {
    if (error instanceof NothingKept) return null;
    throw error;
  }
}

/**
 * Saves the method of a payment that holds money. The provider keeps it from the moment the player paid, so it is removed there
 * where the money has gone back by now, or where the player could not recognize it.
 */
export async function saveMethod({ db, seal, gateways }: PaymentShop, job: Job): Promise<void> {
  const payment = await findPayment(db, job.environmentId!, String(job.payload.paymentId));
  if (!payment || job.tries > MOST_TRIES) return;
  const gateway = gateways[payment.gateway];
  if (!gateway || !payment.saveMethod) return;
  const { environmentId, playerId } = payment;
  const saved = await findKept(gateway, payment);
  if (!saved) return;
  const id = newId('svm');
  const record = {
    environmentId,
    id,
    playerId,
    gateway: gateway.name,
    method: payment.method,
    tokenSealed: seal.seal(saved.token, savedMethodContext({ environmentId, playerId, id })),
    accountId: saved.accountId ?? null,
    brand: saved.brand,
    last4: saved.last4,
    expiryMonth: saved.expiryMonth,
    expiryYear: saved.expiryYear,
    email: payment.email,
  };
  await db.transaction(async tx => {
    const before = await lockSameMethod(tx, record);
    const isSame = before !== null && seal.open(before.tokenSealed, savedMethodContext(before)) === saved.token;
    const isKept = paymentIs(payment.status, 'holds_money') && isTellable(saved, payment);
    if (isKept) await insertSavedMethod(tx, record);
    // Else a copy would stay with the provider that no player could remove.
    const superfluous = isKept ? before : record;
    if (superfluous && !isSame) queueForget(tx, superfluous);
  });
}

export const paymentJobs = (shop: PaymentShop) => ({
  [SAVE_METHOD_JOB]: (job: Job): Promise<void> => saveMethod(shop, job),
  [FORGET_METHOD_JOB]: (job: Job): Promise<void> => forgetMethod(shop, job),
  [FORGET_CUSTOMER_JOB]: (job: Job): Promise<void> => forgetCustomer(shop, job),
});
