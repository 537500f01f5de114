import type { Queryable, Tx } from './db.ts';
import { type Fragment, fragment, type Statement, sql, words } from './sql.ts';

/** Rows that the database numbers when they are inserted, in one table or in several that share the numbers. */
export interface NumberedTable {
  tables: readonly string[];
  /** Finds the newest number, `seq`, of those rows that readers take. */
  newest: Statement;
}

/** Who reads a numbered table, by the name of its position. */
export interface NumberedReader {
  name: string;
  table: NumberedTable;
}

export interface Position {
  /** The reader has read everything up to this number. */
  seq: number;
  /** The last number of the rows that are read next. */
  nextSeq: number | null;
  /** The transactions that had written to the table, and were open, when `nextSeq` was noted. */
  waitsFor: string[];
}

export async function findNewestSeq(db: Queryable, { newest }: NumberedTable): Promise<number | null> {
  const row = await db.queryOne<{ seq: number }>(newest);
  return row?.seq ?? null;
}

/** In a statement of the caller's: the reader has something to read, or to look after. */
export const hasUnread = ({ name, table }: NumberedReader): Fragment => fragment`exists (
    select 1 from reader_positions p
    where p.name = ${words([name])} and (p.next_seq is not null or p.seq < (${{ sqlText: table.newest.text }})))`;

/** A transaction takes this lock before it draws a number and keeps it until its rows can be seen or never will be. */
export async function listWriters(db: Queryable, { tables }: NumberedTable): Promise<string[]> {
  const rows = await db.query<{ writer: string }>(sql('reader_list_writers')`
    select distinct virtualtransaction as writer from pg_locks
    where locktype = 'relation' and relation = any(${tables}::regclass[]) and mode = 'RowExclusiveLock' and granted
      and database = (select oid from pg_database where datname = current_database())
      and pid is distinct from pg_backend_pid()`);
  return rows.map(({ writer }) => writer);
}

/** Null: another worker is reading. */
export async function lockPosition(tx: Tx, { name }: NumberedReader): Promise<Position | null> {
  // Each statement must see what was committed before it, whatever the server's default is.
  tx.write(sql('reader_see_commits')`set transaction isolation level read committed`);
  const [row] = await tx.query<Position>(sql('reader_lock_position')`
    select seq, next_seq as "nextSeq", waits_for as "waitsFor" from reader_positions
    where name = ${name} for update skip locked`);
  return row ?? null;
}

/** Waits for these readers and keeps them from reading: what they have read before, they would write after. */
export const lockPositions = (tx: Tx, names: readonly string[]): Promise<void> =>
  tx.execute(sql('reader_lock_positions')`
    select 1 from reader_positions where name = any(${names}::text[]) order by name for update`);

export const findPosition = (db: Queryable, { name }: NumberedReader): Promise<Position> =>
  db.queryFirst(sql('reader_find_position')`
    select seq, next_seq as "nextSeq", waits_for as "waitsFor" from reader_positions where name = ${name}`);

export const updatePosition = (tx: Tx, { name }: NumberedReader, { seq, nextSeq, waitsFor }: Position): void =>
  tx.write(sql('reader_update_position')`
    update reader_positions set seq = ${seq}, next_seq = ${nextSeq}, waits_for = ${waitsFor} where name = ${name}`);
