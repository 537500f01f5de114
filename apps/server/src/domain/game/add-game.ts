import { orConflict } from '../../db/db.ts';
import { assertCapacity } from '../../http/limits/budgets.ts';
import { AppError, foundOr } from '../../kit/app-error.ts';
import { type Actor, writeAudit } from '../audit/audit.ts';
import { lockCompany } from '../company/member.sql.ts';
import type { Shop } from '../shop.ts';
import { nameIssue } from '../user/field-issues.ts';
import { type CompanyGame, countGamesAndKeys, lockCompanyGame, updateGameLink } from './game.sql.ts';
import { openGame } from './open-game.ts';
import { checkLink, readLink } from './registration.ts';
import type { StoreLink } from './stores/store-link.ts';

interface AddedGame {
  gameId: string;
  name: string;
  storeLink: StoreLink;
}

/** Refuses in the same words as registration. */
function check(gameUrl: string, gameName: string): { name: string; storeLink: StoreLink } {
  const read = readLink(gameUrl);
  const name = gameName || ('link' in read ? (read.link.gameName ?? '') : '');
  // Only a link that can be read says whether it names the game.
  const issue = name !== '' || 'link' in read ? nameIssue(name, '/game_name') : null;
  const issues = ['issue' in read ? read.issue : null, issue].filter(one => one !== null);
  if (issues.length > 0 || 'issue' in read) throw new AppError('validation_failed', { issues });
  return { name, storeLink: read.link };
}

export async function addGame(
  { db, seal, budgets }: Shop,
  actor: Actor,
  companyId: string,
  form: { gameUrl: string; gameName?: string | undefined },
): Promise<AddedGame> {
  const { name, storeLink } = check(form.gameUrl, form.gameName?.trim() ?? '');
  const added = db.transaction(async tx => {
    await lockCompany(tx, companyId);
    const { games, keys } = await countGamesAndKeys(tx, companyId);
    assertCapacity('games', games, budgets.limits.games);
    assertCapacity('keys', keys, budgets.limits.keys);
    const { gameId } = await openGame(tx, seal, { companyId, name, storeLink });
    const after = { name, store_url: storeLink.url };
    writeAudit(tx, actor, { companyId, kind: 'game.added', objectId: gameId, after });
    return { gameId, name, storeLink };
  });
  return added.catch(orConflict('games_once', 'game_exists'));
}

/** A game that moved to another store, or was registered with the wrong page, keeps its orders and keys. */
export async function changeGameLink(
  { db }: Shop,
  actor: Actor,
  companyId: string,
  { gameId, gameUrl }: { gameId: string; gameUrl: string },
): Promise<CompanyGame> {
  const link = checkLink(gameUrl);
  const moved = db.transaction(async tx => {
    const game = await foundOr('game_not_found', lockCompanyGame(tx, companyId, gameId));
    await updateGameLink(tx, companyId, gameId, link);
    const [before, after] = [{ store_url: game.storeUrl }, { store_url: link.url }];
    writeAudit(tx, actor, { companyId, kind: 'game.link_changed', objectId: gameId, before, after });
    return { ...game, store: link.store, storeUrl: link.url };
  });
  return moved.catch(orConflict('games_once', 'game_exists'));
}
