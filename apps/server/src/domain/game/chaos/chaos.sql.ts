import type { Queryable, Tx } from '../../../db/db.ts';
import { sql } from '../../../db/sql.ts';
import type { LockedEnvironment } from '../lock-environment.sql.ts';

export async function findChaos(db: Queryable, environmentId: string): Promise<boolean> {
  const [row] = await db.query<{ chaos: boolean }>(sql('chaos_find')`
    select chaos from environments where id = ${environmentId}`);
  return row?.chaos ?? false;
}

export const updateChaos = (tx: Tx, environment: LockedEnvironment<'writer'>, chaos: boolean): void =>
  tx.write(sql('chaos_update')`
    update environments set chaos = ${chaos} where id = ${environment.id}`);
