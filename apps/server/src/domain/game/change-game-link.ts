import { constraintOf } from '../../db/db.ts';
import { AppError } from '../../kit/app-error.ts';
import { type Actor, writeAudit } from '../audit/audit.ts';
import type { Shop } from '../shop.ts';
import { type CompanyGame, lockCompanyGame, updateGameLink } from './game.sql.ts';
import { checkLink } from './registration.ts';

/** A game that moved to another store, or was registered with the wrong page, keeps its orders and keys. */
export async function changeGameLink(
  { db }: Shop,
  actor: Actor,
  companyId: string,
  { gameId, gameUrl }: { gameId: string; gameUrl: string },
): Promise<CompanyGame> {
  const link = checkLink(gameUrl);
  return db
    .transaction(async tx => {
      const before = await lockCompanyGame(tx, companyId, gameId);
      if (!before) throw new AppError('game_not_found');
      await updateGameLink(tx, companyId, gameId, link);
      writeAudit(tx, actor, {
        companyId,
        kind: 'game.link_changed',
        objectId: gameId,
        before: { store_url: before.storeUrl },
        after: { store_url: link.url },
      });
      return { ...before, store: link.store, storeUrl: link.url };
    })
    .catch((error: unknown) => {
      throw constraintOf(error) === 'games_once' ? new AppError('game_exists', { cause: error }) : error;
    });
}
