import type { LookupFunction } from 'node:net';
import { isIPv6 } from 'node:net';
import { createSecureContext, rootCertificates } from 'node:tls';
import { Pool } from 'undici';

export interface PoolOptions {
  readonly connectTimeoutMs: number;
  readonly connectionsPerTarget: number;
  readonly maxPools: number;
  readonly idlePoolMs: number;
  /** Trusted beside the usual authorities (PEM). */
  readonly extraCa?: string | undefined;
}

export interface ConnectionPools {
  /** The pool for this origin at exactly these addresses. */
  get(origin: string, addresses: readonly string[]): Pool;
  close(): Promise<void>;
  readonly size: number;
}

/**
 * Kept-alive connections, by origin **and** vetted addresses: when a name begins to resolve elsewhere, no connection made for the
 * old addresses is used again. At most `maxPools`, the least recently used goes first; a pool unused for a while is closed.
 */
export function createConnectionPools(options: PoolOptions): ConnectionPools {
  const pools = new Map<string, { pool: Pool; used: boolean }>();
  const secureContext = createSecureContext(options.extraCa ? { ca: [...rootCertificates, options.extraCa] } : {});

  const open = (origin: string, addresses: readonly string[]): Pool =>
    new Pool(origin, {
      connections: options.connectionsPerTarget,
      pipelining: 1,
      // The sender keeps one deadline over everything.
      headersTimeout: 0,
      bodyTimeout: 0,
      connect: {
        timeout: options.connectTimeoutMs,
        lookup: answerWith(addresses),
        autoSelectFamily: true,
        secureContext,
        // Said aloud, so that NODE_TLS_REJECT_UNAUTHORIZED cannot switch it off.
        rejectUnauthorized: true,
      },
    });

  const drop = (key: string, pool: Pool): void => {
    pools.delete(key);
    // Closing waits for what is in flight; it has nothing to report.
    pool.close().catch(() => {});
  };

  const sweep = setInterval(() => {
    for (const [key, entry] of pools) {
      if (!entry.used && entry.pool.stats.size === 0) drop(key, entry.pool);
      entry.used = false;
    }
  }, options.idlePoolMs);
  sweep.unref();

  return {
    get(origin, addresses) {
      const key = addresses.length === 1 ? `${origin} ${addresses[0]}` : `${origin} ${addresses.toSorted().join(' ')}`;
      const known = pools.get(key);
      if (known) {
        known.used = true;
        // Moved to the end: the front of the map is the least recently used.
        pools.delete(key);
        pools.set(key, known);
        return known.pool;
      }
      const oldest = pools.size >= options.maxPools ? pools.entries().next().value : undefined;
      if (oldest) drop(oldest[0], oldest[1].pool);
      const pool = open(origin, addresses);
      pools.set(key, { pool, used: true });
      return pool;
    },
    async close() {
      clearInterval(sweep);
      const last = [...pools.values()];
      pools.clear();
      await Promise.all(last.map(({ pool }) => pool.close()));
    },
    get size() {
      return pools.size;
    },
  };
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
