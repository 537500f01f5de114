import type { Queryable, Tx } from '../../db/db.ts';
import { sql } from '../../db/sql.ts';
import type { Rates } from './rates.ts';

export const findRates = (db: Queryable, companyId: string): Promise<Rates | null> =>
  db.queryValue(sql('rates_find')`
    select report_rates as rates from companies where id = ${companyId}`);

export const lockRates = (tx: Tx, companyId: string): Promise<Rates | null> =>
  tx.queryValue(sql('rates_lock')`
    select report_rates as rates from companies where id = ${companyId} for no key update`);

export const updateRates = (tx: Tx, companyId: string, rates: Rates | null): void =>
  tx.write(sql('rates_update')`
    update companies set report_rates = ${rates && JSON.stringify(rates)}::json where id = ${companyId}`);
