import type { Queryable, Tx } from '../../db/db.ts';
import { sql } from '../../db/sql.ts';
import type { Appearance } from './appearance.ts';

export const findAppearance = (db: Queryable, gameId: string): Promise<Appearance | null> =>
  db.queryOne(sql('appearance_find')`
    select id as "gameId", name, icon_url as "iconUrl", logo_url as "logoUrl", accent_color as "accentColor"
    from games where id = ${gameId}`);

export async function lockAppearance(
  tx: Tx,
  gameId: string,
): Promise<{ companyId: string; appearance: Appearance } | null> {
  const [row] = await tx.query<Appearance & { companyId: string }>(sql('appearance_lock')`
    select company_id as "companyId", id as "gameId", name, icon_url as "iconUrl", logo_url as "logoUrl", accent_color as "accentColor"
    from games where id = ${gameId} for no key update`);
  if (!row) return null;
  const { companyId, ...appearance } = row;
  return { companyId, appearance };
}

export const updateAppearance = (tx: Tx, { gameId, name, iconUrl, logoUrl, accentColor }: Appearance): void =>
  tx.write(sql('appearance_update')`
    update games set name = ${name}, icon_url = ${iconUrl}, logo_url = ${logoUrl}, accent_color = ${accentColor}
    where id = ${gameId}`);

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

export const findIcon = (db: Queryable, id: string): Promise<Buffer | null> =>
  db.queryValue(sql('icon_find')`select png from game_icons where id = ${id}`);

/** A game has one icon; the next replaces it. */
export const saveIcon = (tx: Tx, { gameId, id, png }: { gameId: string; id: string; png: Buffer }): void =>
  tx.write(sql('icon_save')`
    insert into game_icons (game_id, id, png, created_at) values (${gameId}, ${id}, ${png}, app_now())
    on conflict (game_id) do update set id = excluded.id, png = excluded.png, created_at = excluded.created_at`);

export const deleteIcon = (tx: Tx, gameId: string): void =>
  tx.write(sql('icon_delete')`delete from game_icons where game_id = ${gameId}`);
