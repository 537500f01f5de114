import { semaphore } from '../../kit/concurrency.ts';
import type { Tx, Work } from '../transaction.ts';
import { isWorthRetrying } from './under-way.ts';

export interface CoalesceOptions<In, Out> {
  /** One statement for many callers; answers in the order of its input. */
  runMany(tx: Tx, batch: In[]): Promise<Out[]>;
  maxBatch?: number;
  maxInFlight?: number;
}

interface Transactions {
  runTogether: (works: Work<unknown>[]) => Promise<unknown[]>;
  runAlone: <T>(work: Work<T>) => Promise<T>;
}

interface Waiting<In, Out> {
  input: In;
  resolve: (value: Out) => void;
  reject: (error: unknown) => void;
}

const MAX_ALONE = 4;

/**
 * Concurrent calls share one statement and one commit. There is no timer: a lone call goes at once, and while
 * statements are under way the next callers wait. When a batch fails, each row is tried alone, so that one bad or
 * locked row fails one caller, and those that come later do not wait for it.
 */
export function coalesce<In, Out>(options: CoalesceOptions<In, Out> & Transactions): (input: In) => Promise<Out> {
  const { runMany, runTogether, runAlone, maxBatch = 256, maxInFlight = 2 } = options;
  const queue: Waiting<In, Out>[] = [];
  const limited = semaphore(MAX_ALONE);
  let inFlight = 0;
  let scheduled = false;

  const alone = async ({ input, resolve, reject }: Waiting<In, Out>): Promise<void> =>
    runAlone(tx => runMany(tx, [input])).then(([result]) => resolve(result as Out), reject);

  async function runBatch(batch: Waiting<In, Out>[]): Promise<void> {
    const inputs = batch.map(({ input }) => input);
    try {
      const [results] = (await runTogether([tx => runMany(tx, inputs)])) as [Out[]];
      for (const [i, { resolve }] of batch.entries()) resolve(results[i] as Out);
    } catch (error) {
      for (const waiting of batch) {
        if (isWorthRetrying(error)) void limited(() => alone(waiting));
        else waiting.reject(error);
      }
    }
  }

  function pump(): void {
    scheduled = false;
    while (queue.length > 0 && inFlight < maxInFlight) {
      inFlight++;
      void runBatch(queue.splice(0, maxBatch)).finally(() => {
        inFlight--;
        if (queue.length > 0) pump();
      });
    }
  }

  return input =>
    new Promise<Out>((resolve, reject) => {
      queue.push({ input, resolve, reject });
      if (scheduled || inFlight >= maxInFlight) return;
      scheduled = true;
      setImmediate(pump);
    });
}
