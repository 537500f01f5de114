import { AppError } from '../kit/app-error.ts';
import type { Clock } from '../kit/clock.ts';

// Our own and not @fastify/rate-limit: that one works per route through an async store, and the request path of an order
// cannot spare it. This is one map look-up. It counts within one process, which the configuration reference says.

export interface RateLimitOptions {
  /** Requests in one window; 0 switches the limit off. */
  limit: number;
  windowMs: number;
  /** Keys remembered at once. The one whose window began first is forgotten beyond that. */
  maxKeys: number;
  clock: Clock;
}

export interface Allowance {
  allowed: boolean;
  limit: number;
  remaining: number;
  /** Seconds until the window ends. */
  resetSeconds: number;
}

export interface RateLimiter {
  readonly isOn: boolean;
  /** Counts one request. */
  take(key: string): Allowance;
  /** Looks without counting. */
  peek(key: string): Allowance;
}

interface Window {
  startedMs: number;
  used: number;
}

/** A window for each key, begun by its first request: a burst may use all of its own at once. */
export function createRateLimiter({ limit, windowMs, maxKeys, clock }: RateLimitOptions): RateLimiter {
  const windows = new Map<string, Window>();

  function current(key: string, nowMs: number): Window | undefined {
    const window = windows.get(key);
    // A clock that was set back must not lock a key for longer than one window.
    return window && nowMs >= window.startedMs && nowMs < window.startedMs + windowMs ? window : undefined;
  }

  function begin(key: string, nowMs: number): Window {
    const window = { startedMs: nowMs, used: 0 };
    windows.delete(key);
    windows.set(key, window);
    if (windows.size > maxKeys) {
      const oldest = windows.keys().next().value;
      if (oldest !== undefined) windows.delete(oldest);
    }
    return window;
  }

  const allowance = (window: Window | undefined, nowMs: number, allowed: boolean): Allowance => ({
    allowed,
    limit,
    remaining: Math.max(0, limit - (window?.used ?? 0)),
    resetSeconds: window ? Math.ceil((window.startedMs + windowMs - nowMs) / 1000) : 0,
  });

  return {
    isOn: limit > 0,
    take(key) {
      const nowMs = clock.nowMs();
      const window = current(key, nowMs) ?? begin(key, nowMs);
      window.used++;
      return allowance(window, nowMs, limit === 0 || window.used <= limit);
    },
    peek(key) {
      const nowMs = clock.nowMs();
      const window = current(key, nowMs);
      return allowance(window, nowMs, limit === 0 || (window?.used ?? 0) < limit);
    },
  };
}

export function rateLimitHeaders({ limit, remaining, resetSeconds }: Allowance): Record<string, string> {
  return {
    'ratelimit-limit': String(limit),
    'ratelimit-remaining': String(remaining),
    'ratelimit-reset': String(resetSeconds),
  };
}

export function tooManyRequests(allowance: Allowance): AppError {
  const waitSeconds = Math.max(1, allowance.resetSeconds);
  return new AppError('rate_limited', {
    detail: `${allowance.limit} requests are allowed in this time. Try again in ${waitSeconds} s.`,
    headers: { ...rateLimitHeaders(allowance), 'retry-after': String(waitSeconds) },
  });
}

/** One caller behind an address: IPv6 callers own a whole /64, so they are counted by it. */
export function addressKey(address: string): string {
  if (!address.includes(':') || address.startsWith('::ffff:')) return address;
  const [head = '', tail = ''] = address.split('::');
  const left = head === '' ? [] : head.split(':');
  const right = tail === '' ? [] : tail.split(':');
  const groups = address.includes('::')
    ? [...left, ...Array(8 - left.length - right.length).fill('0'), ...right]
    : left;
  return groups.slice(0, 4).join(':');
}
