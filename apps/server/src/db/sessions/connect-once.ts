import pg from 'pg';
import { urlsOf } from './hosts.ts';

const CONNECT_MS = 5_000;
/** A pooler accepts a connection that it has no session for, and keeps the first question waiting. */
const FIRST_ANSWER_MS = 20_000;
/** Where there is no other host to try: a program that starts on a busy machine may not look at its socket for seconds. */
const CONNECT_ALONE_MS = 20_000;

interface Wanted {
  applicationName: string;
  mustBeWritable: boolean;
  connectMs: number;
  answerMs: number;
}

async function open(connectionString: string, wanted: Wanted): Promise<pg.Client> {
  const { applicationName, mustBeWritable, connectMs, answerMs } = wanted;
  const client = new pg.Client({
    connectionString,
    application_name: applicationName,
    connectionTimeoutMillis: connectMs,
  });
  // Cut between two statements it says so by an event, which would end the program if none listened; the next statement fails anyway.
  client.on('error', () => {});
  await client.connect();
  const first = { text: 'select pg_is_in_recovery() as standby', query_timeout: answerMs } as pg.QueryConfig;
  const { rows } = await client.query<{ standby: boolean }>(first).catch(async (error: unknown) => {
    await client.end();
    throw error;
  });
  if (!mustBeWritable || !rows[0]!.standby) return client;
  await client.end();
  throw new Error('this host takes no writes');
}

/** One connection to the first host that will do, for work beside the pools. */
export async function connectOnce(
  url: string,
  applicationName: string,
  answerMs = FIRST_ANSWER_MS,
): Promise<pg.Client> {
  const { urls, mustBeWritable } = urlsOf(url);
  const connectMs = urls.length > 1 ? CONNECT_MS : CONNECT_ALONE_MS;
  let failure: unknown;
  for (const host of urls) {
    try {
      return await open(host, { applicationName, mustBeWritable, connectMs, answerMs });
    } catch (error) {
      failure = error;
    }
  }
  throw failure;
}
