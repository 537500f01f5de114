import type { Queryable } from '../../db/db.ts';
import { sha256 } from '../../kit/seal.ts';
import type { RateLimiter } from '../rate-limit.ts';
import { addRateCounts, deleteEndedRateCounts } from './rate-count.sql.ts';

/** One statement then carries the counts of a whole burst. */
const COALESCE_MS = 20;
const SWEEP_MS = 60_000;

export const digestOf = (name: string, key: string): Buffer => sha256(`${name} ${key}`).subarray(0, 16);

export interface SharedLimits {
  /** Makes the limit hold over all processes of the database; each of them shares it under the same name. */
  share(name: string, limiter: RateLimiter): RateLimiter;
  stop(): Promise<void>;
}

/**
 * Joins the counts of several processes into one limit. No request waits for it: each process adds its own count to the
 * database in steps of a fiftieth of the limit, and gets the sum of all back. A flood over many processes can exceed the
 * limit by one step for each process, plus the requests that arrive while one statement runs. While the database is away,
 * each process counts alone.
 */
export function createSharedLimits(db: Queryable, onError: (error: unknown, source: string) => void): SharedLimits {
  const limiters = new Map<string, RateLimiter>();
  let timer: NodeJS.Timeout | undefined;
  let underWay: Promise<void> = Promise.resolve();
  let isStopped = false;
  const fail = (error: unknown): void => onError(error, 'limits');
  const sweep = setInterval(() => void deleteEndedRateCounts(db).catch(fail), SWEEP_MS).unref();

  async function exchangeCounts(): Promise<void> {
    const unshared = [...limiters].flatMap(([name, limiter]) =>
      // Addresses are personal data: only a digest of them leaves the process, and only until its window ends.
      limiter.takeUnshared().map(entry => ({ ...entry, name, keyDigest: digestOf(name, entry.key) })),
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
      underWay = underWay.then(exchangeCounts).catch(fail);
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
