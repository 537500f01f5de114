import { describe, expect, it } from 'vitest';
import type { Tx } from '../transaction.ts';
import { coalesce } from './coalesce.ts';

const gate = () => {
  let open = () => {};
  const opened = new Promise<void>(resolve => {
    open = resolve;
  });
  return { open, opened };
};

const tx = {} as Tx;
const transactions = {
  runTogether: (works: ((tx: Tx) => Promise<unknown>)[]) => Promise.all(works.map(work => work(tx))),
  runAlone: <T>(work: (tx: Tx) => Promise<T>) => work(tx),
};

describe('coalesced calls', () => {
  it('that come together share one batch, and each gets its own answer', async () => {
    const batches: number[][] = [];
    const double = coalesce<number, number>({
      ...transactions,
      runMany: async (_tx, batch) => {
        batches.push(batch);
        return batch.map(n => n * 2);
      },
    });
    expect(await Promise.all([1, 2, 3].map(double))).toEqual([2, 4, 6]);
    expect(batches).toEqual([[1, 2, 3]]);
  });

  it('wait for the next batch while the allowed batches are under way', async () => {
    const first = gate();
    const batches: number[][] = [];
    const call = coalesce<number, number>({
      maxInFlight: 1,
      ...transactions,
      runMany: async (_tx, batch) => {
        batches.push(batch);
        if (batches.length === 1) await first.opened;
        return batch;
      },
    });
    const one = call(1);
    await new Promise(resolve => setImmediate(resolve));
    const rest = [2, 3, 4].map(call);
    first.open();
    expect(await Promise.all([one, ...rest])).toEqual([1, 2, 3, 4]);
    expect(batches).toEqual([[1], [2, 3, 4]]);
  });

  it('never exceed the batch size', async () => {
    const sizes: number[] = [];
    const call = coalesce<number, number>({
      maxBatch: 4,
      ...transactions,
      runMany: async (_tx, batch) => {
        sizes.push(batch.length);
        return batch;
      },
    });
    await Promise.all(Array.from({ length: 10 }, (_, i) => call(i)));
    expect(Math.max(...sizes)).toBe(4);
    expect(sizes.reduce((a, b) => a + b)).toBe(10);
  });

  it('fail alone: a bad row does not take its neighbors down', async () => {
    const call = coalesce<number, number>({
      ...transactions,
      runMany: async (_tx, batch) => {
        if (batch.includes(13)) throw new Error('unlucky');
        return batch;
      },
    });
    const results = await Promise.allSettled([1, 13, 3].map(call));
    expect(results.map(r => r.status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
  });
});
