export interface CoalesceOptions<In, Out> {
  /** One statement for many callers; answers in the order of its input. */
  runMany(batch: In[]): Promise<Out[]>;
  maxBatch?: number;
  maxInFlight?: number;
}

interface Waiting<In, Out> {
  input: In;
  resolve: (value: Out) => void;
  reject: (error: unknown) => void;
}

/**
 * Concurrent calls share one statement and one commit. There is no timer: a lone call goes at once, and while
 * statements are under way the next callers batchRows. When a batch fails, each row is tried alone, so that one bad row
 * fails one caller.
 */
export function coalesce<In, Out>(options: CoalesceOptions<In, Out>): (input: In) => Promise<Out> {
  const { runMany, maxBatch = 256, maxInFlight = 2 } = options;
  const queue: Waiting<In, Out>[] = [];
  let inFlight = 0;
  let scheduled = false;

  async function runAlone(waiting: Waiting<In, Out>): Promise<void> {
    try {
      const [result] = await runMany([waiting.input]);
      waiting.resolve(result as Out);
    } catch (error) {
      waiting.reject(error);
    }
  }

  async function runBatch(batch: Waiting<In, Out>[]): Promise<void> {
    try {
      const results = await runMany(batch.map(waiting => waiting.input));
      for (const [i, waiting] of batch.entries()) waiting.resolve(results[i] as Out);
    } catch (error) {
      if (batch.length === 1) batch[0]!.reject(error);
      else for (const waiting of batch) await runAlone(waiting);
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
