import { describe, expect, it } from 'vitest';
import { addressKey, createRateLimiter, tooManyRequests } from './rate-limit.ts';

function limiterAt(limit: number, maxKeys = 100) {
  const clock = {
    time: 1_000_000,
    nowMs: () => clock.time,
  };
  return { clock, limiter: createRateLimiter({ limit, windowMs: 60_000, maxKeys, clock }) };
}

describe('a rate limit', () => {
  it('allows exactly its number in a window, and then again', () => {
    const { clock, limiter } = limiterAt(3);
    expect([1, 2, 3, 4].map(() => limiter.take('a').allowed)).toEqual([true, true, true, false]);
    clock.time += 59_999;
    expect(limiter.take('a').allowed).toBe(false);
    clock.time += 1;
    expect(limiter.take('a')).toMatchObject({ allowed: true, limit: 3, remaining: 2, resetSeconds: 60 });
  });

  it('counts keys apart', () => {
    const { limiter } = limiterAt(1);
    expect(limiter.take('a').allowed).toBe(true);
    expect(limiter.take('b').allowed).toBe(true);
    expect(limiter.take('a').allowed).toBe(false);
  });

  it('looks without counting', () => {
    const { limiter } = limiterAt(1);
    expect(limiter.peek('a')).toMatchObject({ allowed: true, limit: 1, remaining: 1, resetSeconds: 0 });
    limiter.take('a');
    expect(limiter.peek('a')).toMatchObject({ allowed: false, limit: 1, remaining: 0, resetSeconds: 60 });
  });

  it('is off at 0', () => {
    const { limiter } = limiterAt(0);
    expect(limiter.isOn).toBe(false);
    expect([1, 2, 3].every(() => limiter.take('a').allowed)).toBe(true);
  });

  it('remembers no more keys than it may', () => {
    const { limiter } = limiterAt(1, 2);
    for (const key of ['a', 'b', 'c']) limiter.take(key);
    expect(limiter.peek('a').allowed).toBe(true);
    expect(limiter.peek('b').allowed).toBe(false);
    expect(limiter.peek('c').allowed).toBe(false);
  });

  it('survives a clock that is set back', () => {
    const { clock, limiter } = limiterAt(1);
    limiter.take('a');
    clock.time -= 3_600_000;
    expect(limiter.take('a')).toMatchObject({ allowed: true, resetSeconds: 60 });
  });

  it('tells when to come back', () => {
    const { clock, limiter } = limiterAt(1);
    limiter.take('a');
    clock.time += 18_500;
    expect(tooManyRequests(limiter.take('a'))).toMatchObject({
      code: 'rate_limited',
      headers: { 'retry-after': '42', 'ratelimit-limit': '1', 'ratelimit-remaining': '0', 'ratelimit-reset': '42' },
    });
  });
});

describe('an address', () => {
  it.each([
    ['203.0.113.7', '203.0.113.7'],
    ['::ffff:203.0.113.7', '::ffff:203.0.113.7'],
    ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2'],
    ['2001:db8::1', '2001:db8:0:0'],
    ['::1', '0:0:0:0'],
    ['2001:db8:1:2::', '2001:db8:1:2'],
    [undefined, 'gone'],
  ])('%s is counted as %s', (address, key) => expect(addressKey(address)).toBe(key));
});
