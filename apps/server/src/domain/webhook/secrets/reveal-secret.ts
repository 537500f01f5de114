import type { Db } from '../../../db/db.ts';
import type { DbClock } from '../../../db/db-clock.ts';
import type { Seal } from '../../../kit/seal.ts';
import { type Actor, auditScope, writeAudit } from '../../audit/audit.ts';
import type { Environment } from '../../game/environment.ts';
import { readSubscription } from '../endpoints/manage-subscriptions.ts';
import { signingSecret } from './secrets.ts';

export interface RevealedSecret {
  secret: string;
  isDedicated: boolean;
  /** While it still signs beside the new one. */
  previous: { secret: string; until: Date } | null;
}

/** Shows what signs. The door has asked the member to prove to be more than an open session. */
export async function revealSecret(
  { db, seal, clock }: { db: Db; seal: Seal; clock: DbClock },
  actor: Actor,
  environment: Environment,
  webhookId: string,
): Promise<RevealedSecret> {
  const webhook = await readSubscription(db, environment.id, webhookId);
  const { secretSealed, previousSecretSealed: sealed, previousSecretUntil: until } = webhook;
  const overlaps = sealed !== null && until !== null && until.getTime() > clock.nowMs();
  return db.transaction(async tx => {
    writeAudit(tx, actor, { ...auditScope(environment), kind: 'webhook.secret_revealed', objectId: webhook.id });
    return {
      secret: await signingSecret(tx, seal, webhook),
      isDedicated: secretSealed !== null,
      previous: overlaps ? { secret: seal.open(sealed, webhook.id), until } : null,
    };
  });
}
