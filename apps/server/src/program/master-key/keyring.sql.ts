import { type Queryable, sql } from '../../db/statement.ts';

/** `next` is known and seals nothing yet. `previous` opens secrets that are not resealed yet. `retired` opens nothing. */
export type KeyState = 'current' | 'next' | 'previous' | 'retired';

export interface MasterKeyRow {
  keyId: Buffer;
  state: KeyState;
  checkSealed: Buffer;
  macRootSealed: Buffer;
  otherSealed: Buffer | null;
}

export const listMasterKeys = (db: Queryable): Promise<MasterKeyRow[]> =>
  db.query<MasterKeyRow>(sql('master_key_list')`
    select key_id as "keyId", state, check_sealed as "checkSealed", mac_root_sealed as "macRootSealed",
      other_sealed as "otherSealed"
    from master_keys order by created_at, key_id`);

/** Lets only one process change keys, or write the first one, at a time. */
export const lockMasterKeys = (db: Queryable): Promise<void> =>
  db.execute(sql('master_key_lock')`select pg_advisory_xact_lock(hashtextextended('coinslot master keys', 0))`);

export const insertMasterKey = (db: Queryable, row: MasterKeyRow): Promise<void> =>
  db.execute(sql('master_key_insert')`
    insert into master_keys (key_id, state, check_sealed, mac_root_sealed, other_sealed, created_at)
    values (${row.keyId}, ${row.state}, ${row.checkSealed}, ${row.macRootSealed}, ${row.otherSealed}, app_now())`);

export const updateMasterKey = (
  db: Queryable,
  { keyId, state, macRootSealed, otherSealed }: Omit<MasterKeyRow, 'checkSealed'>,
): Promise<void> =>
  db.execute(sql('master_key_update')`
    update master_keys set state = ${state}, mac_root_sealed = ${macRootSealed}, other_sealed = ${otherSealed}
    where key_id = ${keyId}`);
