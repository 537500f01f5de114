import { startEmbedded } from './embedded/start-embedded.ts';
import { checkSchema, migrate } from './migrate.ts';
import { explainConnection } from './sessions/connection-problem.ts';

export interface Database {
  url: string;
  embedded: boolean;
  stop(): Promise<void>;
}

export interface ConnectOptions {
  databaseUrl: string | undefined;
  /** Where a whole session can be had, if `databaseUrl` leads to a pooler that hands them out by transaction. */
  sessionUrl?: string | undefined;
  dataDir: string;
  /** Off: another step does it, and the schema is only checked. */
  migrate: boolean;
  log: (message: string) => void;
}

/** The PostgreSQL that was named, or our own in the data folder; migrated, or known to be. */
export async function connect({
  databaseUrl,
  sessionUrl,
  dataDir,
  migrate: mayMigrate,
  log,
}: ConnectOptions): Promise<Database> {
  const own = databaseUrl === undefined ? await startEmbedded({ dataDir, log }) : undefined;
  const url = own?.url ?? databaseUrl!;
  try {
    if (mayMigrate) for (const name of await migrate(sessionUrl ?? url, { log })) log(`migrated: ${name}`);
    else await checkSchema(sessionUrl ?? url);
  } catch (error) {
    await own?.stop();
    throw explainConnection(
      error,
      sessionUrl === undefined ? 'DATABASE_URL' : 'DATABASE_SESSION_URL',
      sessionUrl ?? url,
    );
  }
  return { url, embedded: own !== undefined, stop: async () => own?.stop() };
}
