import type { Queryable, Tx } from '../../db/db.ts';
import { sql } from '../../db/sql.ts';
import type { Rates } from './rates.ts';

export async function findRates(db: Queryable, companyId: string): Promise<Rates | null> {
  const [row] = await db.query<{ rates: Rates | null }>(sql('rates_find')`
    select report_rates as rates from companies where id = ${companyId}`);
  return row?.rates ?? null;
}

export async function lockRates(tx: Tx, companyId: string): Promise<Rates | null> {
  const [row] = await tx.query<{ rates: Rates | null }>(sql('rates_lock')`
    select report_rates as rates from companies where id = ${companyId} for no key update`);
  return row?.rates ?? null;
}

export function updateRates(tx: Tx, companyId: string, rates: Rates | null): void {
  tx.write(sql('rates_update')`
    update companies set report_rates = ${rates && JSON.stringify(rates)}::json where id = ${companyId}`);
}
