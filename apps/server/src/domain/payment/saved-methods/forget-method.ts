import type { Tx } from '../../../db/db.ts';
import type { Signals } from '../../../db/signals.ts';
import { insertJob, type Job } from '../../../jobs/jobs.sql.ts';
import type { Seal } from '../../../kit/seal.ts';
import type { PaymentShop } from '../payment-shop.ts';
import { deleteCustomer, listCustomers } from '../providers/base/provider-customer.sql.ts';
import { deleteSavedMethod, findSavedMethod, lockSavedMethods, type SavedMethodRecord } from './saved-method.sql.ts';

/** The context binds the token to its row: sealed bytes moved to another player's row do not open. */
export const savedMethodContext = ({
  environmentId,
  playerId,
  id,
}: Record<'environmentId' | 'playerId' | 'id', string>) => `saved-method:${environmentId}:${playerId}:${id}`;

export const FORGET_METHOD_JOB = 'method.forget';

/** A week of tries: a provider that refuses for so long has the keys of this account no more. */
const MOST_TRIES = 200;

type Forgotten = Pick<SavedMethodRecord, 'environmentId' | 'playerId' | 'id' | 'gateway' | 'accountId' | 'tokenSealed'>;

/** What is not kept here any longer is removed at the provider too, as often as it takes. */
export function queueForget(tx: Tx, { environmentId, playerId, id, gateway, accountId, tokenSealed }: Forgotten): void {
  const payload = { playerId, id, gateway, accountId, tokenSealed: tokenSealed.toString('base64') };
  insertJob(tx, { name: FORGET_METHOD_JOB, environmentId, payload });
}

export async function forgetMethod(
  { seal, gateways }: Pick<PaymentShop, 'seal' | 'gateways'>,
  job: Job,
): Promise<void> {
  if (job.tries > MOST_TRIES) return;
  const environmentId = job.environmentId!;
  const { playerId, id, gateway, tokenSealed, accountId } = job.payload as Record<
    'playerId' | 'id' | 'gateway' | 'tokenSealed',
    string
  > & { accountId: string | null };
  const token = seal.open(Buffer.from(tokenSealed, 'base64'), savedMethodContext({ environmentId, playerId, id }));
  await gateways[gateway]?.forgetMethod?.({ environmentId, playerId, token, accountId });
}

export interface SavedMethodRef {
  environmentId: string;
  playerId: string;
  id: string;
}

/** A saved method with the provider's token in the clear; null if this player has no such method. */
export async function openSavedMethod(
  { db, seal }: Pick<PaymentShop, 'db' | 'seal'>,
  { environmentId, playerId, id }: SavedMethodRef,
): Promise<{ saved: SavedMethodRecord; token: string } | null> {
  const saved = await findSavedMethod(db, environmentId, playerId, id);
  return saved && { saved, token: seal.open(saved.tokenSealed, savedMethodContext(saved)) };
}

/** Gone here at once, whether or not the provider can be reached; a job removes it there, as often as it takes. */
export async function removeSavedMethod(
  shop: Pick<PaymentShop, 'db'> & { signals: Pick<Signals, 'announce'> },
  { environmentId, playerId, id }: SavedMethodRef,
): Promise<void> {
  await shop.db.transaction(async tx => {
    const saved = await findSavedMethod(tx, environmentId, playerId, id);
    if (!saved) return;
    await deleteSavedMethod(tx, environmentId, playerId, id);
    queueForget(tx, saved);
    tx.afterCommit(() => shop.signals.announce('jobs'));
  });
}

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
export async function forgetCustomer({ db, gateways }: PaymentShop, job: Job): Promise<void> {
  if (job.tries > MOST_TRIES) return;
  const environmentId = job.environmentId!;
  const { digest, accountId, customerId } = job.payload as Record<'digest' | 'accountId' | 'customerId', string>;
  for (const gateway of Object.values(gateways)) {
    if (!(await gateway.forgetPlayer?.({ environmentId, accountId, customerId }))) continue;
    await deleteCustomer(db, { environmentId, playerId: digest, accountId });
    return;
  }
}
