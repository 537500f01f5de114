import { readFileSync } from 'node:fs';
import { connect, type Database } from '../db/connect.ts';
import { createDb, type Db } from '../db/db.ts';
import { startEmbedded } from '../db/embedded/start-embedded.ts';
import { explainConnection } from '../db/sessions/connection-problem.ts';
import { masterKey } from '../program/master-key/master-key.ts';
import type { Program } from '../program/wire.ts';
import type { Config } from '../settings/config.ts';
import { CONSOLE } from './command.ts';

export const VERSION: string = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8')).version;

export const connectTo = (config: Config, migrate = config.operations.migrate): Promise<Database> =>
  connect({
    databaseUrl: config.databaseUrl,
    sessionUrl: config.operations.sessionUrl,
    dataDir: config.dataDir,
    migrate,
    log: CONSOLE.writeError,
  });

/** Connects to a database whose schema fits. */
export async function withDb(config: Config, work: (db: Db, url: string) => Promise<number>): Promise<number> {
  const database = await connectTo(config);
  const url = config.operations.sessionUrl ?? database.url;
  const db = createDb({ url, maxConnections: 2, onError: error => CONSOLE.writeError(error.message) });
  try {
    return await work(db, database.url);
  } finally {
    await db.close();
    await database.stop();
  }
}

/** Finds or starts the database, whatever its schema is: a backup is made before an upgrade. */
export async function withDatabaseUrl<T>(config: Config, work: (url: string) => Promise<T>): Promise<T> {
  const { databaseUrl } = config;
  if (databaseUrl !== undefined)
    return work(databaseUrl).catch((error: unknown) => {
      throw explainConnection(error, 'DATABASE_URL', databaseUrl);
    });
  const own = await startEmbedded({ dataDir: config.dataDir, log: CONSOLE.writeError });
  try {
    return await work(own.url);
  } finally {
    await own.stop();
  }
}

/** The whole program takes two seconds to load, so only commands that need it load it. */
export async function withProgram(
  config: Config,
  databaseUrl: string,
  work: (program: Program) => Promise<number>,
): Promise<number> {
  const key = await masterKey(config);
  const { wire } = await import('../program/wire.ts');
  const program = wire({ config, databaseUrl, masterKey: key, version: VERSION });
  try {
    return await work(program);
  } finally {
    await program.stop();
  }
}
