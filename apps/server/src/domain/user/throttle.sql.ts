import { type Queryable, sql, type Tx } from '../../db/statement.ts';

export interface Tries {
  failures: number;
  sinceLastSeconds: number;
}

/** The row is made when there is none, so that two requests at once wait for each other. */
export const lockTries = (tx: Tx, key: string, forgetSeconds: number): Promise<Tries> =>
  tx.queryFirst(sql('throttle_lock')`
    insert into sign_in_failures (key, failures, last_at) values (${key}, 0, app_now())
    on conflict (key) do update set key = excluded.key
    returning case when last_at < app_now() - make_interval(secs => ${forgetSeconds}) then 0 else failures end as failures,
              extract(epoch from app_now() - last_at)::float8 as "sinceLastSeconds"`);

export const updateTries = (tx: Tx, key: string, failures: number): void =>
  tx.write(sql('throttle_update')`
    update sign_in_failures set failures = ${failures}, last_at = app_now() where key = ${key}`);

export const updateTriesReleased = (db: Queryable, key: string): Promise<void> =>
  db.execute(sql('throttle_update_released')`
    update sign_in_failures set failures = greatest(failures - 1, 0) where key = ${key}`);

export const deleteTries = (db: Queryable, key: string): Promise<void> =>
  db.execute(sql('throttle_delete')`delete from sign_in_failures where key = ${key}`);

/** A few at a time, with each try that is counted. */
export const deleteOldTries = (tx: Tx, forgetSeconds: number): void =>
  tx.write(sql('throttle_delete_old')`
    delete from sign_in_failures where key in (
      select key from sign_in_failures where last_at < app_now() - make_interval(secs => ${forgetSeconds})
      order by last_at limit 20 for update skip locked)`);
