import type { Tx } from '../../../db/db.ts';
import { insertJob, type Job } from '../../../jobs/jobs.sql.ts';
import type { Seal } from '../../../kit/seal.ts';
import { deleteCustomer, listCustomers } from '../providers/base/provider-charge.sql.ts';
import { MOST_TRIES, queueForget, savedMethodContext } from './forget-method.ts';
import type { SaveMethodDeps } from './save-method.ts';
import { lockSavedMethods } from './saved-method.sql.ts';

export const FORGET_CUSTOMER_JOB = 'customer.forget';

export interface ErasedName {
  environmentId: string;
  playerId: string;
  /** Stands in place of the player, also in these jobs. */
  digest: string;
}

/** What providers keep of a player goes with the player: jobs remove it there, as often as it takes. */
export async function queueForgetting(
  tx: Tx,
  seal: Seal,
  { environmentId, playerId, digest }: ErasedName,
): Promise<void> {
  for (const saved of await lockSavedMethods(tx, environmentId, playerId)) {
    const erased = { ...saved, playerId: digest };
    const token = seal.open(saved.tokenSealed, savedMethodContext(saved));
    queueForget(tx, { ...erased, tokenSealed: seal.seal(token, savedMethodContext(erased)) });
  }
  for (const { accountId, customerId } of await listCustomers(tx, environmentId, playerId))
    insertJob(tx, { name: FORGET_CUSTOMER_JOB, environmentId, payload: { digest, accountId, customerId } });
}

/** Removes the customer of an erased player at the provider. An answer that is not known throws, and the job comes again. */
export async function forgetCustomer({ db, gateways }: SaveMethodDeps, job: Job): Promise<void> {
  if (job.tries > MOST_TRIES) return;
  const environmentId = job.environmentId!;
  const { digest, accountId, customerId } = job.payload as Record<'digest' | 'accountId' | 'customerId', string>;
  for (const gateway of Object.values(gateways)) {
    if (!(await gateway.forgetPlayer?.({ environmentId, accountId, customerId }))) continue;
    await deleteCustomer(db, { environmentId, playerId: digest, accountId });
    return;
  }
}
