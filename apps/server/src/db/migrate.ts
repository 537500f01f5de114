import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import type pg from 'pg';
import { connectOnce } from './connect-once.ts';

const FOLDER = new URL('../../migrations/', import.meta.url);
const LOCK_ID = 4242_0001;
const FILE_NAME = /^(\d{4})_[a-z0-9-]+\.sql$/;

interface Migration {
  number: number;
  name: string;
  text: string;
  hash: string;
}

export class MigrationError extends Error {}

async function readMigrations(folder: URL): Promise<Migration[]> {
  const names = (await readdir(folder)).filter(name => FILE_NAME.test(name)).toSorted();
  return Promise.all(
    names.map(async name => {
      const text = await readFile(new URL(name, folder), 'utf8');
      return { number: Number(name.slice(0, 4)), name, text, hash: createHash('sha256').update(text).digest('hex') };
    }),
  );
}

function checkApplied(applied: { number: number; name: string; hash: string }[], known: Migration[]): void {
  for (const row of applied) {
    const mine = known.find(migration => migration.number === row.number);
    if (!mine) {
      throw new MigrationError(
        `The database has migration ${row.name}, which this version does not know. Start the newer version, or restore the backup that belongs to this one.`,
      );
    }
    if (mine.hash !== row.hash) {
      throw new MigrationError(
        `Migration ${mine.name} was changed after it had been applied. Restore the original file.`,
      );
    }
  }
}

async function applyOne(client: pg.Client, migration: Migration): Promise<void> {
  await client.query('begin');
  try {
    await client.query(migration.text);
    await client.query('insert into migrations (number, name, hash) values ($1, $2, $3)', [
      migration.number,
      migration.name,
      migration.hash,
    ]);
    await client.query('commit');
  } catch (error) {
    await client.query('rollback');
    throw new MigrationError(
      `Migration ${migration.name} failed and was rolled back whole: ${(error as Error).message}`,
      {
        cause: error,
      },
    );
  }
}

/** Applies what is missing, each file in its own transaction, one migrator at a time. Returns the names it applied. */
export async function migrate(url: string, folder: URL = FOLDER): Promise<string[]> {
  const known = await readMigrations(folder);
  const client = await connectOnce(url, 'coinslot-migrate');
  try {
    await client.query('select pg_advisory_lock($1)', [LOCK_ID]);
    await client.query(`create table if not exists migrations (
      number int primary key, name text not null, hash text not null, applied_at timestamptz not null default now())`);
    const { rows } = await client.query('select number, name, hash from migrations order by number');
    checkApplied(rows, known);
    const missing = known.filter(migration => !rows.some(row => row.number === migration.number));
    for (const migration of missing) await applyOne(client, migration);
    return missing.map(migration => migration.name);
  } finally {
    await client.end();
  }
}
