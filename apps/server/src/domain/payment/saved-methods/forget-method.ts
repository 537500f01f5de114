import type { Tx } from '../../../db/db.ts';
import { insertJob, type Job } from '../../../jobs/jobs.sql.ts';
import type { Seal } from '../../../kit/seal.ts';
import type { Gateway } from '../providers/base/gateway.ts';
import type { SavedMethodRecord } from './saved-method.sql.ts';

/** The context binds the token to its row: sealed bytes moved to another player's row do not open. */
export const savedMethodContext = ({
  environmentId,
  playerId,
  id,
}: Record<'environmentId' | 'playerId' | 'id', string>) => `saved-method:${environmentId}:${playerId}:${id}`;

export const FORGET_METHOD_JOB = 'method.forget';

/** A week of tries: a provider that refuses for so long has the keys of this account no more. */
export const MOST_TRIES = 200;

type Forgotten = Pick<SavedMethodRecord, 'environmentId' | 'playerId' | 'id' | 'gateway' | 'accountId' | 'tokenSealed'>;

/** What is not kept here any longer is removed at the provider too, as often as it takes. */
export function queueForget(tx: Tx, { environmentId, playerId, id, gateway, accountId, tokenSealed }: Forgotten): void {
  const payload = { playerId, id, gateway, accountId, tokenSealed: tokenSealed.toString('base64') };
  insertJob(tx, { name: FORGET_METHOD_JOB, environmentId, payload });
}

/** Removes at the provider what the player removed here. */
export async function forgetMethod(
  { seal, gateways }: { seal: Seal; gateways: Readonly<Record<string, Gateway>> },
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
