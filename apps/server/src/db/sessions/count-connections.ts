import type pg from 'pg';
import { connectOnce } from './connect-once.ts';

const AT_ONCE = 8;
const ANSWER_MS = 2_000;

/** How many connections can be had at once, beside those that are open; it stops at the first that does not come. */
export async function countConnections(url: string, wanted: number): Promise<number> {
  const clients: pg.Client[] = [];
  try {
    while (clients.length < wanted) {
      const more = Math.min(AT_ONCE, wanted - clients.length);
      const opened = await Promise.allSettled(
        Array.from({ length: more }, () => connectOnce(url, 'coinslot-doctor', ANSWER_MS)),
      );
      for (const one of opened) if (one.status === 'fulfilled') clients.push(one.value);
      if (opened.some(({ status }) => status === 'rejected')) break;
    }
    return clients.length;
  } finally {
    await Promise.all(clients.map(client => client.end().catch(() => {})));
  }
}
