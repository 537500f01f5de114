import type { Queryable } from '../../db/db.ts';
import { AppError } from '../../kit/app-error.ts';
import { systemClock } from '../../kit/clock.ts';
import { createRateLimiter, DELAY_SPENT_MS, type RateLimiter, refuseFlood } from '../rate-limit.ts';
import { findRateCount } from './rate-count.sql.ts';
import { digestOf, type SharedLimits } from './share-limits.ts';

/** What one company may use; 0: no limit. */
export interface BudgetLimits {
  requestsPerMinute: number;
  providerCallsPerHour: number;
  sandboxOrdersPerDay: number;
  /** What its calls write, roughly; in megabytes. */
  storagePerDay: number;
  games: number;
  keys: number;
  streams: number;
  examsPerHour: number;
}

export const COUNTED = ['requests', 'providerCalls', 'sandboxOrders', 'storage'] as const;
export type Counted = (typeof COUNTED)[number];

/** Each company has a budget of its own, so that one of them never takes what the others need. */
export interface Budgets {
  limits: BudgetLimits;
  /** Counted over all processes by the companies' ids. */
  limiters: Record<Counted, RateLimiter>;
  /** Counts one more, or refuses it with the time after which there is budget again; nothing is to be waited for where it counts. */
  take(what: Counted, companyId: string, cost?: number): Promise<void> | null;
  /** As far as this process or the database knows, whichever knows more. */
  usedOf(db: Queryable, what: Counted, companyId: string): Promise<number>;
}

const MINUTE_MS = 60_000;
const HOUR_MS = 3_600_000;
const DAY_MS = 86_400_000;
const MOST_COMPANIES = 100_000;

export const WINDOW_MS: Record<Counted, number> = {
  requests: MINUTE_MS,
  providerCalls: HOUR_MS,
  sandboxOrders: DAY_MS,
  storage: DAY_MS,
};

export const KB_IN_MB = 1024;

const nameOf = (what: Counted): string => `company ${what}`;

export function createBudgets(limits: BudgetLimits, shared: Pick<SharedLimits, 'share'>): Budgets {
  const open = (what: Counted, limit: number): RateLimiter =>
    shared.share(
      nameOf(what),
      createRateLimiter({ limit, windowMs: WINDOW_MS[what], maxKeys: MOST_COMPANIES, clock: systemClock }),
    );
  const limiters = {
    requests: open('requests', limits.requestsPerMinute),
    providerCalls: open('providerCalls', limits.providerCallsPerHour),
    sandboxOrders: open('sandboxOrders', limits.sandboxOrdersPerDay),
    // In kilobytes, so that the smallest call counts.
    storage: open('storage', limits.storagePerDay * KB_IN_MB),
  };
  return {
    limits,
    limiters,
    take(what, companyId, cost = 1) {
      const limiter = limiters[what];
      if (!limiter.isOn) return null;
      const allowance = limiter.take(companyId, cost);
      if (allowance.allowed) return null;
      // Slowly from the first one on: refusing as fast as a company sends would take time from the others.
      return new Promise((_, reject) => refuseFlood({ ...allowance, isFlood: true }, reject, DELAY_SPENT_MS));
    },
    async usedOf(db, what, companyId) {
      const { limit, remaining } = limiters[what].peek(companyId);
      const known = await findRateCount(db, nameOf(what), digestOf(nameOf(what), companyId));
      return Math.max(limit - remaining, known);
    },
  };
}

const ORDER_KB = 7;

/** Counts an order that is about to be created. */
export function takeOrder(
  budgets: Budgets,
  { companyId, mode }: { companyId: string; mode: 'live' | 'sandbox' },
): Promise<void> | null {
  const refused = mode === 'sandbox' ? budgets.take('sandboxOrders', companyId) : null;
  return refused ?? budgets.take('storage', companyId, ORDER_KB);
}

const ASK_AGAIN_SECONDS = 3_600;

/** Refuses one more of what a company keeps, such as games. It has room again when a member removes one. */
export function assertCapacity(what: string, kept: number, most: number, waitSeconds = ASK_AGAIN_SECONDS): void {
  if (most === 0 || kept < most) return;
  throw new AppError('rate_limited', {
    detail: `A company can have ${most} ${what}.`,
    headers: { 'retry-after': String(waitSeconds) },
  });
}
