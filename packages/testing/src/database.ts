import { setTimeout as pause } from 'node:timers/promises';
import pg from 'pg';
import { inject } from 'vitest';
import { createDb, type Db } from '../../../apps/server/src/db/db.ts';
import { sqlStateOf } from '../../../apps/server/src/db/sessions/database-errors.ts';
import { newId } from '../../../apps/server/src/kit/ids.ts';

declare module 'vitest' {
  interface ProvidedContext {
    databaseUrl: string;
  }
}

/**
 * Of a program in a test. A new connection knows no table and no plan, so with the usual 39, of which a program soon has 23 open,
 * a third of what PostgreSQL does for a test is to learn them again.
 */
export const TEST_CONNECTIONS = '16';

export interface TestDatabase {
  db: Db;
  url: string;
  /** Moves the shop's clock; returns how far it now is ahead. */
  advance(seconds: number): Promise<number>;
  /** Stops it at the beginning of this minute, where only `advance` moves it: no minute, hour or day ends during a test. */
  stopClock(): Promise<void>;
  drop(): Promise<void>;
}

const withName = (url: string, name: string): string => {
  const changed = new URL(url);
  changed.pathname = `/${name}`;
  return changed.href;
};

async function admin(url: string, ...statements: string[]): Promise<void> {
  const client = new pg.Client({ connectionString: withName(url, 'postgres') });
  await client.connect();
  try {
    for (const statement of statements) await client.query(statement);
  } finally {
    await client.end();
  }
}

const NOT_ALLOWED = '42501';
const TRIES = 50;

/** The server's own cleaner may be inside for a moment, and not even force may send that away. */
async function dropDatabase(base: string, name: string): Promise<void> {
  for (let tries = 1; ; tries++) {
    try {
      return await admin(base, `drop database ${name} with (force)`);
    } catch (error) {
      if (sqlStateOf(error) !== NOT_ALLOWED || tries === TRIES) throw error;
      await pause(100);
    }
  }
}

/** A database of its own for each test file, cloned from the migrated template. */
export const testDatabase = (): Promise<TestDatabase> => databaseOn(inject('databaseUrl'));

export type EmptyDatabase = Pick<TestDatabase, 'url' | 'drop'>;

/** A database without a schema, for programs that make their own. */
export async function emptyDatabase(): Promise<EmptyDatabase> {
  const base = inject('databaseUrl');
  const name = newId('job').replace('job_', 'test_');
  await admin(base, `create database ${name}`);
  return { url: withName(base, name), drop: () => dropDatabase(base, name) };
}

/** The same on a server that the caller started. */
export async function databaseOn(base: string): Promise<TestDatabase> {
  const name = newId('job').replace('job_', 'test_');
  // As files: half the work of writing each of its pages to the log, which nothing reads here.
  await admin(base, `create database ${name} template template_coinslot strategy file_copy`);
  const url = withName(base, name);
  const db = createDb({
    url,
    maxConnections: 12,
    onError: () => {},
  });
  let startedAt = 'now()';
  let aheadSeconds = 0;
  async function setClock(): Promise<void> {
    const body = `select ${startedAt} + interval '${aheadSeconds} seconds'`;
    await db.query({
      name: '',
      text: `create or replace function app_now() returns timestamptz language sql stable parallel safe as $f$${body}$f$`,
      values: [],
    });
  }
  return {
    db,
    url,
    async advance(seconds) {
      aheadSeconds += seconds;
      await setClock();
      return aheadSeconds;
    },
    async stopClock() {
      startedAt = `'${new Date().toISOString().slice(0, 16)}Z'::timestamptz`;
      await setClock();
    },
    async drop() {
      await db.close();
      await dropDatabase(base, name);
    },
  };
}
