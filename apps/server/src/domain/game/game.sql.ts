import { type Queryable, type RowOf, sql, type Tx, table, typed } from '../../db/statement.ts';
import type { Appearance } from './appearance.ts';
import type { StoreLink } from './stores/store-link.ts';
import type { Store } from './stores/stores.ts';

const GAMES = table('games', {
  id: 'text',
  companyId: 'text',
  name: 'text',
  store: typed<Store>('text'),
  storeAppId: 'text',
  storeUrl: 'text',
  iconUrl: 'text?',
  logoUrl: 'text?',
  accentColor: 'text?',
  createdAt: 'timestamptz',
});

const NEW = GAMES.pick('id, companyId, name, store, storeAppId, storeUrl');

type NewGame = Pick<RowOf<typeof GAMES>, 'id' | 'companyId' | 'name'> & { storeLink: StoreLink };

export const insertGame = (tx: Tx, { storeLink: { store, appId, url }, ...game }: NewGame): Promise<void> =>
  tx.execute(sql('game_insert')`
    insert into games (${NEW.names}, created_at)
    values (${NEW.values({ ...game, store, storeAppId: appId, storeUrl: url })}, app_now())`);

const LISTED = GAMES.pick('id, name, iconUrl, store, storeUrl, createdAt');

export type CompanyGame = RowOf<typeof LISTED>;

export const listCompanyGames = (db: Queryable, companyId: string): Promise<CompanyGame[]> =>
  db.query(sql('company_list_games')`
    select ${LISTED.columns} from games where company_id = ${companyId} order by id limit 1000`);

export const lockCompanyGame = (tx: Tx, companyId: string, gameId: string): Promise<CompanyGame | null> =>
  tx.queryOne(sql('company_lock_game')`
    select ${LISTED.columns} from games where company_id = ${companyId} and id = ${gameId} for update`);

export const updateGameLink = (tx: Tx, companyId: string, gameId: string, link: StoreLink): Promise<void> =>
  tx.execute(sql('company_update_game_link')`
    update games set store = ${link.store}, store_app_id = ${link.appId}, store_url = ${link.url}
    where company_id = ${companyId} and id = ${gameId}`);

export interface GameLine {
  gameId: string;
  name: string;
  company: string;
}

export const listGames = (db: Queryable): Promise<GameLine[]> =>
  db.query(sql('game_list')`
    select g.id as "gameId", g.name, c.name as company
    from games g
    join companies c on c.id = g.company_id
    order by g.id
    limit 1000`);

const LOOK = GAMES.pick('name, iconUrl, logoUrl, accentColor');

export const findAppearance = (db: Queryable, gameId: string): Promise<Appearance | null> =>
  db.queryOne(sql('appearance_find')`
    select id as "gameId", ${LOOK.columns} from games where id = ${gameId}`);

export async function lockAppearance(
  tx: Tx,
  gameId: string,
): Promise<{ companyId: string; appearance: Appearance } | null> {
  const [row] = await tx.query<Appearance & { companyId: string }>(sql('appearance_lock')`
    select company_id as "companyId", id as "gameId", ${LOOK.columns} from games where id = ${gameId} for no key update`);
  if (!row) return null;
  const { companyId, ...appearance } = row;
  return { companyId, appearance };
}

export const updateAppearance = (tx: Tx, appearance: Appearance): void =>
  tx.write(sql('appearance_update')`
    update games set ${LOOK.set(appearance)} where id = ${appearance.gameId}`);

export const findIcon = (db: Queryable, id: string): Promise<Buffer | null> =>
  db.queryValue(sql('icon_find')`select png from game_icons where id = ${id}`);

/** A game has one icon; the next replaces it. */
export const saveIcon = (tx: Tx, { gameId, id, png }: { gameId: string; id: string; png: Buffer }): void =>
  tx.write(sql('icon_save')`
    insert into game_icons (game_id, id, png, created_at) values (${gameId}, ${id}, ${png}, app_now())
    on conflict (game_id) do update set id = excluded.id, png = excluded.png, created_at = excluded.created_at`);

export const deleteIcon = (tx: Tx, gameId: string): void =>
  tx.write(sql('icon_delete')`delete from game_icons where game_id = ${gameId}`);

/** What of the company's budgets is used: its games, and the keys of them that are not revoked. */
export const countGamesAndKeys = (db: Queryable, companyId: string): Promise<{ games: number; keys: number }> =>
  db.queryFirst(sql('game_count_with_keys')`
    select count(distinct g.id)::int as games, count(k.id)::int as keys
    from games g
    join environments e on e.game_id = g.id
    left join s2s_keys k on k.environment_id = e.id and k.revoked_at is null
    where g.company_id = ${companyId}`);
