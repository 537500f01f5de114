import type pg from 'pg';
import { newId } from '../kit/ids.ts';
import { APPLICATION_NAME, CHANNEL, openListening } from './listening-client.ts';
import { createHosts } from './sessions/hosts.ts';

/** Who waits for what in this process. */
export interface Notifier {
  call(key: string): void;
  on(key: string, listener: () => void): () => void;
  /** Resolves when the key is called, after the time, or when the notifier is closed. */
  wait(key: string, timeoutMs: number): Promise<void>;
  /** Every wait ends now, and later ones at once. */
  close(): void;
  isClosed(): boolean;
}

export function createNotifier(): Notifier {
  const listeners = new Map<string, Set<() => void>>();
  const waits = new Set<() => void>();
  let closed = false;

  function on(key: string, listener: () => void): () => void {
    const set = listeners.get(key) ?? new Set();
    listeners.set(key, set.add(listener));
    return () => {
      set.delete(listener);
      if (set.size === 0) listeners.delete(key);
    };
  }

  return {
    on,
    call(key) {
      for (const listener of listeners.get(key) ?? []) listener();
    },
    wait(key, timeoutMs) {
      return new Promise(resolve => {
        if (closed) return resolve();
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
    close() {
      closed = true;
      for (const done of waits) done();
    },
    isClosed: () => closed,
  };
}

/**
 * Wake-ups between waiters and workers, in this process at once and in the others by PostgreSQL's notifications.
 * A signal carries no truth: a woken worker reads the database, and every worker looks again after a while anyway.
 */
export interface Signals extends Pick<Notifier, 'on' | 'wait'> {
  announce(key: string): void;
  /** The same within that time, once for all who ask meanwhile: for work that is cheaper done together than at once. */
  announceWithin(key: string, withinMs: number): void;
  /** Announces it here after a while. It is lost with the process, and the other processes look by themselves. */
  remind(key: string, delayMs: number): void;
  /** The program is going down: every wait ends now, and later ones at once. */
  endWaits(): void;
  isEnding(): boolean;
  /** How many processes have signals on this database, this one counted; as of some seconds ago. */
  processes(): number;
  start(): Promise<void>;
  stop(): Promise<void>;
}

const MAX_PAYLOAD_CHARS = 7_000;
/** At most one notification in this time: one for every commit would halve the throughput. */
const NOTIFY_EVERY_MS = 20;
const RECONNECT_MS = 1_000;
/** A connection that only listens would never learn that its socket is dead: so it asks now and then how many there are. */
const ASK_EVERY_MS = 5_000;
const COUNT_PROCESSES = `select count(*)::int as count from pg_stat_activity
  where datname = current_database() and application_name = '${APPLICATION_NAME}'`;

/** As many keys as fit into one notification; they leave the set. */
function takeKeys(outgoing: Set<string>): string[] {
  const keys: string[] = [];
  let chars = 0;
  for (const key of outgoing) {
    chars += key.length + 1;
    if (chars > MAX_PAYLOAD_CHARS) break;
    keys.push(key);
    outgoing.delete(key);
  }
  return keys;
}

const hearOthers =
  (notifier: Notifier, self: string) =>
  (payload: string): void => {
    const [sender, ...keys] = payload.split(' ');
    if (sender !== self) for (const key of keys) notifier.call(key);
  };

async function countProcesses(client: pg.Client): Promise<number> {
  const { rows } = await client.query<{ count: number }>(COUNT_PROCESSES);
  return Math.max(1, rows[0]!.count);
}

/** Calls a key within the time, once for all who ask meanwhile. */
function callTogether(call: (key: string) => void): Signals['announceWithin'] {
  const asked = new Set<string>();
  return (key, withinMs) => {
    if (asked.has(key)) return;
    asked.add(key);
    const end = (): void => {
      asked.delete(key);
      call(key);
    };
    setTimeout(end, withinMs).unref();
  };
}

export function createSignals(url: string, onError: (error: Error) => void): Signals {
  const self = newId('job');
  const notifier = createNotifier();
  const outgoing = new Set<string>();
  let client: pg.Client | undefined;
  let timer: NodeJS.Timeout | undefined;
  let asking: NodeJS.Timeout | undefined;
  let stopped = false;
  let processes = 1;
  const hosts = createHosts(url);

  function flush(): void {
    timer = undefined;
    const keys = takeKeys(outgoing);
    client?.query('select pg_notify($1, $2)', [CHANNEL, `${self} ${keys.join(' ')}`]).catch(onError);
    if (outgoing.size > 0) timer = setTimeout(flush, NOTIFY_EVERY_MS);
  }

  function reconnect(): void {
    if (stopped) return;
    // Looked at again then: a program that stopped meanwhile must not keep a connection.
    setTimeout(() => stopped || void connect().catch(reconnect), RECONNECT_MS).unref();
  }

  /** An unanswered question ends the connection, and its end opens the next one. */
  async function ask(): Promise<void> {
    if (client) processes = await countProcesses(client);
  }

  async function connect(): Promise<void> {
    const next = await openListening(hosts, { onError, hear: hearOthers(notifier, self) });
    next.once('end', () => {
      client = undefined;
      reconnect();
    });
    // Stopped while this was under way: then no other caller will end it.
    if (stopped) return next.end();
    client = next;
    await ask().catch(onError);
  }

  function announce(key: string): void {
    notifier.call(key);
    outgoing.add(key);
    timer ??= setTimeout(flush, NOTIFY_EVERY_MS);
  }

  return {
    on: notifier.on,
    wait: notifier.wait,
    endWaits: notifier.close,
    isEnding: notifier.isClosed,
    processes: () => processes,
    announce,
    announceWithin: callTogether(announce),
    remind(key, delayMs) {
      setTimeout(() => notifier.call(key), delayMs).unref();
    },
    async start() {
      asking = setInterval(() => void ask().catch(onError), ASK_EVERY_MS);
      await connect();
    },
    async stop() {
      stopped = true;
      clearTimeout(timer);
      clearInterval(asking);
      await client?.end();
    },
  };
}
