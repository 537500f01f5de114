import { describe, expect, it } from 'vitest';
import { createBackground } from './background.ts';
import { createLoop } from './loop.ts';
import { createTicker } from './ticker.ts';

const queue = <Item>(items: Item[]) => ({ claim: async (capacity: number) => items.splice(0, capacity) });

describe('a loop', () => {
  it('never runs more at once than it may, and works everything off', async () => {
    const items = Array.from({ length: 50 }, (_, i) => i);
    let [running, most, done] = [0, 0, 0];
    const loop = createLoop<number>({
      name: 'test',
      ...queue(items),
      maxInFlight: 4,
      onError: () => {},
      async run() {
        running += 1;
        most = Math.max(most, running);
        await new Promise(setImmediate);
        running -= 1;
        done += 1;
      },
    });
    await loop.drain();
    expect([done, most]).toEqual([50, 4]);
  });

  it('goes on after a failure, of one item or of the claim', async () => {
    const seen: string[] = [];
    const items = ['bad', 'good'];
    let claims = 0;
    const loop = createLoop<string>({
      name: 'test',
      maxInFlight: 1,
      onError: error => seen.push((error as Error).message),
      claim: async capacity => {
        claims += 1;
        if (claims === 1) throw new Error('no database');
        return items.splice(0, capacity);
      },
      async run(item) {
        if (item === 'bad') throw new Error('bad item');
        seen.push(item);
      },
    });
    await loop.drain();
    await loop.drain();
    expect(seen).toEqual(['no database', 'bad item', 'good']);
  });
});

describe('a ticker', () => {
  it('never sweeps twice at once, goes on while there is more, and survives a failure', async () => {
    let [running, sweeps] = [0, 0];
    const errors: unknown[] = [];
    const ticker = createTicker({
      name: 'test',
      everyMs: 1,
      onError: error => errors.push(error),
      async work() {
        running += 1;
        expect(running).toBe(1);
        await new Promise(setImmediate);
        running -= 1;
        sweeps += 1;
        if (sweeps === 2) throw new Error('once');
        return sweeps < 5;
      },
    });
    ticker.start();
    await expect.poll(() => sweeps).toBeGreaterThanOrEqual(5);
    await ticker.stop();
    const atStop = sweeps;
    ticker.wake();
    await ticker.drain();
    expect([sweeps, errors.length]).toEqual([atStop, 1]);
  });
});

describe('background work', () => {
  it('is waited for, with what it begins, and its failure is reported', async () => {
    const failures: string[] = [];
    const background = createBackground((error, what) => failures.push(`${what}: ${(error as Error).message}`));
    const done: string[] = [];
    background.add(
      (async () => {
        await new Promise(setImmediate);
        done.push('outer');
        background.add(
          (async () => {
            await new Promise(setImmediate);
            done.push('inner');
          })(),
          'inner',
        );
      })(),
      'outer',
    );
    background.add(Promise.reject(new Error('no')), 'failing');
    await background.settle();
    expect([done, failures]).toEqual([['outer', 'inner'], ['failing: no']]);
  });
});
