import type { Work } from '../transaction.ts';

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

/**
 * Works that concern different things and come at the same time share one transaction: one commit, and their statements
 * travel together. The key says what a work is about. Two works of one key are never in one transaction, where a row
 * lock would not hold them apart, nor under way at the same time in this process. If one fails, all run again alone.
 */
export function shareCommits({ runTogether, runAlone, maxTogether = 32, maxInFlight = 2 }: ShareOptions) {
  let queue: Waiting[] = [];
  const busy = new Set<string>();
  let inFlight = 0;
  let scheduled = false;

  function take(): Waiting[] {
    const taken: Waiting[] = [];
    const left: Waiting[] = [];
    for (const waiting of queue) {
      const isFree = taken.length < maxTogether && !busy.has(waiting.key);
      if (isFree) busy.add(waiting.key);
      (isFree ? taken : left).push(waiting);
    }
    queue = left;
    return taken;
  }

  const alone = ({ work, resolve, reject }: Waiting): Promise<void> => runAlone(work).then(resolve, reject);

  async function runBatch(batch: Waiting[]): Promise<void> {
    if (batch.length === 1) return alone(batch[0]!);
    try {
      const results = await runTogether(batch.map(({ work }) => work));
      for (const [i, { resolve }] of batch.entries()) resolve(results[i]);
    } catch {
      await Promise.all(batch.map(alone));
    }
  }

  function pump(): void {
    scheduled = false;
    while (inFlight < maxInFlight) {
      const batch = take();
      if (batch.length === 0) return;
      inFlight++;
      void runBatch(batch).finally(() => {
        inFlight--;
        for (const { key } of batch) busy.delete(key);
        schedule();
      });
    }
  }

  function schedule(): void {
    if (scheduled || queue.length === 0) return;
    scheduled = true;
    setImmediate(pump);
  }

  return <T>(key: string, work: Work<T>): Promise<T> =>
    new Promise<T>((resolve, reject) => {
      queue.push({ key, work, resolve: resolve as (value: unknown) => void, reject });
      schedule();
    });
}
