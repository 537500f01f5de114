import pg from 'pg';
import type { Hosts } from './hosts.ts';

export const CHANNEL = 'coinslot';
const CONNECT_MS = 3_000;
const ANSWER_MS = 3_000;

/** Notifications reach only those who listen at the host that takes the writes. */
async function listen(client: pg.Client, mustBeWritable: boolean): Promise<void> {
  await client.query(`listen ${CHANNEL}`);
  if (!mustBeWritable) return;
  const { rows } = await client.query<{ standby: boolean }>('select pg_is_in_recovery() as standby');
  if (rows[0]!.standby) throw new Error('this host takes no writes');
}

/** A connection that hears what others notify. Every question to it ends, with an answer or with the connection. */
export async function openListening(
  hosts: Hosts,
  onError: (error: Error) => void,
  hear: (payload: string) => void,
): Promise<pg.Client> {
  const host = hosts.current();
  const client = new pg.Client({
    connectionString: host,
    application_name: 'coinslot-signals',
    pipeline: true,
    keepAlive: true,
    connectionTimeoutMillis: CONNECT_MS,
    query_timeout: ANSWER_MS,
  });
  client.on('notification', message => hear(message.payload ?? ''));
  client.on('error', onError);
  try {
    await client.connect();
    await listen(client, hosts.mustBeWritable);
    return client;
  } catch (error) {
    hosts.skip(host);
    void client.end().catch(() => {});
    throw error;
  }
}
