import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type pg from 'pg';
import { from as copyFrom } from 'pg-copy-streams';
import { FROM_BEFORE, migrate } from '../../db/migrate.ts';
import { takeMigrationLock } from '../../db/schema/migration-lock.ts';
import { connectOnce } from '../../db/sessions/connect-once.ts';
import {
  BackupError,
  type BackupHeader,
  type BackupTrailer,
  parseHeader,
  parseLine,
  type TableHeader,
} from './backup-format.ts';
import { type BackupReader, openBackup } from './backup-reader.ts';
import { countUnbalanced, isUsed, listApplied, listTables } from './backup-tables.sql.ts';

export interface RestoreOptions {
  file: string;
  url: string;
  /** Throws when the secrets that were restored cannot be opened. */
  checkKeys: (client: pg.Client) => Promise<unknown>;
  log: (message: string) => void;
}

export interface Restored {
  header: BackupHeader;
  rows: number;
  orders: number;
}

const sumOf = (rows: Record<string, number>): number => Object.values(rows).reduce((total, n) => total + n, 0);

const isTable = (line: TableHeader | BackupTrailer): line is TableHeader => 'table' in line;

/** Reads a backup from its header to its checksum; `take` gets the rows of each table. */
async function readTables(
  reader: BackupReader,
  take: (table: TableHeader, rows: AsyncGenerator<Buffer>) => Promise<number | null>,
): Promise<BackupTrailer> {
  const counted = new Map<string, number | null>();
  for (;;) {
    const digest = reader.digest();
    const line = parseLine(await reader.line()) as TableHeader | BackupTrailer;
    if (!isTable(line)) {
      if (line.sha256 !== digest) throw new BackupError('The backup is damaged: its checksum does not fit.');
      for (const [table, rows] of Object.entries(line.rows)) {
        if (counted.get(table) !== null && counted.get(table) !== rows)
          throw new BackupError(`The backup says that ${table} has ${rows} rows, and ${counted.get(table)} were read.`);
      }
      return line;
    }
    counted.set(line.table, await take(line, reader.rows()));
  }
}

/** Reads a whole backup and changes nothing, to see whether it is intact and what is in it. */
export async function checkBackup(file: string): Promise<Restored> {
  const reader = openBackup(file);
  try {
    const header = parseHeader(await reader.line());
    const { rows } = await readTables(reader, async (_table, pieces) => {
      while (!(await pieces.next()).done);
      return null;
    });
    return { header, rows: sumOf(rows), orders: rows['public.orders'] ?? 0 };
  } finally {
    reader.close();
  }
}

export async function readHeader(file: string): Promise<BackupHeader> {
  const reader = openBackup(file);
  try {
    return parseHeader(await reader.line());
  } finally {
    reader.close();
  }
}

async function refuseUsed(client: pg.Client): Promise<void> {
  if (!(await isUsed(client))) return;
  throw new BackupError(
    'This database is in use already, and a restore overwrites nothing. Give an empty one: another DATA_DIR or DATABASE_URL.',
  );
}

async function withClient<T>(url: string, work: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = await connectOnce(url, 'coinslot-restore');
  try {
    return await work(client);
  } finally {
    // Without a commit PostgreSQL rolls everything back.
    await client.end().catch(() => {});
  }
}

async function emptyTables(client: pg.Client, { partitions }: BackupHeader): Promise<void> {
  const tables = await listTables(client);
  // The backup already holds what triggers would add. The ledger is checked at the end.
  for (const { table } of tables) await client.query(`alter table ${table} disable trigger user`);
  // From here on no other session writes; one that began before may have.
  await refuseUsed(client);
  await client.query(`truncate ${tables.map(({ table }) => table).join(', ')}`);
  for (const { parent, prefix, month } of partitions) {
    await client.query(`select make_partition($1, $2, to_date($3, 'YYYYMM')::timestamp at time zone 'utc')`, [
      parent,
      prefix,
      month,
    ]);
  }
}

async function fill(client: pg.Client, reader: BackupReader): Promise<BackupTrailer> {
  const known = new Set((await listTables(client)).map(({ table }) => table));
  return readTables(reader, async ({ table, columns }, rows) => {
    if (!known.has(table)) throw new BackupError(`The backup has a table ${table} that this version does not know.`);
    const copy = client.query(copyFrom(`copy ${table} (${columns.join(', ')}) from stdin`));
    await pipeline(Readable.from(rows, { objectMode: false }), copy);
    return copy.rowCount;
  });
}

async function finish(client: pg.Client, { sequences }: BackupTrailer): Promise<void> {
  for (const { name, lastValue, isCalled } of sequences)
    await client.query('select setval($1::regclass, $2::bigint, $3)', [name, lastValue, isCalled]);
  for (const { table } of await listTables(client)) await client.query(`alter table ${table} enable trigger user`);
  if ((await countUnbalanced(client)) > 0) throw new BackupError('The ledger in the backup does not sum to zero.');
}

function checkMigrations(header: BackupHeader, applied: { number: number; hash: string }[]): void {
  for (const { number, name, hash } of header.migrations) {
    if (applied.find(one => one.number === number)?.hash === hash) continue;
    if (number === 1) throw new BackupError(`This backup ${FROM_BEFORE}`);
    throw new BackupError(
      `The backup has migration ${name}, which this version does not have. Restore it with Coinslot ${header.programVersion}, then upgrade.`,
    );
  }
}

async function load(
  { checkKeys, log }: RestoreOptions,
  header: BackupHeader,
  reader: BackupReader,
  client: pg.Client,
): Promise<number[]> {
  // A program that starts meanwhile waits, and says for whom.
  await takeMigrationLock(client, { log });
  checkMigrations(header, await listApplied(client));
  await client.query('set statement_timeout = 0; set idle_in_transaction_session_timeout = 0; begin');
  await emptyTables(client, header);
  const trailer = await fill(client, reader);
  await finish(client, trailer);
  await checkKeys(client);
  await client.query('commit');
  await client.query('analyze');
  return [sumOf(trailer.rows), trailer.rows['public.orders'] ?? 0];
}

/** Puts a backup into an empty database: all of it, in one transaction, or nothing. */
export async function restoreBackup(options: RestoreOptions): Promise<Restored> {
  const reader = openBackup(options.file);
  try {
    const header = parseHeader(await reader.line());
    await withClient(options.url, refuseUsed);
    const upTo = header.migrations.at(-1)?.number ?? 0;
    await migrate(options.url, { upTo });
    const [rows = 0, orders = 0] = await withClient(options.url, client => load(options, header, reader, client));
    for (const name of await migrate(options.url, { log: options.log })) options.log(`migrated: ${name}`);
    return { header, rows, orders };
  } finally {
    reader.close();
  }
}
