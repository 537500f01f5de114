import type { FastifyInstance, FastifyRequest } from 'fastify';
import { AppError } from '../kit/app-error.ts';
import type { Clock } from '../kit/clock.ts';

// We do not use @fastify/rate-limit: its asynchronous store is too slow for the creation of an order. Our limit is one map
// look-up, and the counts of other processes come in beside the requests (limits/).

export interface RateLimitOptions {
  /** Requests in one window; 0 switches the limit off. */
  limit: number;
  windowMs: number;
  /** Beyond it, the key whose window began first is forgotten. */
  maxKeys: number;
  clock: Clock;
}

export interface Allowance {
  allowed: boolean;
  limit: number;
  remaining: number;
  resetSeconds: number;
  /** The caller is far over the limit, so it does not wait for answers. */
  isFlood: boolean;
}

export interface Unshared {
  key: string;
  used: number;
  ageMs: number;
  windowMs: number;
  /** Takes over the sum of all processes and the age of the window that they share. */
  learn(total: number, ageMs: number): void;
}

export interface RateLimiter {
  readonly isOn: boolean;
  /** Counts a request; `cost` is more than 1 for a large one. */
  take(key: string, cost?: number): Allowance;
  /** Takes one request back that this limit should not have counted. */
  uncount(key: string): void;
  peek(key: string): Allowance;
  /** Sets what is called when counts can be shared; without it the limit counts within one process. */
  onUnshared(wake: () => void): void;
  hasUnshared(): boolean;
  takeUnshared(): Unshared[];
}

interface Window {
  startedMs: number;
  used: number;
  /** The part of `used` that the other processes know. */
  shared: number;
  /** Requests that the other processes counted, as far as this one knows. */
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
  const shared = window.used;
  const used = shared - window.shared;
  window.shared = shared;
  return {
    used,
    ageMs: clock.nowMs() - window.startedMs,
    learn(total, ageMs) {
      window.others = Math.max(0, total - shared);
      window.startedMs = Math.min(window.startedMs, clock.nowMs() - ageMs);
    },
  };
}

/** Each key has a window that its first request begins. A burst may use the whole window at once. */
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

  /** Does not share refused requests: the other processes know, or will soon know, that the limit is reached. */
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
      // A request that was shared stays counted.
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

function rateLimitHeaders({ limit, remaining, resetSeconds }: Allowance): Record<string, string> {
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

const DELAY_REFUSAL_MS = 250;
/** What is beyond a budget is refused later still, because more was looked up for it. */
export const DELAY_SPENT_MS = 1_000;
const MAX_DELAYED = 2_000;
let delayed = 0;

/**
 * Refuses a request over the limit. A caller far over it gets the refusal later: refusing as fast as it sends would take
 * time from every other caller.
 */
export function refuseFlood(
  allowance: Allowance,
  next: (error: Error) => void,
  delayMs: number = DELAY_REFUSAL_MS,
): void {
  const refusal = tooManyRequests(allowance);
  if (!allowance.isFlood) next(refusal);
  else void delayAnswer(delayMs).then(() => next(refusal));
}

/** A caller waits this long for a refusal, unless thousands wait already: what they hold would cost more than their answers. */
export async function delayAnswer(ms: number): Promise<void> {
  if (delayed >= MAX_DELAYED) return;
  delayed++;
  await new Promise(resolve => setTimeout(resolve, ms));
  delayed--;
}

/** Names the caller behind an address. An IPv6 caller owns a whole /64, so the key is that network. */
export function addressKey(address: string | undefined): string {
  // Node forgets the address when the connection is cut, although the types promise one.
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

/** Calls with an S2S key are limited by that key. */
const KEYED = '/s2s/';
/** Monitoring must see the program even when it shares its address with a flood. */
const UNLIMITED: ReadonlySet<string | undefined> = new Set(['/healthz', '/readyz', '/metrics']);
/** Each such part of a body costs as much as a request without a body. */
const BODY_BYTES = 4 * 1024;

/** A file is kept as it comes: it is neither parsed nor checked field by field. */
const FILE_BYTES = 256 * 1024;

/** As much of an answer as this costs another request: what is sent was read, made and packed before. */
const ANSWER_BYTES = 64 * 1024;

/** So much time in which no other request was served costs another: a plain one takes a fraction of it, also on a busy machine. */
const WORK_MS = 25;

declare module 'fastify' {
  interface FastifyContextConfig {
    /** What one call costs its address, in plain requests. */
    cost?: number;
    /** The route takes a file of one of these types as its body. */
    fileTypes?: readonly string[];
  }
}

const bytesOf = (headers: readonly string[]): number => headers.reduce((sum, text) => sum + text.length, 0);

/** A body of unknown length counts as the largest that the route accepts. */
export function bodyBytes({ headers, routeOptions }: FastifyRequest): number {
  const isChunked = headers['transfer-encoding'] !== undefined;
  const bytes = isChunked ? (routeOptions.bodyLimit ?? 0) : Number(headers['content-length'] ?? 0);
  return Math.min(bytes, routeOptions.bodyLimit ?? bytes);
}

/**
 * What a request costs before it is read: its route (one that hashes a password takes as long as fifty others), its headers
 * and its body.
 */
function costOf(request: FastifyRequest): number {
  const { raw, routeOptions } = request;
  const sent = bodyBytes(request) + bytesOf(raw.rawHeaders);
  return (routeOptions.config.cost ?? 1) + Math.floor(sent / (routeOptions.config.fileTypes ? FILE_BYTES : BODY_BYTES));
}

const isFree = (route: string | undefined): boolean => route?.startsWith(KEYED) === true || UNLIMITED.has(route);

/** Refuses a flood from one address before its body is read and before the database is asked. */
export function limitAddresses(app: FastifyInstance, limiter: RateLimiter): void {
  if (!limiter.isOn) return;
  app.addHook('onRequest', (request, _reply, next) => {
    const route = request.routeOptions.url;
    if (isFree(route)) {
      next();
      return;
    }
    const allowance = limiter.take(addressKey(request.ip), costOf(request));
    if (allowance.allowed) next();
    else refuseFlood(allowance, next);
  });
  app.addHook('onResponse', (request, reply, next) => {
    const route = request.routeOptions.url;
    const sent = Math.floor(Number(reply.getHeader('content-length') ?? 0) / ANSWER_BYTES);
    const extra = sent + Math.floor(request.workMs / WORK_MS);
    if (extra > 0 && !isFree(route)) limiter.take(addressKey(request.ip), extra);
    next();
  });
}
