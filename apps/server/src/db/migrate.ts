import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { setTimeout as pause } from 'node:timers/promises';
import type pg from 'pg';
import type { Queryable } from './db.ts';
import { connectOnce } from './sessions/connect-once.ts';
import { sqlStateOf } from './sessions/database-errors.ts';
import { sql } from './sql.ts';

const FOLDER = new URL('../../migrations/', import.meta.url);
const LOCK_ID = 4242_0001;
const FILE_NAME = /^(\d{4})_[a-z0-9-]+\.sql$/;

/** A session that waits for a lock of a table makes all later ones wait too, so a migration waits briefly and tries again. */
const LOCK_WAIT = '2s';
const LOCK_NOT_AVAILABLE = '55P03';
const LOCK_TRIES = 150;
const LOCK_PAUSE_MS = 1_000;

interface Migration {
  number: number;
  name: string;
  text: string;
  hash: string;
  /** Indexes are built beside running writes, which no transaction can do. */
  inTransaction: boolean;
  /** A program that knows migrations up to this one still runs afterwards. */
  oldestProgram: number;
}

interface Applied {
  number: number;
  name: string;
  hash: string;
  oldestProgram: number;
}

export class MigrationError extends Error {}

function parse(name: string, text: string): Migration {
  const number = Number(name.slice(0, 4));
  const oldest = /^-- oldest program: (\d{4})$/m.exec(text)?.[1];
  return {
    number,
    name,
    text,
    hash: createHash('sha256').update(text).digest('hex'),
    inTransaction: !/^-- runs outside a transaction$/m.test(text),
    oldestProgram: oldest === undefined ? number : Number(oldest),
  };
}

async function readMigrations(folder: URL): Promise<Migration[]> {
  const names = (await readdir(folder)).filter(name => FILE_NAME.test(name)).toSorted();
  return Promise.all(names.map(async name => parse(name, await readFile(new URL(name, folder), 'utf8'))));
}

/** What an older program does not know may be there, if the newer one said that the older can live with it. */
function checkApplied(applied: readonly Applied[], known: readonly Migration[]): void {
  const newestKnown = known.at(-1)?.number ?? 0;
  for (const row of applied) {
    const mine = known.find(migration => migration.number === row.number);
    if (!mine && row.oldestProgram > newestKnown) {
      throw new MigrationError(
        `The database has migration ${row.name}, which this version does not know. Start the newer version, or restore the backup that belongs to this one.`,
      );
    }
    if (mine && mine.hash !== row.hash) {
      throw new MigrationError(
        `Migration ${mine.name} was changed after it had been applied. Restore the original file.`,
      );
    }
  }
}

const missingOf = (applied: readonly Applied[], known: readonly Migration[]): Migration[] =>
  known.filter(migration => !applied.some(row => row.number === migration.number));

const note = (client: pg.Client, { number, name, hash, oldestProgram }: Migration): Promise<unknown> =>
  client.query('insert into migrations (number, name, hash, oldest_program) values ($1, $2, $3, $4)', [
    number,
    name,
    hash,
    oldestProgram,
  ]);

async function applyWhole(client: pg.Client, migration: Migration): Promise<void> {
  await client.query('begin');
  try {
    await client.query(migration.text);
    await note(client, migration);
    await client.query('commit');
  } catch (error) {
    await client.query('rollback');
    throw error;
  }
}

/** One statement after the other; each must be one that can be given again after it failed half-way. */
async function applyInSteps(client: pg.Client, migration: Migration): Promise<void> {
  for (const statement of migration.text.split(/;\s*$/m)) {
    if (statement.replaceAll(/^--.*$/gm, '').trim() !== '') await client.query(statement);
  }
  await note(client, migration);
}

async function applyOne(client: pg.Client, migration: Migration, lockPauseMs: number): Promise<void> {
  const apply = migration.inTransaction ? applyWhole : applyInSteps;
  for (let tries = 1; ; tries++) {
    try {
      return await apply(client, migration);
    } catch (error) {
      if (sqlStateOf(error) === LOCK_NOT_AVAILABLE && tries < LOCK_TRIES) {
        await pause(lockPauseMs);
        continue;
      }
      const left = migration.inTransaction ? 'was rolled back whole' : 'can be run again';
      throw new MigrationError(`Migration ${migration.name} failed and ${left}: ${(error as Error).message}`, {
        cause: error,
      });
    }
  }
}

const readApplied = async (client: pg.Client): Promise<Applied[]> =>
  (
    await client.query<Applied>(
      'select number, name, hash, oldest_program as "oldestProgram" from migrations order by number',
    )
  ).rows;

/** Applies what is missing, one migrator at a time. Returns the names it applied. */
export async function migrate(
  url: string,
  folder: URL = FOLDER,
  lockPauseMs = LOCK_PAUSE_MS,
  /** The last one that is wanted: a backup is restored into the schema of its day. */
  upTo = Number.POSITIVE_INFINITY,
): Promise<string[]> {
  const known = await readMigrations(folder);
  const client = await connectOnce(url, 'coinslot-migrate');
  try {
    await client.query('select pg_advisory_lock($1)', [LOCK_ID]);
    await client.query(`set lock_timeout = '${LOCK_WAIT}'`);
    await client.query(`create table if not exists migrations (
      number int primary key, name text not null, hash text not null, oldest_program int not null,
      applied_at timestamptz not null default now())`);
    const applied = await readApplied(client);
    checkApplied(applied, known);
    const missing = missingOf(applied, known).filter(({ number }) => number <= upTo);
    for (const migration of missing) await applyOne(client, migration, lockPauseMs);
    return missing.map(migration => migration.name);
  } finally {
    await client.end();
  }
}

/** For readiness: whether this program can run on the schema as it is now, as a sentence; null: it can. */
export function createSchemaCheck(db: Queryable, folder: URL = FOLDER): () => Promise<string | null> {
  let files: Promise<Migration[]> | undefined;
  return async () => {
    files ??= readMigrations(folder);
    const known = await files;
    const applied = await db.query<Applied>(sql('schema_list_applied')`
      select number, name, hash, oldest_program as "oldestProgram" from migrations order by number`);
    try {
      checkApplied(applied, known);
    } catch (error) {
      return `the schema is not this program's: ${(error as Error).message}`;
    }
    const [missing] = missingOf(applied, known);
    return missing ? `the schema lacks migration ${missing.name}; run "npm run migrate"` : null;
  };
}

/** For a start with `MIGRATE=off`: throws when this program cannot run on the schema as it is. */
export async function checkSchema(url: string, folder: URL = FOLDER): Promise<void> {
  const known = await readMigrations(folder);
  const client = await connectOnce(url, 'coinslot-migrate');
  try {
    const { rows } = await client.query<{ exists: boolean }>(`select to_regclass('migrations') is not null as exists`);
    const applied = rows[0]!.exists ? await readApplied(client) : [];
    checkApplied(applied, known);
    const [missing] = missingOf(applied, known);
    if (missing) {
      throw new MigrationError(
        `The database has no migration ${missing.name} yet, and MIGRATE=off. Run "coinslot migrate" (npm run migrate) first.`,
      );
    }
  } finally {
    await client.end();
  }
}
