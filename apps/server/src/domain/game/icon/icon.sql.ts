import type { Queryable, Tx } from '../../../db/db.ts';
import { sql } from '../../../db/sql.ts';

export const findIcon = (db: Queryable, id: string): Promise<Buffer | null> =>
  db.queryValue(sql('icon_find')`select png from game_icons where id = ${id}`);

/** A game has one icon; the next replaces it. */
export const saveIcon = (tx: Tx, { gameId, id, png }: { gameId: string; id: string; png: Buffer }): void =>
  tx.write(sql('icon_save')`
    insert into game_icons (game_id, id, png, created_at) values (${gameId}, ${id}, ${png}, app_now())
    on conflict (game_id) do update set id = excluded.id, png = excluded.png, created_at = excluded.created_at`);

export const deleteIcon = (tx: Tx, gameId: string): void =>
  tx.write(sql('icon_delete')`delete from game_icons where game_id = ${gameId}`);
