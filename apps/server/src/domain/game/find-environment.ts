import type { Queryable } from '../../db/db.ts';
import { type Clock, systemClock } from '../../kit/clock.ts';
import { createTtlCache } from '../../kit/ttl-cache.ts';
import { findEnvironment } from './environment.sql.ts';
import type { Environment } from './environment.ts';

/** The environment of an id that is known already, such as an order's; a few seconds old at most. */
export function createEnvironmentReader(
  db: Queryable,
  clock: Clock = systemClock,
): (environmentId: string) => Promise<Environment | null> {
  const find = createTtlCache({
    load: (environmentId: string) => findEnvironment(db, environmentId),
    clock,
    freshMs: 5_000,
    absentMs: 1_000,
    maxEntries: 10_000,
  });
  return async environmentId => find(environmentId);
}
