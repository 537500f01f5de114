import pg from 'pg';
import { urlsOf } from './hosts.ts';

const CONNECT_MS = 5_000;
/** Where there is no other host to try: a program that starts on a busy machine may not look at its socket for seconds. */
const CONNECT_ALONE_MS = 20_000;

interface Wanted {
  applicationName: string;
  mustBeWritable: boolean;
  connectMs: number;
}

async function open(connectionString: string, wanted: Wanted): Promise<pg.Client> {
  const { applicationName, mustBeWritable, connectMs } = wanted;
  const client = new pg.Client({
    connectionString,
    application_name: applicationName,
    connectionTimeoutMillis: connectMs,
  });
  await client.connect();
  const { rows } = await client.query<{ standby: boolean }>('select pg_is_in_recovery() as standby');
  if (!mustBeWritable || !rows[0]!.standby) return client;
  await client.end();
  throw new Error('this host takes no writes');
}

/** One connection to the first host that will do, for work beside the pools. */
export async function connectOnce(url: string, applicationName: string): Promise<pg.Client> {
  const { urls, mustBeWritable } = urlsOf(url);
  const connectMs = urls.length > 1 ? CONNECT_MS : CONNECT_ALONE_MS;
  let failure: unknown;
  for (const host of urls) {
    try {
      return await open(host, { applicationName, mustBeWritable, connectMs });
    } catch (error) {
      failure = error;
    }
  }
  throw failure;
}

const sessionOf = async (client: pg.Client): Promise<number> =>
  (await client.query<{ session: number }>('select pg_backend_pid() as session')).rows[0]!.session;

/** Two connections that are open at once have two sessions, unless a pooler hands one out by transaction. */
export async function sharesSessions(url: string): Promise<boolean> {
  const clients = [await connectOnce(url, 'coinslot-doctor'), await connectOnce(url, 'coinslot-doctor')];
  try {
    const [first, second] = [await sessionOf(clients[0]!), await sessionOf(clients[1]!)];
    return first === second;
  } finally {
    await Promise.all(clients.map(client => client.end()));
  }
}
