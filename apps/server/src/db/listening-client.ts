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

interface Ears {
  onError: (error: Error) => void;
  hear: (payload: string) => void;
}

async function openAt(host: string, mustBeWritable: boolean, { onError, hear }: Ears): Promise<pg.Client> {
  const client = new pg.Client({
    connectionString: host,
    application_name: APPLICATION_NAME,
    pipeline: true,
    keepAlive: true,
    connectionTimeoutMillis: CONNECT_MS,
    query_timeout: ANSWER_MS,
  });
  client.on('notification', message => hear(message.payload ?? ''));
  client.on('error', onError);
  try {
    await client.connect();
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
