import { startEmbedded } from './embedded/start-embedded.ts';
import { migrate } from './migrate.ts';

export interface Database {
  url: string;
  embedded: boolean;
  stop(): Promise<void>;
}

export interface ConnectOptions {
  databaseUrl: string | undefined;
  dataDir: string;
  log: (message: string) => void;
}

/** The PostgreSQL that was named, or our own in the data folder; migrated either way. */
export async function connect({ databaseUrl, dataDir, log }: ConnectOptions): Promise<Database> {
  const own = databaseUrl === undefined ? await startEmbedded({ dataDir, log }) : undefined;
  const url = own?.url ?? databaseUrl!;
  try {
    for (const name of await migrate(url)) log(`migrated: ${name}`);
  } catch (error) {
    await own?.stop();
    throw error;
  }
  return { url, embedded: own !== undefined, stop: async () => own?.stop() };
}
