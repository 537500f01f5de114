import type { PaymentStatus } from '@coinslot/contract';
import type { Db } from '../../../db/db.ts';
import type { Job } from '../../../jobs/jobs.sql.ts';
import { newId } from '../../../kit/ids.ts';
import type { Seal } from '../../../kit/seal.ts';
import type { Gateway } from '../gateways/gateway.ts';
import { findPayment } from '../payment.sql.ts';
import { queueForget, savedMethodContext } from './forget-method.ts';
import { insertSavedMethod, lockSameMethod } from './saved-method.sql.ts';

export interface SaveMethodDeps {
  db: Db;
  seal: Seal;
  gateways: Readonly<Record<string, Gateway>>;
}

/** Queued once, by the step that learns that the payment holds money. */
export const SAVE_METHOD_JOB = 'method.save';

/** A provider that still says no will not say yes: a method that is not saved costs the player a few digits. */
const MOST_TRIES = 6;

const PAID: readonly PaymentStatus[] = ['authorized', 'succeeded'];

/** Saves the method of a payment that holds money. */
export async function saveMethod({ db, seal, gateways }: SaveMethodDeps, job: Job): Promise<void> {
  const payment = await findPayment(db, job.environmentId!, String(job.payload.paymentId));
  if (!payment || job.tries > MOST_TRIES) return;
  const gateway = gateways[payment.gateway];
  if (!gateway || !payment.saveMethod || !PAID.includes(payment.status)) return;
  const { environmentId, playerId } = payment;
  const saved = await gateway.saveMethod({ environmentId, paymentId: payment.id, playerId });
  // Neither a card nor all that there is of the method: the player could not tell it from another.
  const isCard = saved.last4.length === 4 && saved.expiryYear > 0;
  if (!isCard && saved.brand !== payment.method) return;
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
    await insertSavedMethod(tx, record);
    // Else a copy would stay with the provider that no player could remove.
    if (before && seal.open(before.tokenSealed, savedMethodContext(before)) !== saved.token) queueForget(tx, before);
  });
}
