import type { Tx } from '../../db/db.ts';
import { insertJob } from '../../jobs/jobs.sql.ts';
import { LISTEN_URL } from './listen/relay.ts';
import { lockSubscription, updateSubscription } from './subscription.sql.ts';

/** The endpoint said 410 Gone: nothing more is sent there until somebody enables it again, and the members are told. */
export async function disableGone(tx: Tx, environmentId: string, subscriptionId: string): Promise<void> {
  const locked = await lockSubscription(tx, environmentId, subscriptionId);
  if (!locked?.subscription.enabled) return;
  await updateSubscription(tx, {
    ...locked.subscription,
    enabled: false,
    disabledReason: 'The endpoint answered 410 Gone.',
    updatedAt: locked.now,
  });
  // Whoever listens sees it on the own screen.
  if (locked.subscription.url.startsWith(LISTEN_URL)) return;
  insertJob(tx, { name: 'notice.send', environmentId, payload: { kind: 'webhook_disabled', subscriptionId } });
}
