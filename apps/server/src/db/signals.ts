import pg from 'pg';
import { newId } from '../kit/ids.ts';

/**
 * Wake-ups between waiters and workers, in this process at once and in the others by PostgreSQL's notifications.
 * A signal carries no truth: whoever is woken reads the database, and everyone looks again after a while anyway.
 */
export interface Signals {
  announce(key: string): void;
  on(key: string, listener: () => void): () => void;
  /** Resolves at the next announcement of the key or after the time, whichever comes first. */
  wait(key: string, timeoutMs: number): Promise<void>;
  /** The program is going down: every wait ends now, and later ones at once. */
  endWaits(): void;
  isEnding(): boolean;
  start(): Promise<void>;
  stop(): Promise<void>;
}

const CHANNEL = 'coinslot';
const MAX_PAYLOAD_CHARS = 7_000;
/** At most one notification in this time: one for every commit would halve the throughput. */
const NOTIFY_EVERY_MS = 20;
const RECONNECT_MS = 1_000;

export function createSignals(url: string, onError: (error: Error) => void): Signals {
  const self = newId('job');
  const listeners = new Map<string, Set<() => void>>();
  const outgoing = new Set<string>();
  let client: pg.Client | undefined;
  let timer: NodeJS.Timeout | undefined;
  let stopped = false;
  const waits = new Set<() => void>();
  let ending = false;

  const emit = (key: string): void => {
    for (const listener of listeners.get(key) ?? []) listener();
  };

  function on(key: string, listener: () => void): () => void {
    const set = listeners.get(key) ?? new Set();
    listeners.set(key, set.add(listener));
    return () => {
      set.delete(listener);
      if (set.size === 0) listeners.delete(key);
    };
  }

  function flush(): void {
    timer = undefined;
    const keys: string[] = [];
    let chars = 0;
    for (const key of outgoing) {
      if (chars + key.length > MAX_PAYLOAD_CHARS) break;
      chars += key.length + 1;
      keys.push(key);
      outgoing.delete(key);
    }
    client?.query('select pg_notify($1, $2)', [CHANNEL, `${self} ${keys.join(' ')}`]).catch(onError);
    if (outgoing.size > 0) timer = setTimeout(flush, NOTIFY_EVERY_MS);
  }

  async function connect(): Promise<void> {
    const next = new pg.Client({ connectionString: url, application_name: 'coinslot-signals' });
    next.on('notification', message => {
      const [sender, ...keys] = (message.payload ?? '').split(' ');
      if (sender !== self) for (const key of keys) emit(key);
    });
    next.on('error', onError);
    next.on('end', () => {
      if (client === next) client = undefined;
      if (!stopped) setTimeout(() => void connect().catch(onError), RECONNECT_MS).unref();
    });
    await next.connect();
    await next.query(`listen ${CHANNEL}`);
    client = next;
  }

  return {
    on,
    announce(key) {
      emit(key);
      outgoing.add(key);
      timer ??= setTimeout(flush, NOTIFY_EVERY_MS);
    },
    wait(key, timeoutMs) {
      return new Promise(resolve => {
        if (ending) return resolve();
        const done = (): void => {
          clearTimeout(limit);
          off();
          waits.delete(done);
          resolve();
        };
        const limit = setTimeout(done, timeoutMs);
        const off = on(key, done);
        waits.add(done);
      });
    },
    endWaits() {
      ending = true;
      for (const done of waits) done();
    },
    isEnding: () => ending,
    start: connect,
    async stop() {
      stopped = true;
      clearTimeout(timer);
      await client?.end();
    },
  };
}
