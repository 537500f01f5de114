import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { setTimeout as pause } from 'node:timers/promises';
import type pg from 'pg';
import type { Queryable } from './db.ts';
import { concurrentIndexOf, isIndexValid, listInvalidIndexes } from './schema/invalid-indexes.ts';
import { MigrationError } from './schema/migration-error.ts';
import { type LockWait, takeMigrationLock } from './schema/migration-lock.ts';
import { connectOnce } from './sessions/connect-once.ts';
import { refuseServer, type ServerFacts } from './sessions/connection-problem.ts';
import { sqlStateOf } from './sessions/database-errors.ts';
import { refuseTransactionPooler } from './sessions/transaction-pooler.ts';
import { sql } from './sql.ts';

export { MigrationError } from './schema/migration-error.ts';

const FOLDER = new URL('../../migrations/', import.meta.url);
const FILE_NAME = /^(\d{4})_[a-z0-9-]+\.sql$/;

/** A session that waits for a lock of a table makes all later ones wait too, so a migration waits briefly and tries again. */
const LOCK_WAIT = '2s';
/** Building an index beside running writes waits for every open transaction, and keeps no writer waiting meanwhile. */
const INDEX_WAIT = '10min';
/** Not given in time, or by another session that waits for what the migration holds: PostgreSQL ends one of the two. */
const LOCK_REFUSED: readonly (string | undefined)[] = ['55P03', '40P01'];
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

/** The schema before the first release changed from day to day, and there is no way from one of its days to another. */
export const FROM_BEFORE =
  'was made by a version from before 1.0.0-rc.1, which cannot be upgraded. Export what you need with that version (the CSV exports of its dashboard), and start this one with an empty database: another DATABASE_URL or DATA_DIR.';

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
    if (mine?.number === 1 && mine.hash !== row.hash) throw new MigrationError(`This database ${FROM_BEFORE}`);
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

/**
 * An index whose building failed stays behind and counts as existing, so it is dropped and built again; one that is not valid
 * afterwards does not count as built. One that is whole was built by a run that ended before it could write that down.
 */
async function buildIndex(client: pg.Client, statement: string, name: string): Promise<void> {
  await client.query(`set lock_timeout = '${INDEX_WAIT}'`);
  try {
    const before = await isIndexValid(client, name);
    if (before) return;
    if (before === false) await client.query(`drop index concurrently ${name}`);
    await client.query(statement);
    if (!(await isIndexValid(client, name))) throw new MigrationError(`the index ${name} was not built whole`);
  } finally {
    await client.query(`set lock_timeout = '${LOCK_WAIT}'`);
  }
}

/** One statement after the other; each must be one that can be given again after it failed half-way. */
async function applyInSteps(client: pg.Client, migration: Migration): Promise<void> {
  for (const statement of migration.text.split(/;\s*$/m)) {
    const words = statement.replaceAll(/^--.*$/gm, '').trim();
    const index = concurrentIndexOf(words);
    if (index !== null) await buildIndex(client, statement, index);
    else if (words !== '') await client.query(statement);
  }
  await note(client, migration);
}

async function applyOne(client: pg.Client, migration: Migration, lockPauseMs: number): Promise<void> {
  const apply = migration.inTransaction ? applyWhole : applyInSteps;
  for (let tries = 1; ; tries++) {
    try {
      return await apply(client, migration);
    } catch (error) {
      if (LOCK_REFUSED.includes(sqlStateOf(error)) && tries < LOCK_TRIES) {
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

async function readApplied(client: pg.Client): Promise<Applied[]> {
  const { rows: server } = await client.query<ServerFacts>(
    `select current_setting('server_version') as version, current_setting('server_version_num')::int as number,
       current_setting('server_encoding') as encoding, current_setting('transaction_read_only')::boolean as "isReadOnly"`,
  );
  refuseServer(server[0]!);
  const { rows: columns } = await client.query<{ name: string }>(
    `select attname as name from pg_attribute where attrelid = to_regclass('migrations') and attnum > 0 and not attisdropped`,
  );
  if (columns.length === 0) return [];
  if (!columns.some(({ name }) => name === 'oldest_program')) throw new MigrationError(`This database ${FROM_BEFORE}`);
  const { rows } = await client.query<Applied>(
    'select number, name, hash, oldest_program as "oldestProgram" from migrations order by number',
  );
  return rows;
}

export interface MigrateOptions extends LockWait {
  folder?: URL;
  lockPauseMs?: number;
  /** The last one that is wanted: a backup is restored into the schema of its day. */
  upTo?: number;
}

/** Applies what is missing, one migrator at a time. Returns the names it applied. */
export async function migrate(url: string, options: MigrateOptions = {}): Promise<string[]> {
  const { folder = FOLDER, lockPauseMs = LOCK_PAUSE_MS, upTo = Number.POSITIVE_INFINITY } = options;
  const known = await readMigrations(folder);
  await refuseTransactionPooler(url);
  const client = await connectOnce(url, 'coinslot-migrate');
  try {
    await takeMigrationLock(client, options);
    await client.query(`set lock_timeout = '${LOCK_WAIT}'`);
    const applied = await readApplied(client);
    checkApplied(applied, known);
    await client.query(`create table if not exists migrations (
      number int primary key, name text not null, hash text not null, oldest_program int not null,
      applied_at timestamptz not null default now())`);
    const missing = missingOf(applied, known).filter(({ number }) => number <= upTo);
    for (const migration of missing) await applyOne(client, migration, lockPauseMs);
    return missing.map(migration => migration.name);
  } finally {
    await client.end();
  }
}

const UNDEFINED_COLUMN = '42703';

/** For readiness: whether this program can run on the schema as it is now, as a sentence; null: it can. */
export function createSchemaCheck(db: Queryable, folder: URL = FOLDER): () => Promise<string | null> {
  let files: Promise<Migration[]> | undefined;
  return async () => {
    files ??= readMigrations(folder);
    const known = await files;
    const applied = await db
      .query<Applied>(sql('schema_list_applied')`
        select number, name, hash, oldest_program as "oldestProgram" from migrations order by number`)
      .catch((error: unknown) => {
        if (sqlStateOf(error) !== UNDEFINED_COLUMN) throw error;
        return null;
      });
    if (applied === null) return `this database ${FROM_BEFORE}`;
    try {
      checkApplied(applied, known);
    } catch (error) {
      return `the schema is not this program's: ${(error as Error).message}`;
    }
    const [missing] = missingOf(applied, known);
    if (missing) return `the schema lacks migration ${missing.name}; run "npm run migrate"`;
    const broken = (await listInvalidIndexes(db)).filter(({ isUnique }) => isUnique);
    if (broken.length === 0) return null;
    return `the unique index ${broken.map(({ name }) => name).join(', ')} is not valid, so its rule may not hold; "reindex index concurrently" builds it again`;
  };
}

/** For a start with `MIGRATE=off`: throws when this program cannot run on the schema as it is. */
export async function checkSchema(url: string, folder: URL = FOLDER): Promise<void> {
  const known = await readMigrations(folder);
  await refuseTransactionPooler(url);
  const client = await connectOnce(url, 'coinslot-migrate');
  try {
    const applied = await readApplied(client);
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
