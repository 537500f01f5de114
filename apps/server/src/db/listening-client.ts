import pg from 'pg';
import type { Hosts } from './sessions/hosts.ts';
import { ReadOnlySessionError } from './sessions/session.ts';

export const CHANNEL = 'coinslot';
export const APPLICATION_NAME = 'coinslot-signals';
const CONNECT_MS = 3_000;
const ANSWER_MS = 3_000;

/** Notifications reach only those who listen at the host that takes the writes. */
async function listen(client: pg.Client, mustBeWritable: boolean): Promise<void> {
  if (mustBeWritable) {
    const { rows } = await client.query<{ standby: boolean }>('select pg_is_in_recovery() as standby');
    if (rows[0]!.standby) throw new ReadOnlySessionError('this host takes no writes');
  }
  await client.query(`listen ${CHANNEL}`);
}

export async function nameConnection(client: pg.Client, name: string): Promise<void> {
  await client.query(`select set_config('application_name', $1, false)`, [name]);
}

interface Ears {
  name: string;
  onError: (error: Error) => void;
  hear: (payload: string) => void;
}

async function openAt(host: string, mustBeWritable: boolean, { name, onError, hear }: Ears): Promise<pg.Client> {
  const client = new pg.Client({
    connectionString: host,
    pipeline: true,
    keepAlive: true,
    connectionTimeoutMillis: CONNECT_MS,
    query_timeout: ANSWER_MS,
  });
  client.on('notification', message => hear(message.payload ?? ''));
  client.on('error', onError);
  try {
    await client.connect();
    // Not in the settings above, because a name in the connection string would win over them.
    await nameConnection(client, name);
    await listen(client, mustBeWritable);
    return client;
  } catch (error) {
    void client.end().catch(() => {});
    throw error;
  }
}

/**
 * A connection that hears what others notify, at the first of the hosts that will do. Every question to it ends, with an
 * answer or with the connection.
 */
export async function openListening(hosts: Hosts, ears: Ears): Promise<pg.Client> {
  for (let failures = 1; ; failures++) {
    const host = hosts.current();
    try {
      return await openAt(host, hosts.mustBeWritable, ears);
    } catch (error) {
      hosts.skip(host);
      if (failures >= hosts.count) throw error;
    }
  }
}
