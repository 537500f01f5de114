import type { Queryable, Tx } from '../../../db/db.ts';
import { sql } from '../../../db/sql.ts';

/** Only what people have switched; a method without a row is as the table says. */
export const listMethodSwitches = (db: Queryable, companyId: string): Promise<{ method: string; enabled: boolean }[]> =>
  db.query(sql('method_switch_list')`
    select method, enabled from company_payment_methods where company_id = ${companyId}`);

export const insertMethodSwitch = (tx: Tx, companyId: string, method: string, enabled: boolean): void =>
  tx.write(sql('method_switch_insert')`
    insert into company_payment_methods (company_id, method, enabled, changed_at)
    values (${companyId}, ${method}, ${enabled}, app_now())
    on conflict (company_id, method) do update set enabled = excluded.enabled, changed_at = excluded.changed_at`);
