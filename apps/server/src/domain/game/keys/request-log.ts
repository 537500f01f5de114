import type { Db } from '../../../db/db.ts';
import { createTicker, type Ticker } from '../../../jobs/ticker.ts';
import { deleteOldRequestsOfKey, insertRequests, type LoggedRequest } from './request-log.sql.ts';

export interface RequestLog extends Pick<Ticker, 'start' | 'drain'> {
  /** Of a busy key's requests nearly none is kept, so `describe` is called only for one that is. */
  add(keyId: string, isError: boolean, describe: () => LoggedRequest): void;
  /** Writes what is left. */
  stop(): Promise<void>;
}

const FLUSH_EVERY_MS = 1_000;
/** Of one key between two writes: a busy game must not cost a row for each of its orders. */
const MOST_ERRORS = 20;
const MOST_SUCCESSES = 5;
/** Of all keys, so that a flood with many keys does not fill the memory. */
const MOST_KEYS = 1_000;
const KEPT_OF_KEY = 1_000;

interface Waiting {
  errors: LoggedRequest[];
  successes: LoggedRequest[];
}

/**
 * What game backends asked lately, for those who look for a mistake. Kept here and written together once in a while: no
 * caller waits for it, and a crash loses the last second.
 */
export function createRequestLog({
  db,
  onError,
}: {
  db: Db;
  onError: (error: unknown, source: string) => void;
}): RequestLog {
  let waiting = new Map<string, Waiting>();

  async function flush(): Promise<boolean> {
    if (waiting.size === 0) return false;
    const keys = [...waiting.values()].map(({ errors, successes }) => [...errors, ...successes]);
    waiting = new Map();
    await insertRequests(db, keys.flat());
    for (const [first] of keys) if (first) await deleteOldRequestsOfKey(db, first, KEPT_OF_KEY);
    return false;
  }

  const ticker = createTicker({ name: 'request log', everyMs: FLUSH_EVERY_MS, work: flush, onError });
  return {
    start: ticker.start,
    drain: ticker.drain,
    add(keyId, isError, describe) {
      let of = waiting.get(keyId);
      if (!of) {
        if (waiting.size >= MOST_KEYS) return;
        of = { errors: [], successes: [] };
        waiting.set(keyId, of);
      }
      const list = isError ? of.errors : of.successes;
      if (list.length < (isError ? MOST_ERRORS : MOST_SUCCESSES)) list.push(describe());
    },
    async stop() {
      await ticker.stop();
      await flush().catch((error: unknown) => onError(error, 'request log'));
    },
  };
}
