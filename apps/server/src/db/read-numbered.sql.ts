import type { Queryable, Tx } from './db.ts';
import { type Statement, sql } from './sql.ts';

/** Tables whose rows are numbered by the database when they are inserted. */
export type NumberedTable = 'events' | 'orders';

export type ReaderName = 'figures' | 'orders' | 'ledger';

export interface Position {
  /** Everything up to here is read. */
  seq: number;
  /** What is read next ends here. */
  nextSeq: number | null;
  /** The transactions that had written to the table, and were open, when `nextSeq` was noted. */
  waitsFor: string[];
}

// Order creations are the most events and no reader takes them, so the index of numbers leaves them out.
const NEWEST: Record<NumberedTable, Statement> = {
  events: sql('reader_find_newest_event')`
    select seq from events where type <> 'order.created' order by seq desc limit 1`,
  orders: sql('reader_find_newest_order')`select seq from orders order by seq desc limit 1`,
};

export async function findNewestSeq(db: Queryable, table: NumberedTable): Promise<number | null> {
  const [row] = await db.query<{ seq: number }>(NEWEST[table]);
  return row?.seq ?? null;
}

/** A transaction takes this lock before it draws a number and keeps it until its rows can be seen or never will be. */
export async function listWriters(db: Queryable, table: NumberedTable): Promise<string[]> {
  const rows = await db.query<{ writer: string }>(sql('reader_list_writers')`
    select distinct virtualtransaction as writer from pg_locks
    where locktype = 'relation' and relation = ${table}::regclass and mode = 'RowExclusiveLock' and granted
      and database = (select oid from pg_database where datname = current_database())
      and pid is distinct from pg_backend_pid()`);
  return rows.map(({ writer }) => writer);
}

/** Null: another worker is reading. */
export async function lockPosition(tx: Tx, reader: ReaderName): Promise<Position | null> {
  // Each statement must see what was committed before it, whatever the server's default is.
  tx.write(sql('reader_see_commits')`set transaction isolation level read committed`);
  const [row] = await tx.query<Position>(sql('reader_lock_position')`
    select seq, next_seq as "nextSeq", waits_for as "waitsFor" from reader_positions
    where name = ${reader} for update skip locked`);
  return row ?? null;
}

export async function findPosition(db: Queryable, reader: ReaderName): Promise<Position> {
  const [row] = await db.query<Position>(sql('reader_find_position')`
    select seq, next_seq as "nextSeq", waits_for as "waitsFor" from reader_positions where name = ${reader}`);
  return row!;
}

export function updatePosition(tx: Tx, reader: ReaderName, { seq, nextSeq, waitsFor }: Position): void {
  tx.write(sql('reader_update_position')`
    update reader_positions set seq = ${seq}, next_seq = ${nextSeq}, waits_for = ${waitsFor} where name = ${reader}`);
}
