import { startProgram, type TestProgram } from '@coinslot/testing/program';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createHeld } from './held.ts';

describe('answers that wait', () => {
  it('are bounded by every name they have, and the oldest goes first', () => {
    const held = createHeld();
    const ended: number[] = [];
    const place = (name: string, most: number) => ({ name, most });
    for (const n of [1, 2, 3]) held.hold([place('page', 2), place('address', 10)], () => ended.push(n));
    expect(ended).toEqual([1]);
    expect([held.count('page'), held.count('address')]).toEqual([2, 2]);
  });

  it('give their place back when they are answered', () => {
    const held = createHeld();
    const ended: number[] = [];
    held.hold([{ name: 'page', most: 1 }], () => ended.push(1))();
    held.hold([{ name: 'page', most: 1 }], () => ended.push(2));
    expect([ended, held.count('page')]).toEqual([[], 1]);
  });
});

describe('polls of one payment page (row 112)', () => {
  let program: TestProgram;
  beforeAll(async () => {
    program = await startProgram({ workers: false });
  });
  afterAll(() => program.close());

  it('a hundred of them do not stay: the oldest are answered at once', async () => {
    const { checkout_url } = await program.createOrder();
    const url = `${program.url}${new URL(checkout_url).pathname}/status?version=1`;
    const controller = new AbortController();
    let answered = 0;
    for (let n = 0; n < 100; n++)
      void fetch(url, { signal: controller.signal })
        .then(answer => answer.text())
        .then(
          () => answered++,
          () => {},
        );
    await expect.poll(() => answered, { timeout: 15_000 }).toBeGreaterThanOrEqual(90);
    controller.abort();
  });
});
