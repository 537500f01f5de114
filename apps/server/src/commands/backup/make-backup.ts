import { createHash } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { open, rename, rm, stat } from 'node:fs/promises';
import { dirname } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGzip } from 'node:zlib';
import pg from 'pg';
import { to as copyTo } from 'pg-copy-streams';
import { connectOnce } from '../../db/sessions/connect-once.ts';
import { BackupError, type BackupHeader, END_OF_ROWS, FORMAT, FORMAT_VERSION, lineOf } from './backup-format.ts';
import { listApplied, listPartitions, listSequences, listTables, noteBackup } from './backup-tables.sql.ts';

export interface BackupOptions {
  url: string;
  file: string;
  programVersion: string;
  /** Throws when the operator's master key would not open the copied secrets. Returns the names of the keys. */
  checkKeys: (client: pg.Client) => Promise<string[]>;
}

export interface BackupResult {
  rows: number;
  bytes: number;
  orders: number;
}

/** All tables are read as of one moment, however long it takes, and writers are not blocked. */
const BEGIN = `set statement_timeout = 0; set idle_in_transaction_session_timeout = 0;
  begin isolation level repeatable read read only`;

async function headerOf(client: pg.Client, { programVersion, checkKeys }: BackupOptions): Promise<BackupHeader> {
  const { rows } = await client.query<{ madeAt: Date; version: string }>(
    `select now() as "madeAt", current_setting('server_version') as version`,
  );
  return {
    format: FORMAT,
    formatVersion: FORMAT_VERSION,
    madeAt: rows[0]!.madeAt.toISOString(),
    programVersion,
    postgresVersion: rows[0]!.version,
    migrations: await listApplied(client),
    masterKeys: await checkKeys(client),
    partitions: await listPartitions(client),
  };
}

async function* piecesOf(
  client: pg.Client,
  header: BackupHeader,
  rows: Record<string, number>,
): AsyncGenerator<Buffer> {
  const hash = createHash('sha256');
  const hashed = (piece: Buffer): Buffer => {
    hash.update(piece);
    return piece;
  };
  yield hashed(lineOf(header));
  for (const { table, columns } of await listTables(client)) {
    yield hashed(lineOf({ table, columns }));
    const copy = client.query(copyTo(`copy (select ${columns.join(', ')} from ${table}) to stdout`));
    for await (const piece of copy) yield hashed(piece as Buffer);
    rows[table] = copy.rowCount;
    yield hashed(Buffer.from(END_OF_ROWS));
  }
  // Sequences advance outside transactions. Read last, they are not behind the rows above.
  const sequences = await listSequences(client);
  yield lineOf({ rows, sequences, sha256: hash.digest('hex') });
}

async function syncToDisk(path: string): Promise<void> {
  const handle = await open(path, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}

/** Copies every table as it is at one moment into one file, while programs write on. The file appears when it is whole. */
export async function makeBackup(options: BackupOptions): Promise<BackupResult> {
  const { url, file } = options;
  if (await stat(file).catch(() => undefined)) throw new BackupError(`${file} is there already. Name another file.`);
  const client = await connectOnce(url, 'coinslot-backup');
  const aside = `${file}.part`;
  const rows: Record<string, number> = {};
  try {
    await client.query(BEGIN);
    const pieces = Readable.from(piecesOf(client, await headerOf(client, options), rows), { objectMode: false });
    await pipeline(pieces, createGzip(), createWriteStream(aside, { mode: 0o600 }));
    await syncToDisk(aside);
    await rename(aside, file);
    if (process.platform !== 'win32') await syncToDisk(dirname(file));
    await noteBackup(client);
  } catch (error) {
    await rm(aside, { force: true });
    throw isFileProblem(error) ? new BackupError(`${file} cannot be written: ${error.message}`) : error;
  } finally {
    await client.end().catch(() => {});
  }
  const sum = Object.values(rows).reduce((total, n) => total + n, 0);
  return { rows: sum, bytes: (await stat(file)).size, orders: rows['public.orders'] ?? 0 };
}

const isFileProblem = (error: unknown): error is NodeJS.ErrnoException =>
  error instanceof Error && !(error instanceof pg.DatabaseError) && 'syscall' in error;
