import { startProgram, type TestProgram } from '@coinslot/testing/program';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { AuthenticatedKey, KeyAuthenticator } from '../../domain/game/keys/authenticate-key.ts';
import { addressKey, createRateLimiter } from '../../http/rate-limit.ts';
import { systemClock } from '../../kit/clock.ts';
import { admitKey } from './s2s-shop.ts';

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

  describe('side by side', () => {
    const LIMIT = 20;
    const limiter = () => createRateLimiter({ limit: LIMIT, windowMs: 60_000, maxKeys: 10, clock: systemClock });
    /** Answers all at the end, as a busy database would. */
    const slow = (answer: AuthenticatedKey | null) => {
      const lookups: boolean[] = [];
      const authenticateKey: KeyAuthenticator = async (_header, isTrusted) => {
        lookups.push(isTrusted!());
        return Promise.resolve(answer);
      };
      return { lookups, authenticateKey };
    };
    const call = (gate: Parameters<typeof admitKey>[0]) => admitKey(gate, 'Bearer sk_sandbox_x', '192.0.2.7');

    it('is counted before the first key is looked up, and only so many are looked up freely (row 75)', async () => {
      const { lookups, authenticateKey } = slow(null);
      const gate = { authenticateKey, guessLimiter: limiter() };
      const answers = await Promise.allSettled(Array.from({ length: 200 }, async () => call(gate)));
      expect(lookups.filter(Boolean)).toHaveLength(LIMIT);
      expect(answers.map(answer => (answer as PromiseRejectedResult).reason.code)).toEqual([
        ...Array.from({ length: LIMIT }, () => 'unauthorized'),
        ...Array.from({ length: 200 - LIMIT }, () => 'rate_limited'),
      ]);
    });

    it('right keys use up nothing, nor do look-ups that failed', async () => {
      const guessLimiter = limiter();
      const right = slow({ keyId: 'key_1' } as AuthenticatedKey);
      for (let n = 0; n < 3 * LIMIT; n++) await call({ authenticateKey: right.authenticateKey, guessLimiter });
      const away: KeyAuthenticator = async (_header, isTrusted) => {
        isTrusted!();
        return Promise.reject(new Error('the database is away'));
      };
      for (let n = 0; n < 3 * LIMIT; n++)
        await expect(call({ authenticateKey: away, guessLimiter })).rejects.toThrow('away');
      expect(guessLimiter.peek(addressKey('192.0.2.7')).remaining).toBe(LIMIT);
    });
  });
});
