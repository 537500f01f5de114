import type { EventSelector, ListenMode } from '@coinslot/contract';
import type { Db, Tx } from '../../../db/db.ts';
import { AppError } from '../../../kit/app-error.ts';
import { newId } from '../../../kit/ids.ts';
import type { Seal } from '../../../kit/seal.ts';
import type { LockedEnvironment } from '../../game/lock-environment.sql.ts';
import type { Shop } from '../../shop.ts';
import { updateHeldReleased } from '../delivery/order-queue.sql.ts';
import {
  deleteSubscription,
  lockEnvironmentSubscriptions,
  updateObserverDeliveriesCanceled,
} from '../endpoints/subscription.sql.ts';
import { takesItems, wholeEvents } from '../endpoints/subscription.ts';
import {
  deleteOldListenRequests,
  findItemEndpoint,
  type ItemEndpoint,
  insertListener,
  listLapsedListeners,
  listListeners,
} from './listener.sql.ts';
import { LISTEN_URL } from './relay.ts';

export interface OpenedListener {
  environmentId: string;
  id: string;
  events: EventSelector[];
  takesItems: boolean;
  /** Whose secret signs: that of the registered endpoint, else the S2S key. */
  signedAs: string | null;
  others: number;
}

const MAX_LISTENERS = 5;
/** A listener whose process is gone is forgotten after this. */
export const LISTENER_LEASE_SECONDS = 10;

/** Nothing is sent to a tail. It is on record because some events are written only while a developer follows them. */
const TAIL_URL = 'tail:';
const TAIL_EVENTS: EventSelector[] = ['order.created'];

/** Sealed again, because a secret can be opened only under the name it was sealed for. */
function borrowSecrets(seal: Seal, from: ItemEndpoint | null, id: string) {
  const reseal = (sealed: Buffer | null): Buffer | null => sealed && from && seal.seal(seal.open(sealed, from.id), id);
  return {
    secretSealed: reseal(from?.secretSealed ?? null),
    previousSecretSealed: reseal(from?.previousSecretSealed ?? null),
  };
}

async function insert(
  tx: Tx,
  seal: Seal,
  environment: LockedEnvironment<'writer'>,
  mode: ListenMode,
  events: EventSelector[],
): Promise<{ id: string; signedAs: string | null }> {
  const id = newId('whk');
  const endpoint = mode === 'forward' ? await findItemEndpoint(tx, environment.id) : null;
  const secrets = borrowSecrets(seal, endpoint, id);
  await insertListener(tx, environment, {
    id,
    url: mode === 'forward' ? `${LISTEN_URL}${id}` : TAIL_URL,
    description: 'coinslot listen',
    events: mode === 'forward' ? events : TAIL_EVENTS,
    playerContextEnabled: endpoint?.playerContextEnabled ?? false,
    ...secrets,
    leaseSeconds: LISTENER_LEASE_SECONDS,
  });
  return { id, signedAs: secrets.secretSealed && endpoint ? endpoint.id : null };
}

/** A developer's computer becomes an endpoint of the sandbox, before the registered one, for as long as it is connected. */
export function openListener(
  { db, seal, signals }: Pick<Shop, 'db' | 'seal' | 'signals'>,
  environmentId: string,
  mode: ListenMode,
  chosen: EventSelector[],
): Promise<OpenedListener> {
  const events = mode === 'forward' ? wholeEvents(chosen) : chosen;
  return db.transaction(async tx => {
    const { environment } = await lockEnvironmentSubscriptions(tx, environmentId);
    const connected = await listListeners(tx, environmentId);
    if (connected.length >= MAX_LISTENERS) throw new AppError('too_many_listeners');
    const { id, signedAs } = await insert(tx, seal, environment, mode, events);
    const isItemEndpoint = mode === 'forward' && takesItems(events);
    if (isItemEndpoint) await updateHeldReleased(tx, environment, id, true);
    tx.afterCommit(() => signals.announce('deliveries'));
    return { environmentId, id, events, takesItems: isItemEndpoint, signedAs, others: connected.length };
  });
}

/** A listener's open observer deliveries end with it; its items go to the registered endpoint, or wait for one. */
export function closeListener(db: Db, environmentId: string, id: string): Promise<void> {
  return db.transaction(async tx => {
    const { environment } = await lockEnvironmentSubscriptions(tx, environmentId);
    if (await deleteSubscription(tx, environment, id)) await updateObserverDeliveriesCanceled(tx, environment, id);
  });
}

const BATCH = 50;

/** Listeners whose process died without a word. */
export async function forgetListeners(db: Db): Promise<boolean> {
  const lapsed = await listLapsedListeners(db, BATCH);
  for (const { environmentId, id } of lapsed) await closeListener(db, environmentId, id);
  await deleteOldListenRequests(db);
  return lapsed.length === BATCH;
}
