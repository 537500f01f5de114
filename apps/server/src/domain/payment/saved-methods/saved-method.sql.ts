import { type Queryable, type RowOf, sql, type Tx, table } from '../../../db/statement.ts';

/** What a player of one game in one environment kept for the next order. The token stays sealed until it is used. */
const SAVED_METHODS = table('saved_methods', {
  environmentId: 'text',
  id: 'text',
  playerId: 'text',
  gateway: 'text',
  method: 'text',
  tokenSealed: 'bytea',
  /** Whose account at the provider holds it. */
  accountId: 'text?',
  brand: 'text',
  last4: 'text',
  expiryMonth: 'int',
  expiryYear: 'int',
  email: 'text?',
});

export type SavedMethodRecord = RowOf<typeof SAVED_METHODS>;

/** The same card kept again at the same account is the same entry, under the newer token and the id that it was sealed for. */
export const insertSavedMethod = (db: Queryable, it: SavedMethodRecord): Promise<void> =>
  db.execute(sql('saved_method_insert')`
    insert into saved_methods (${SAVED_METHODS.names}, created_at) values (${SAVED_METHODS.values(it)}, app_now())
    on conflict (player_id, environment_id, gateway, account_id, brand, last4, expiry_month, expiry_year)
      do update set token_sealed = excluded.token_sealed, id = excluded.id, email = excluded.email, method = excluded.method`);

/** The entry that the same method has already, locked. */
export const lockSameMethod = (tx: Tx, it: SavedMethodRecord): Promise<SavedMethodRecord | null> =>
  tx.queryOne(sql('saved_method_lock_same')`
    select ${SAVED_METHODS.columns} from saved_methods
    where player_id = ${it.playerId} and environment_id = ${it.environmentId} and gateway = ${it.gateway}
      and account_id is not distinct from ${it.accountId} and brand = ${it.brand} and last4 = ${it.last4} and expiry_month = ${it.expiryMonth} and expiry_year = ${it.expiryYear}
    for update`);

export const lockSavedMethods = (tx: Tx, environmentId: string, playerId: string): Promise<SavedMethodRecord[]> =>
  tx.query(sql('saved_method_lock_all')`
    select ${SAVED_METHODS.columns} from saved_methods where environment_id = ${environmentId} and player_id = ${playerId} order by id for update`);

/** The newest first; what has expired is not shown, nor what another account holds than those that take payments here. */
export const listSavedMethods = (
  db: Queryable,
  environmentId: string,
  playerId: string,
  { gateways, accounts }: { gateways: string[]; accounts: string[] },
): Promise<SavedMethodRecord[]> =>
  db.query(sql('saved_method_list')`
    select ${SAVED_METHODS.columns} from saved_methods
    where environment_id = ${environmentId} and player_id = ${playerId} and gateway = any(${gateways}::text[])
      and (account_id is null or account_id = any(${accounts}::text[]))
      and case when expiry_year = 0 then true
               else make_date(expiry_year, expiry_month, 1) + interval '1 month' > app_now() at time zone 'UTC' end
    order by created_at desc, id desc limit 5`);

export const findSavedMethod = (
  db: Queryable,
  environmentId: string,
  playerId: string,
  id: string,
): Promise<SavedMethodRecord | null> =>
  db.queryOne(sql('saved_method_find')`
    select ${SAVED_METHODS.columns} from saved_methods where environment_id = ${environmentId} and player_id = ${playerId} and id = ${id}`);

export const deleteSavedMethod = (db: Queryable, environmentId: string, playerId: string, id: string): Promise<void> =>
  db.execute(sql('saved_method_delete')`
    delete from saved_methods where environment_id = ${environmentId} and player_id = ${playerId} and id = ${id}`);
