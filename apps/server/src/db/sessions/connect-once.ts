import pg from 'pg';
import { systemClock } from '../../kit/clock.ts';
import { urlsOf } from './hosts.ts';
import { ReadOnlySessionError } from './session.ts';

const CONNECT_MS = 5_000;
/** A pooler accepts a connection that it has no session for, and keeps the first question waiting. */
const FIRST_ANSWER_MS = 20_000;
/** Where there is no other host to try: a program that starts on a busy machine may not look at its socket for seconds. */
const CONNECT_ALONE_MS = 20_000;
const AGAIN_MS = 500;

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
  await client.connect().catch((error: unknown) => {
    // The driver leaves the socket open when it has no password to send, and the command would never end.
    void client.end().catch(() => {});
    throw error;
  });
  const first = { text: 'select pg_is_in_recovery() as standby', query_timeout: answerMs } as pg.QueryConfig;
  const { rows } = await client.query<{ standby: boolean }>(first).catch(async (error: unknown) => {
    await client.end();
    throw error;
  });
  if (!mustBeWritable || !rows[0]!.standby) return client;
  await client.end();
  throw new ReadOnlySessionError('this host takes no writes');
}

/** Another round may succeed: the host that takes writes was too slow, or a standby is about to be promoted. */
const mayChange = (error: unknown): boolean =>
  error instanceof ReadOnlySessionError || (error instanceof Error && error.message.includes('timeout'));

/** One connection to the first host that will do, for work beside the pools. Several hosts have as much time together as one alone. */
export async function connectOnce(
  url: string,
  applicationName: string,
  answerMs = FIRST_ANSWER_MS,
): Promise<pg.Client> {
  const { urls, mustBeWritable } = urlsOf(url);
  const connectMs = urls.length > 1 ? CONNECT_MS : CONNECT_ALONE_MS;
  const endMs = systemClock.nowMs() + CONNECT_ALONE_MS;
  for (;;) {
    const failures: unknown[] = [];
    for (const host of urls) {
      try {
        return await open(host, { applicationName, mustBeWritable, connectMs, answerMs });
      } catch (error) {
        failures.push(error);
      }
    }
    if (urls.length === 1 || !failures.some(mayChange) || systemClock.nowMs() > endMs) {
      // A standby that takes no writes is normal, so the error of another host says more.
      throw failures.find(error => !(error instanceof ReadOnlySessionError)) ?? failures.at(-1);
    }
    await new Promise(resolve => setTimeout(resolve, AGAIN_MS));
  }
}
