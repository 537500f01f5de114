import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startProgram, type TestProgram } from '../../testing/program.ts';

let shop: TestProgram;

beforeAll(async () => {
  shop = await startProgram({ workers: false });
});
afterAll(() => shop?.close());

describe('an attacker who tries keys', () => {
  it('is told to wait after some hundred, and a good key from the same address is not (rows 75, 76)', async () => {
    const guess = (nth: number) => shop.call('GET', '/s2s/v1/orders', undefined, { key: `sk_sandbox_${nth}` });
    const answers: { status: number; headers: Headers; body: Record<string, unknown> }[] = [];
    for (let nth = 0; nth < 320; nth += 16) {
      answers.push(...(await Promise.all(Array.from({ length: 16 }, (_, i) => guess(nth + i)))));
    }
    expect(answers.filter(({ status }) => status === 401)).toHaveLength(300);
    const last = answers.at(-1)!;
    expect([last.status, last.body.code]).toEqual([429, 'rate_limited']);
    expect(Number(last.headers.get('retry-after'))).toBeGreaterThan(0);
    expect((await shop.call('GET', '/s2s/v1/orders')).status).toBe(200);
  });
});
