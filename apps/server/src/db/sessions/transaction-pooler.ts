import type pg from 'pg';
import { MigrationError } from '../schema/migration-error.ts';
import { connectOnce } from './connect-once.ts';

const CLIENTS = 3;
const ROUNDS = 8;
const NEXT_SESSION_MS = 3_000;

export const POOLER_ADVICE =
  'Set DATABASE_SESSION_URL to the way past the pooler, or the pooler to session mode (pool_mode = session).';

const leaveMark = (client: pg.Client, mark: string): Promise<unknown> =>
  client.query(`select set_config('coinslot.mark', $1, false)`, [mark]);

const readMark = async (client: pg.Client): Promise<string | null> =>
  (await client.query<{ mark: string | null }>(`select current_setting('coinslot.mark', true) as mark`)).rows[0]!.mark;

/** A pooler that has no session left for us hands out whole ones: by transaction there is always one. */
async function openClients(url: string): Promise<pg.Client[]> {
  const clients = [await connectOnce(url, 'coinslot-doctor')];
  while (clients.length < CLIENTS) {
    const next = await connectOnce(url, 'coinslot-doctor', NEXT_SESSION_MS).catch(() => null);
    if (!next) break;
    clients.push(next);
  }
  return clients;
}

/**
 * Each connection leaves a mark in its session and looks for it over many transactions. A pooler that hands sessions out by transaction
 * shows one of them a mark that another left, or none. The rounds are uneven, so that a pooler that goes in a circle is found out too.
 */
export async function sharesSessions(url: string): Promise<boolean> {
  const clients = await openClients(url);
  try {
    for (const [i, client] of clients.entries()) await leaveMark(client, `m${i}`);
    for (let round = 0; round < ROUNDS; round++) {
      for (const [i, client] of clients.entries()) {
        if ((round + i) % CLIENTS === 0) continue;
        if ((await readMark(client)) !== `m${i}`) return true;
      }
      const marks = await Promise.all(clients.map(readMark));
      if (marks.some((mark, i) => mark !== `m${i}`)) return true;
    }
    return false;
  } finally {
    await Promise.all(clients.map(client => client.end().catch(() => {})));
  }
}

/** Locks, prepared statements and settings of one caller would be another's: half of the answers are errors, and locks are never let go. */
export async function refuseTransactionPooler(url: string): Promise<void> {
  if (!(await sharesSessions(url))) return;
  throw new MigrationError(`The database's address leads to a pooler in transaction mode. ${POOLER_ADVICE}`);
}
