import type pg from 'pg';
import { newId } from '../kit/ids.ts';
import { CHANNEL, openListening } from './listening-client.ts';
import { ASK_EVERY_MS, createShareKeeper, nameWith, type Slots } from './process-share.ts';
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
  /** Shares slots among all processes on this database, from the start on. Says how many of them this one may use now. */
  share(slots: Slots): () => number;
  start(): Promise<void>;
  stop(): Promise<void>;
}

const MAX_PAYLOAD_CHARS = 7_000;
/** At most one notification in this time: one for every commit would halve the throughput. */
const NOTIFY_EVERY_MS = 20;
const RECONNECT_MS = 1_000;
/** Announced when what a process holds of the slots has changed. */
export const SLOTS_CHANGED = 'slots';

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

/** Calls a key within the given time, once for all callers that ask for it meanwhile. */
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

interface Line {
  client: () => pg.Client | undefined;
  onError: (error: Error) => void;
}

/** Tells the other processes, in few notifications for many keys. */
function createNotifications(self: string, { client, onError }: Line) {
  const outgoing = new Set<string>();
  let timer: NodeJS.Timeout | undefined;

  function flush(): void {
    timer = undefined;
    const keys = takeKeys(outgoing);
    client()
      ?.query('select pg_notify($1, $2)', [CHANNEL, `${self} ${keys.join(' ')}`])
      .catch(onError);
    if (outgoing.size > 0) timer = setTimeout(flush, NOTIFY_EVERY_MS);
  }

  return {
    notify(key: string): void {
      outgoing.add(key);
      timer ??= setTimeout(flush, NOTIFY_EVERY_MS);
    },
    stop: () => clearTimeout(timer),
  };
}

export function createSignals(url: string, onError: (error: Error) => void): Signals {
  const self = newId('job');
  const notifier = createNotifier();
  let client: pg.Client | undefined;
  let asking: NodeJS.Timeout | undefined;
  let stopped = false;
  const others = createNotifications(self, { client: () => client, onError });
  const share = createShareKeeper({ client: () => client, onChange: () => announce(SLOTS_CHANGED), onError });
  const hosts = createHosts(url);

  function reconnect(): void {
    if (stopped) return;
    // Looked at again then: a program that stopped meanwhile must not keep a connection.
    setTimeout(() => stopped || void connect().catch(reconnect), RECONNECT_MS).unref();
  }

  async function connect(): Promise<void> {
    const next = await openListening(hosts, {
      name: nameWith(share.held()),
      onError,
      hear: hearOthers(notifier, self),
    });
    next.once('end', () => {
      client = undefined;
      reconnect();
    });
    // Stopped while this was under way: then no other caller will end it.
    if (stopped) return next.end();
    client = next;
    await share.ask();
    // The others count it at once.
    announce(SLOTS_CHANGED);
  }

  function announce(key: string): void {
    notifier.call(key);
    others.notify(key);
  }

  return {
    on: notifier.on,
    wait: notifier.wait,
    endWaits: notifier.close,
    isEnding: notifier.isClosed,
    share: share.of,
    announce,
    announceWithin: callTogether(announce),
    remind(key, delayMs) {
      setTimeout(() => notifier.call(key), delayMs).unref();
    },
    async start() {
      // A connection that only listens would never learn that its socket is dead: so it asks now and then.
      asking = setInterval(() => void share.ask(), ASK_EVERY_MS);
      notifier.on(SLOTS_CHANGED, () => void share.ask());
      await connect();
    },
    async stop() {
      stopped = true;
      others.stop();
      clearInterval(asking);
      await client?.end();
    },
  };
}
