import type { Queryable, Tx } from '../../db/db.ts';
import { sql } from '../../db/sql.ts';

export interface Behaviour {
  environmentId: string;
  /** Null: as long as the schedule of attempts lasts. */
  releaseGrantAfterSeconds: number | null;
  defaultPriceMinor: number | null;
  defaultCurrency: string | null;
}

export async function findBehaviour(db: Queryable, environmentId: string): Promise<Behaviour> {
  const [row] = await db.query<Behaviour>(sql('behaviour_find')`
    select id as "environmentId", release_grant_after_seconds as "releaseGrantAfterSeconds",
           default_price_minor as "defaultPriceMinor", default_currency as "defaultCurrency"
    from environments where id = ${environmentId}`);
  return row!;
}

export async function lockBehaviour(tx: Tx, environmentId: string): Promise<Behaviour> {
  const [row] = await tx.query<Behaviour>(sql('behaviour_lock')`
    select id as "environmentId", release_grant_after_seconds as "releaseGrantAfterSeconds",
           default_price_minor as "defaultPriceMinor", default_currency as "defaultCurrency"
    from environments where id = ${environmentId} for no key update`);
  return row!;
}

export function updateBehaviour(tx: Tx, behaviour: Behaviour): void {
  const { environmentId, releaseGrantAfterSeconds, defaultPriceMinor, defaultCurrency } = behaviour;
  tx.write(sql('behaviour_update')`
    update environments set release_grant_after_seconds = ${releaseGrantAfterSeconds},
      default_price_minor = ${defaultPriceMinor}, default_currency = ${defaultCurrency}
    where id = ${environmentId}`);
}
