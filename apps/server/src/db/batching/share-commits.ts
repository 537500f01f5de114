import { semaphore } from '../../kit/concurrency.ts';
import type { Work } from '../transaction.ts';
import { createUnderWay, isWorthRetrying } from './under-way.ts';

interface Waiting {
  key: string;
  work: Work<unknown>;
  resolve: (value: unknown) => void;
  reject: (error: unknown) => void;
}

export interface ShareOptions {
  runTogether: (works: Work<unknown>[]) => Promise<unknown[]>;
  runAlone: (work: Work<unknown>) => Promise<unknown>;
  maxTogether?: number;
  maxInFlight?: number;
}

/** In the order they came, but never two of one key at a time. */
function keyedQueue(maxTogether: number) {
  let queue: Waiting[] = [];
  const busy = new Set<string>();
  return {
    push: (waiting: Waiting) => queue.push(waiting),
    isEmpty: () => queue.length === 0,
    free: ({ key }: Waiting) => busy.delete(key),
    take(): Waiting[] {
      const taken: Waiting[] = [];
      const left: Waiting[] = [];
      for (const waiting of queue) {
        const isFree = taken.length < maxTogether && !busy.has(waiting.key);
        if (isFree) busy.add(waiting.key);
        (isFree ? taken : left).push(waiting);
      }
      queue = left;
      return taken;
    },
  };
}

/** Most batches take less. A second beside the first would only make both smaller; beside one that waits for a row it helps. */
const SECOND_AFTER_MS = 20;

/** Fewer than the pool has, so that rows which a foreign session holds leave connections to all other work. */
const MAX_ALONE = 6;

type Outcome = Pick<ShareOptions, 'runTogether' | 'runAlone'> & { free: (waiting: Waiting) => void };

/** A batch as one transaction; if it fails, each of its members alone. */
function batchRunner({ runTogether, runAlone, free }: Outcome): (batch: Waiting[]) => Promise<void> {
  const limited = semaphore(MAX_ALONE);
  const alone = (waiting: Waiting): Promise<void> =>
    runAlone(waiting.work)
      .then(waiting.resolve, waiting.reject)
      .finally(() => free(waiting));

  function settleFailed(batch: Waiting[], error: unknown): void {
    if (isWorthRetrying(error)) {
      for (const waiting of batch) void limited(() => alone(waiting));
      return;
    }
    for (const waiting of batch) {
      waiting.reject(error);
      free(waiting);
    }
  }

  return async batch => {
    try {
      const results = await runTogether(batch.map(({ work }) => work));
      for (const [i, waiting] of batch.entries()) {
        waiting.resolve(results[i]);
        free(waiting);
      }
    } catch (error) {
      settleFailed(batch, error);
    }
  };
}

/**
 * Works that concern different things and come at the same time share one transaction: one commit, and their statements
 * travel together. The key says what a work is about. Two works of one key are never in one transaction, where a row
 * lock would not hold them apart, nor under way at the same time in this process. If one fails or meets a locked row,
 * each runs again alone, beside the batches that follow.
 */
export function shareCommits({ runTogether, runAlone, maxTogether = 32, maxInFlight = 2 }: ShareOptions) {
  const queue = keyedQueue(maxTogether);
  const underWay = createUnderWay();
  let scheduled = false;
  let second: NodeJS.Timeout | undefined;
  const runBatch = batchRunner({
    runTogether,
    runAlone,
    free(waiting) {
      queue.free(waiting);
      schedule();
    },
  });

  /** How long until another batch may begin. */
  function waitMs(): number {
    if (underWay.size() === 0) return 0;
    if (underWay.size() >= maxInFlight) return Number.POSITIVE_INFINITY;
    return SECOND_AFTER_MS - underWay.newestMs();
  }

  function begin(batch: Waiting[]): void {
    const end = underWay.begin();
    void runBatch(batch).finally(() => {
      end();
      schedule();
    });
  }

  function pump(): void {
    scheduled = false;
    clearTimeout(second);
    if (waitMs() <= 0) {
      const batch = queue.take();
      if (batch.length > 0) begin(batch);
    }
    // Works that are still queued although a batch may begin have a busy key. Its end calls `schedule` again.
    const ms = waitMs();
    if (!queue.isEmpty() && ms > 0 && ms < Number.POSITIVE_INFINITY) second = setTimeout(schedule, ms);
  }

  function schedule(): void {
    if (scheduled || queue.isEmpty()) return;
    scheduled = true;
    setImmediate(pump);
  }

  return {
    share: <T>(key: string, work: Work<T>): Promise<T> =>
      new Promise<T>((resolve, reject) => {
        queue.push({ key, work, resolve: resolve as (value: unknown) => void, reject });
        schedule();
      }),
    /** How long the oldest batch has been under way. */
    oldestMs: underWay.oldestMs,
  };
}
