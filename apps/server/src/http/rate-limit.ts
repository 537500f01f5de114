import { AppError } from '../kit/app-error.ts';
import type { Clock } from '../kit/clock.ts';

// Our own and not @fastify/rate-limit: that one works per route through an async store, and the request path of an order
// cannot spare it. This is one map look-up; what the other processes counted is learned beside the requests (limits/).

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
  /** Far over the limit: a caller that waits for no answer. */
  isFlood: boolean;
}

/** What one key used here since it was last shared. */
export interface Unshared {
  key: string;
  used: number;
  ageMs: number;
  windowMs: number;
  /** The sum over all processes, and how long ago the window began that they share. */
  learn(total: number, ageMs: number): void;
}

export interface RateLimiter {
  readonly isOn: boolean;
  /** Counts one request, or what it is worth. */
  take(key: string, cost?: number): Allowance;
  /** Takes back one that was counted and turned out to be no matter of this limit. */
  uncount(key: string): void;
  /** Looks without counting. */
  peek(key: string): Allowance;
  /** Calls when there is something to share; without it a limit counts within one process. */
  onUnshared(wake: () => void): void;
  hasUnshared(): boolean;
  takeUnshared(): Unshared[];
}

interface Window {
  startedMs: number;
  used: number;
  /** Of `used`: already told to the other processes. */
  shared: number;
  /** Used in the other processes, as far as known. */
  others: number;
}

/** A process keeps at most this part of a limit to itself. */
const SHARED_STEPS = 50;
const FLOOD_TIMES = 2;

const isCurrent = ({ startedMs }: Window, nowMs: number, windowMs: number): boolean =>
  // A clock that was set back must not lock a key for longer than one window.
  nowMs >= startedMs && nowMs < startedMs + windowMs;

const totalOf = (window: Window | undefined): number => (window ? window.used + window.others : 0);

function unsharedOf(window: Window, clock: Clock): Pick<Unshared, 'used' | 'ageMs' | 'learn'> {
  const told = window.used;
  const used = told - window.shared;
  window.shared = told;
  return {
    used,
    ageMs: clock.nowMs() - window.startedMs,
    learn(total, ageMs) {
      window.others = Math.max(0, total - told);
      window.startedMs = Math.min(window.startedMs, clock.nowMs() - ageMs);
    },
  };
}

/** A window for each key, begun by its first request: a burst may use all of its own at once. */
export function createRateLimiter({ limit, windowMs, maxKeys, clock }: RateLimitOptions): RateLimiter {
  const windows = new Map<string, Window>();
  const unshared = new Map<string, Window>();
  const step = Math.ceil(limit / SHARED_STEPS);
  let wake: (() => void) | null = null;

  function current(key: string, nowMs: number): Window | undefined {
    const window = windows.get(key);
    return window && isCurrent(window, nowMs, windowMs) ? window : undefined;
  }

  function begin(key: string, nowMs: number): Window {
    const window = { startedMs: nowMs, used: 0, shared: 0, others: 0 };
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
    remaining: Math.max(0, limit - totalOf(window)),
    resetSeconds: window ? Math.ceil((window.startedMs + windowMs - nowMs) / 1000) : 0,
    isFlood: limit > 0 && totalOf(window) > FLOOD_TIMES * limit,
  });

  /** Once the limit is reached the others have heard of it, or soon will: what is refused is not worth a word. */
  function share(key: string, window: Window, cost: number): void {
    if (!wake || window.used - window.shared < step || totalOf(window) - cost > limit || unshared.has(key)) return;
    unshared.set(key, window);
    wake();
  }

  return {
    isOn: limit > 0,
    take(key, cost = 1) {
      const nowMs = clock.nowMs();
      const window = current(key, nowMs) ?? begin(key, nowMs);
      window.used += cost;
      share(key, window, cost);
      return allowance(window, nowMs, limit === 0 || totalOf(window) <= limit);
    },
    uncount(key) {
      const window = current(key, clock.nowMs());
      // What the others were told stays counted.
      if (window && window.used > window.shared) window.used--;
    },
    peek(key) {
      const nowMs = clock.nowMs();
      const window = current(key, nowMs);
      return allowance(window, nowMs, limit === 0 || totalOf(window) < limit);
    },
    onUnshared(call) {
      if (limit > 0) wake = call;
    },
    hasUnshared: () => unshared.size > 0,
    takeUnshared() {
      const nowMs = clock.nowMs();
      const taken = [...unshared].filter(([, window]) => isCurrent(window, nowMs, windowMs));
      unshared.clear();
      return taken.map(([key, window]) => ({ key, windowMs, ...unsharedOf(window, clock) }));
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

/** How long the refusal of a flood is held back, and how many at once. */
const HELD_MS = 250;
const MAX_HELD = 2_000;
let held = 0;

/**
 * Answers what is over the limit. A caller far over it waits for the answer: refusing as fast as it sends would take the time
 * of every other caller.
 */
export function refuseFlood(allowance: Allowance, next: (error: Error) => void): void {
  const refusal = tooManyRequests(allowance);
  if (!allowance.isFlood || held >= MAX_HELD) {
    next(refusal);
    return;
  }
  held++;
  setTimeout(() => {
    held--;
    next(refusal);
  }, HELD_MS);
}

/** One caller behind an address: IPv6 callers own a whole /64, so they are counted by it. */
export function addressKey(address: string | undefined): string {
  // Node no longer knows where a caller was once its connection is cut, although the types say so.
  if (!address) return 'gone';
  if (!address.includes(':') || address.startsWith('::ffff:')) return address;
  const [head = '', tail = ''] = address.split('::');
  const left = head === '' ? [] : head.split(':');
  const right = tail === '' ? [] : tail.split(':');
  const groups = address.includes('::')
    ? [...left, ...Array(8 - left.length - right.length).fill('0'), ...right]
    : left;
  return groups.slice(0, 4).join(':');
}
