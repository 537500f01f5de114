import { isIPv6, type LookupFunction } from 'node:net';
import { createSecureContext, rootCertificates } from 'node:tls';
import { buildConnector, Client } from 'undici';
import { createSlots } from '../../../kit/collections.ts';

export interface SocketPoolOptions {
  readonly connectTimeoutMs: number;
  readonly maxTargets: number;
  /** A connection not used for this long is closed. */
  readonly idleMs: number;
  /** Trusted beside the usual authorities (PEM). */
  readonly extraCa?: string | undefined;
}

/** One HTTP/1.1 connection, for one exchange at a time. */
export interface Socket {
  readonly client: Client;
  /** `reusable` only after a whole answer; otherwise the connection is cut. */
  release(reusable: boolean): void;
}

interface TargetSockets {
  readonly connect: buildConnector.connector;
  /** The last one used is the next one taken: it is the least likely to have been closed by the other side. */
  readonly idle: Client[];
  forgotten: boolean;
}

export interface SocketPool {
  take(origin: string, addresses: readonly string[]): Socket;
  close(): Promise<void>;
}

/**
 * Kept-alive connections by origin **and** vetted addresses: when a name begins to resolve elsewhere, no connection made for the
 * old addresses is used again. At most `maxTargets` are kept, the least recently used goes first.
 *
 * undici's own Pool is not used: after an aborted request it opens a connection without need, so every receiver that
 * hangs would be called twice.
 */
export function createSocketPool(options: SocketPoolOptions): SocketPool {
  const targets = new Map<string, TargetSockets>();
  const busy = createSlots<Client>();
  const secureContext = createSecureContext(options.extraCa ? { ca: [...rootCertificates, options.extraCa] } : {});

  const openTarget = (addresses: readonly string[]): TargetSockets => ({
    connect: buildConnector({
      timeout: options.connectTimeoutMs,
      lookup: answerWith(addresses),
      autoSelectFamily: true,
      secureContext,
      // Said aloud, so that NODE_TLS_REJECT_UNAUTHORIZED cannot switch it off.
      rejectUnauthorized: true,
    }),
    idle: [],
    forgotten: false,
  });

  const openClient = (origin: string, { connect, idle }: TargetSockets): Client => {
    const client = new Client(origin, {
      connect,
      pipelining: 1,
      keepAliveTimeout: options.idleMs,
      keepAliveMaxTimeout: options.idleMs,
      // The sender keeps one deadline over everything.
      headersTimeout: 0,
      bodyTimeout: 0,
    });
    client.on('disconnect', () => {
      const at = idle.indexOf(client);
      if (at === -1) return;
      idle.splice(at, 1);
      cut(client);
    });
    return client;
  };

  const targetFor = (origin: string, addresses: readonly string[]): TargetSockets => {
    const key = `${origin} ${addresses.length === 1 ? addresses[0] : addresses.toSorted().join(' ')}`;
    const known = targets.get(key);
    // Moved to the end: the front of the map is the least recently used.
    if (known) targets.delete(key);
    else if (targets.size >= options.maxTargets) forgetOldest(targets);
    const target = known ?? openTarget(addresses);
    targets.set(key, target);
    return target;
  };

  return {
    take(origin, addresses) {
      const target = targetFor(origin, addresses);
      const client = target.idle.pop() ?? openClient(origin, target);
      const slot = busy.put(client);
      const release = (reusable: boolean): void => {
        busy.clear(slot);
        if (reusable && !target.forgotten && !client.closed) target.idle.push(client);
        else cut(client);
      };
      return { client, release };
    },
    async close() {
      const finished = [...busy].map(client => client.close());
      while (targets.size > 0) forgetOldest(targets);
      await Promise.all(finished);
    },
  };
}

function forgetOldest(targets: Map<string, TargetSockets>): void {
  const oldest = targets.entries().next().value;
  if (!oldest) return;
  const [key, target] = oldest;
  targets.delete(key);
  target.forgotten = true;
  for (const client of target.idle.splice(0)) cut(client);
}

function cut(client: Client): void {
  client.destroy(() => {});
}

/** The only addresses a connection can go to, whatever DNS says by now. */
function answerWith(addresses: readonly string[]): LookupFunction {
  const answers = addresses.map(address => ({ address, family: isIPv6(address) ? 6 : 4 }));
  return (_host, options, callback) => {
    const first = answers[0];
    if (options.all || !first) callback(null, answers);
    else callback(null, first.address, first.family);
  };
}
