import type pg from 'pg';
import { connectOnce } from './connect-once.ts';

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
