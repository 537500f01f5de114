import type { Queryable } from '../../db/db.ts';
import { sha256 } from '../../kit/seal.ts';
import type { RateLimiter } from '../rate-limit.ts';
import { addRateCounts, deleteEndedRateCounts } from './rate-count.sql.ts';

/** Long enough for a burst to become one statement. */
const COALESCE_MS = 20;
const SWEEP_MS = 60_000;

export interface SharedLimits {
  /** From now on the limit holds over all processes of the database. The name is the same in all of them. */
  share(name: string, limiter: RateLimiter): RateLimiter;
  stop(): Promise<void>;
}

/**
 * Makes one limit of those that several processes count. No request waits for it: each process tells in steps of a fiftieth of
 * the limit what it counted, and learns what the others did. So a flood at many processes gets at most one step of each
 * process, and what comes in within one statement's time, beyond the limit. While the database is away each counts alone.
 */
export function createSharedLimits(db: Queryable, onError: (error: unknown, source: string) => void): SharedLimits {
  const limiters = new Map<string, RateLimiter>();
  let timer: NodeJS.Timeout | undefined;
  let underWay: Promise<void> = Promise.resolve();
  let isStopped = false;
  const fail = (error: unknown): void => onError(error, 'limits');
  const sweep = setInterval(() => void deleteEndedRateCounts(db).catch(fail), SWEEP_MS).unref();

  async function tell(): Promise<void> {
    const unshared = [...limiters].flatMap(([name, limiter]) =>
      // Addresses are personal data: only a digest of them leaves the process, and only until its window ends.
      limiter
        .takeUnshared()
        .map(entry => ({ ...entry, name, keyDigest: sha256(`${name} ${entry.key}`).subarray(0, 16) })),
    );
    if (unshared.length === 0) return;
    const sums = await addRateCounts(db, unshared);
    const byKey = new Map(sums.map(sum => [`${sum.name} ${sum.keyDigest.toString('hex')}`, sum]));
    for (const { name, keyDigest, learn } of unshared) {
      const sum = byKey.get(`${name} ${keyDigest.toString('hex')}`);
      if (sum) learn(sum.used, sum.ageMs);
    }
  }

  function wake(): void {
    if (timer || isStopped) return;
    timer = setTimeout(() => {
      underWay = underWay.then(tell).catch(fail);
      void underWay.then(() => {
        timer = undefined;
        if ([...limiters.values()].some(limiter => limiter.hasUnshared())) wake();
      });
    }, COALESCE_MS).unref();
  }

  return {
    share(name, limiter) {
      limiters.set(name, limiter);
      limiter.onUnshared(wake);
      return limiter;
    },
    async stop() {
      isStopped = true;
      clearInterval(sweep);
      clearTimeout(timer);
      await underWay;
    },
  };
}
