import type { Queryable } from '../../../db/db.ts';
import { type Clock, systemClock } from '../../../kit/clock.ts';
import { createTtlCache } from '../../../kit/ttl-cache.ts';
import { listMethodSwitches } from './method-switch.sql.ts';
import type { MethodSwitches } from './methods.ts';

export async function readMethodSwitches(db: Queryable, companyId: string): Promise<MethodSwitches> {
  const rows = await listMethodSwitches(db, companyId);
  return new Map(rows.map(({ method, enabled }) => [method, enabled]));
}

/** For pages: a few seconds old at most. */
export function createSwitchesReader(
  db: Queryable,
  clock: Clock = systemClock,
): (companyId: string) => Promise<MethodSwitches> {
  const find = createTtlCache({
    load: (companyId: string) => readMethodSwitches(db, companyId),
    clock,
    freshMs: 2_000,
    absentMs: 2_000,
    maxEntries: 10_000,
  });
  return async companyId => (await find(companyId)) ?? new Map();
}
