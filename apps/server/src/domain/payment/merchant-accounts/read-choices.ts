import type { Queryable } from '../../../db/db.ts';
import { systemClock } from '../../../kit/clock.ts';
import { createTtlCache } from '../../../kit/ttl-cache.ts';
import type { LiveRouting } from '../methods/live-routing.ts';
import type { MethodSwitches } from '../methods/methods.ts';
import { findRouting, listMethodSwitches } from './company-choices.sql.ts';

/** For pages: a few seconds old at most. */
function recently<T>(load: (companyId: string) => Promise<T>): (companyId: string) => Promise<T> {
  const find = createTtlCache({ load, clock: systemClock, freshMs: 2_000, absentMs: 2_000, maxEntries: 10_000 });
  return async companyId => (await find(companyId))!;
}

export async function readMethodSwitches(db: Queryable, companyId: string): Promise<MethodSwitches> {
  const rows = await listMethodSwitches(db, companyId);
  return new Map(rows.map(({ method, enabled }) => [method, enabled]));
}

export const createSwitchesReader = (db: Queryable) => recently(companyId => readMethodSwitches(db, companyId));

/** What the company chose of a live environment's routing. */
export type CompanyRouting = Required<Omit<LiveRouting, 'providers' | 'gameId'>>;

export async function readRouting(db: Queryable, companyId: string): Promise<CompanyRouting> {
  const { routes, refusals, rules, failsOver } = await findRouting(db, companyId);
  const refusing = (id: string) => refusals.filter(({ method }) => method === id).map(({ provider }) => provider);
  return {
    routes: new Map(routes.map(({ method, provider }) => [method, provider])),
    refusals: new Map(refusals.map(({ method }) => [method, new Set(refusing(method))])),
    rules,
    failsOver,
  };
}

export const createRoutingReader = (db: Queryable) => recently(companyId => readRouting(db, companyId));
