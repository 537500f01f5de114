import type { Queryable, Tx } from '../../db/db.ts';
import { sql } from '../../db/sql.ts';
import { type LockedEnvironment, lockEnvironment } from './lock-environment.sql.ts';

export interface GrantRules {
  environmentId: string;
  /** Null: as long as the schedule of attempts lasts. */
  releaseGrantAfterSeconds: number | null;
  defaultPriceMinor: number | null;
  defaultCurrency: string | null;
}

export const findGrantRules = (db: Queryable, environmentId: string): Promise<GrantRules> =>
  db.queryFirst(sql('grant_rules_find')`
    select id as "environmentId", release_grant_after_seconds as "releaseGrantAfterSeconds",
           default_price_minor as "defaultPriceMinor", default_currency as "defaultCurrency"
    from environments where id = ${environmentId}`);

export async function lockGrantRules(
  tx: Tx,
  environmentId: string,
): Promise<{ locked: LockedEnvironment<'writer'>; rules: GrantRules }> {
  const locked = await lockEnvironment(tx, environmentId);
  return { locked, rules: await findGrantRules(tx, environmentId) };
}

export function updateGrantRules(tx: Tx, environment: LockedEnvironment<'writer'>, rules: GrantRules): void {
  const { releaseGrantAfterSeconds, defaultPriceMinor, defaultCurrency } = rules;
  tx.write(sql('grant_rules_update')`
    update environments set release_grant_after_seconds = ${releaseGrantAfterSeconds},
      default_price_minor = ${defaultPriceMinor}, default_currency = ${defaultCurrency}
    where id = ${environment.id}`);
}
