import { AppError } from '../../kit/app-error.ts';
import type { Seal } from '../../kit/seal.ts';
import { type Actor, auditScope, writeAudit } from '../audit/audit.ts';
import type { Environment } from '../game/environment.ts';
import { orderIs } from '../order/order.ts';
import { queueForgetting } from '../payment/saved-methods/forget-method.ts';
import type { Shop } from '../shop.ts';
import { eraseFromArchives } from './erase-archives.ts';
import {
  deleteMailsOf,
  deletePlayerRows,
  findTraces,
  lockOrdersOfPlayer,
  type OrderOfPlayer,
  updateBooksErased,
  updateEventsErased,
} from './player-data.sql.ts';

export interface Erased {
  /** Stands in the books in place of the player. */
  digest: string;
  orders: number;
  archivedLines: number;
}

const DIGEST_CHARS = 26;

/** With the program's key, so that no list of known ids can be tried against it. */
const digestOf = (seal: Seal, environmentId: string, playerId: string): string =>
  `erased_${seal
    .mac(Buffer.from(`${environmentId} ${playerId}`), 'erased player')
    .toString('hex')
    .slice(0, DIGEST_CHARS)}`;

function refuseUnderWay(orders: readonly OrderOfPlayer[]): void {
  // Money or items are on their way, and need the player's name.
  const open = orders.find(({ status }) => orderIs(status, 'under_way'));
  if (!open) return;
  const detail = `Order ${open.id} is ${open.status}. A player can be erased when no money is on its way.`;
  throw new AppError('order_wrong_status', { detail });
}

/**
 * Names, addresses, mails and context of a player go; amounts, dates and ids stay for the books under a digest. The
 * archives come last: erased again after a crash, they are looked through again.
 */
export async function erasePlayer(
  { db, seal, archiveDir }: Pick<Shop, 'db' | 'seal' | 'archiveDir'>,
  actor: Actor | null,
  environment: Pick<Environment, 'id' | 'companyId'>,
  playerId: string,
): Promise<Erased> {
  const digest = digestOf(seal, environment.id, playerId);
  const { isKnown, ...traces } = await db.transaction(async tx => {
    const orders = await lockOrdersOfPlayer(tx, environment.id, playerId);
    refuseUnderWay(orders);
    const orderIds = orders.map(({ id }) => id);
    const found = await findTraces(tx, environment.id, playerId, orderIds);
    await queueForgetting(tx, seal, { environmentId: environment.id, playerId, digest });
    updateBooksErased(tx, environment.id, playerId, digest);
    updateEventsErased(tx, environment.id, digest, found);
    const wasThere = await deletePlayerRows(tx, environment.id, playerId, orderIds);
    deleteMailsOf(tx, environment.id, found);
    if (wasThere) writeAudit(tx, actor, { ...auditScope(environment), kind: 'player.erased', objectId: digest });
    return { ...found, isKnown: wasThere };
  });
  const subject = { environmentId: environment.id, playerId, digest, ...traces };
  const archivedLines = archiveDir ? await eraseFromArchives(archiveDir, subject) : 0;
  if (!isKnown && archivedLines === 0) throw new AppError('player_not_found');
  return { digest, orders: traces.orderIds.length, archivedLines };
}
