import { startProgram, type TestProgram } from '@coinslot/testing/program';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { systemClock } from '../kit/clock.ts';
import { timeWork } from './limits/request-work.ts';
import { createLogger } from './log.ts';
import { createRateLimiter } from './rate-limit.ts';
import { buildServer } from './server.ts';

let program: TestProgram;

beforeAll(async () => {
  program = await startProgram({ workers: false, env: { ADDRESS_LIMIT_PER_MINUTE: '100', TRUST_PROXY: '127.0.0.1' } });
});

afterAll(() => program.close());

const SMALL = '/dashboard/api/session';

interface Init {
  method?: string;
  headers?: Record<string, string>;
  body?: string;
}

/** As if from another address: the test's own is that of a trusted proxy. */
const from = (address: string, path: string, init: Init = {}) =>
  fetch(`${program.url}${path}`, { ...init, headers: { ...init.headers, 'x-forwarded-for': address } });

const post = (address: string, body: string) =>
  from(address, '/dashboard/api/session', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body,
  });

describe('an address without a key (row 108)', () => {
  it('is refused over its limit, learns when to come back, and takes no other address with it', async () => {
    const answers = await Promise.all(Array.from({ length: 101 }, () => from('203.0.113.1', SMALL)));
    const refused = answers.filter(answer => answer.status === 429);
    expect(refused).toHaveLength(1);
    expect(refused[0]!.headers.get('retry-after')).toMatch(/^\d+$/);
    expect((await from('203.0.113.2', SMALL)).status).toBe(200);
  });

  it('pays more for large bodies, before they are read', async () => {
    const large = JSON.stringify({ email: 'x'.repeat(200_000) });
    expect((await post('203.0.113.3', large)).status).not.toBe(429);
    expect((await post('203.0.113.3', large)).status).not.toBe(429);
    expect((await post('203.0.113.3', large)).status).toBe(429);
  });

  it('pays for what a request costs: a password to hash, long headers, a large answer', async () => {
    const form = { method: 'POST', headers: { 'content-type': 'application/json' }, body: '{}' };
    const { status } = await from('203.0.113.6', '/dashboard/api/sign_in', form);
    expect(status).not.toBe(429);
    const left = async (address: string): Promise<number> => {
      let n = 0;
      while ((await from(address, '/nothing')).status !== 429) n++;
      return n;
    };
    // A form to sign in costs as much as 25 plain requests.
    expect(await left('203.0.113.6')).toBe(75);
    await from('203.0.113.7', '/nothing', { headers: { 'x-long': 'x'.repeat(12 * 1024) } });
    expect(await left('203.0.113.7')).toBe(96);
    const answer = await from('203.0.113.8', '/openapi.json');
    const kib64 = Math.floor(Number(answer.headers.get('content-length') ?? (await answer.text()).length) / 65_536);
    expect(kib64).toBeGreaterThan(0);
    expect(await left('203.0.113.8')).toBe(99 - kib64);
  });

  it('pays for the time in which no other could be served, whatever took it (row 192)', async () => {
    const limiter = createRateLimiter({ limit: 100, windowMs: 60_000, maxKeys: 10, clock: systemClock });
    const app = buildServer({ publicUrl: 'http://localhost', logger: createLogger('silent'), addressLimiter: limiter });
    const spin = (ms: number): void => {
      const endMs = performance.now() + ms;
      while (performance.now() < endMs);
    };
    app.get<{ Params: { ms: string } }>('/spin/:ms', (request, reply) => {
      timeWork(request, () => spin(Number(request.params.ms)));
      void reply.send({});
    });
    await app.inject('/spin/0');
    const { remaining } = limiter.peek('127.0.0.1');
    await app.inject('/spin/130');
    await expect.poll(() => remaining - limiter.peek('127.0.0.1').remaining).toBeGreaterThanOrEqual(6);
    await app.close();
  });

  it('counts what it may not find too', async () => {
    await Promise.all(Array.from({ length: 100 }, () => from('203.0.113.4', '/nothing')));
    expect((await from('203.0.113.4', '/nothing')).status).toBe(429);
  });

  it('leaves health checks and calls with a key alone', async () => {
    await Promise.all(Array.from({ length: 101 }, () => from('203.0.113.5', '/openapi.json')));
    expect((await from('203.0.113.5', '/healthz')).status).toBe(200);
    const authorization = `Bearer ${program.account.sandbox.s2sKey}`;
    expect((await from('203.0.113.5', '/s2s/v1/orders', { headers: { authorization } })).status).toBe(200);
  });
});
