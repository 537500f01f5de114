import type { ErasedPlayer } from '@coinslot/contract';
import type { Tx } from '../../db/db.ts';
import { lockPositions } from '../../db/read-numbered.sql.ts';
import { AppError } from '../../kit/app-error.ts';
import type { Seal } from '../../kit/seal.ts';
import { type Actor, auditScope, writeAudit } from '../audit/audit.ts';
import type { Environment } from '../game/environment.ts';
import { lockOrder, updateOrder } from '../order/order.sql.ts';
import { decideOrder, ERASED_PREFIX } from '../order/order.ts';
import { emitOrderEvent } from '../order/order-view.ts';
import { queueForgetting } from '../payment/saved-methods/forget-method.ts';
import type { Shop } from '../shop.ts';
import { bodiesOf } from '../webhook/sending/attempt-delivery.ts';
import { eraseFromArchives } from './erase-archives.ts';
import { refuseUnderWay } from './open-purchases.ts';
import {
  deleteMailsOf,
  deletePlayerRows,
  deleteSearchEntries,
  findTraces,
  lockOrdersOfPlayer,
  lockWaitingItems,
  type OrderOfPlayer,
  updateBodiesKept,
  updateBooksErased,
  updateEventsErased,
} from './player-data.sql.ts';

export interface Erased {
  /** Stands in the books in place of the player. */
  digest: string;
  orders: number;
  canceledOrders: number;
  /** Item deliveries that carry the player's id until the game has answered them. */
  waitingDeliveries: number;
  archivedLines: number;
}

export const erasedView = (erased: Erased): ErasedPlayer => ({
  digest: erased.digest,
  orders: erased.orders,
  canceled_orders: erased.canceledOrders,
  waiting_deliveries: erased.waitingDeliveries,
  archived_lines: erased.archivedLines,
});

/** They write down who bought, by what players are found, and to whom a receipt goes. */
const READERS_OF_PLAYERS = ['figures', 'orders', 'players', 'receipts'];
const DIGEST_CHARS = 26;

/** With the program's key, so that no list of known ids can be tried against it. */
const digestOf = (seal: Seal, environmentId: string, playerId: string): string =>
  `${ERASED_PREFIX}${seal
    .mac(Buffer.from(`${environmentId} ${playerId}`), 'erased player')
    .toString('hex')
    .slice(0, DIGEST_CHARS)}`;

type Tenant = Pick<Environment, 'id' | 'companyId'>;

/** An order that waits for its player would be granted to a digest. One whose time is over lapses by itself. */
async function cancelUnpaid(
  tx: Tx,
  actor: Actor | null,
  environment: Tenant,
  orders: readonly OrderOfPlayer[],
): Promise<number> {
  let canceled = 0;
  for (const { id } of orders.filter(({ status }) => status === 'created')) {
    const locked = (await lockOrder(tx, environment.id, id))!;
    const decision = decideOrder(locked.order, 'cancel', locked.now);
    if ('refused' in decision) continue;
    updateOrder(tx, locked, decision.order);
    emitOrderEvent(tx, decision.order, decision.event!);
    writeAudit(tx, actor, { ...auditScope(environment), kind: 'order.canceled', objectId: id });
    canceled++;
  }
  return canceled;
}

/** The bytes that the game was promised, with the player's id in them: kept until the game has answered. */
async function keepWaitingBodies(
  tx: Tx,
  environmentId: string,
  orderIds: string[],
  erase: () => void,
): Promise<number> {
  const waiting = await lockWaitingItems(tx, environmentId, orderIds);
  const bodies = await bodiesOf(tx, environmentId, waiting);
  erase();
  updateBodiesKept(tx, environmentId, bodies);
  return bodies.size;
}

/**
 * Names, addresses, mails and context of a player go; amounts, dates and ids stay for the books under a digest. The
 * archives come last: erased again after a crash, they are looked through again.
 */
export async function erasePlayer(
  { db, seal, archiveDir }: Pick<Shop, 'db' | 'seal' | 'archiveDir'>,
  actor: Actor | null,
  environment: Tenant,
  playerId: string,
): Promise<Erased> {
  const digest = digestOf(seal, environment.id, playerId);
  const { isKnown, canceledOrders, waitingDeliveries, ...traces } = await db.transaction(async tx => {
    const orders = await lockOrdersOfPlayer(tx, environment.id, playerId);
    const orderIds = orders.map(({ id }) => id);
    const found = await findTraces(tx, environment.id, playerId, orderIds);
    await refuseUnderWay(tx, environment.id, orders, found);
    const canceled = await cancelUnpaid(tx, actor, environment, orders);
    await queueForgetting(tx, seal, { environmentId: environment.id, playerId, digest });
    await lockPositions(tx, READERS_OF_PLAYERS);
    const waiting = await keepWaitingBodies(tx, environment.id, orderIds, () => {
      deleteSearchEntries(tx, environment.id, playerId);
      updateBooksErased(tx, environment.id, playerId, digest);
      updateEventsErased(tx, environment.id, digest, found);
    });
    const wasThere = await deletePlayerRows(tx, environment.id, playerId, orderIds);
    deleteMailsOf(tx, environment.id, found);
    if (wasThere) writeAudit(tx, actor, { ...auditScope(environment), kind: 'player.erased', objectId: digest });
    return { ...found, isKnown: wasThere, canceledOrders: canceled, waitingDeliveries: waiting };
  });
  const subject = { environmentId: environment.id, playerId, digest, ...traces };
  const archivedLines = archiveDir ? await eraseFromArchives(archiveDir, subject) : 0;
  if (!isKnown && archivedLines === 0) throw new AppError('player_not_found');
  return { digest, orders: traces.orderIds.length, canceledOrders, waitingDeliveries, archivedLines };
}
