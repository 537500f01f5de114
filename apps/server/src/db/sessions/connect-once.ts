import pg from 'pg';
import { urlsOf } from './hosts.ts';

const CONNECT_MS = 5_000;

async function open(connectionString: string, applicationName: string, mustBeWritable: boolean): Promise<pg.Client> {
  const client = new pg.Client({
    connectionString,
    application_name: applicationName,
    connectionTimeoutMillis: CONNECT_MS,
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
  let failure: unknown;
  for (const host of urls) {
    try {
      return await open(host, applicationName, mustBeWritable);
    } catch (error) {
      failure = error;
    }
  }
  throw failure;
}
