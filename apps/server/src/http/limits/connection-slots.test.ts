import { startProgram, type TestProgram } from '@coinslot/testing/program';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createConnectionSlots } from './connection-slots.ts';

describe('answers that wait', () => {
  it('are bounded by every name they have, and the oldest goes first', () => {
    const slots = createConnectionSlots();
    const ended: number[] = [];
    const limit = (name: string, most: number) => ({ name, most });
    for (const n of [1, 2, 3]) slots.hold([limit('page', 2), limit('address', 10)], () => ended.push(n));
    expect(ended).toEqual([1]);
    expect([slots.count('page'), slots.count('address')]).toEqual([2, 2]);
  });

  it('give their slot back when they are answered', () => {
    const slots = createConnectionSlots();
    const ended: number[] = [];
    slots.hold([{ name: 'page', most: 1 }], () => ended.push(1))();
    slots.hold([{ name: 'page', most: 1 }], () => ended.push(2));
    expect([ended, slots.count('page')]).toEqual([[], 1]);
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
