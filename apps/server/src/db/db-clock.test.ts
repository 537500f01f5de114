import { type TestDatabase, testDatabase } from '@coinslot/testing/database';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createDbClock } from './db-clock.ts';

let database: TestDatabase;

const HOUR_MS = 3_600_000;
/** The database answers within this; everything else here is hours apart. */
const NEAR_MS = 60_000;

const databaseMs = async (): Promise<number> => {
  const [row] = await database.db.query<{ now: Date }>({ name: '', text: 'select app_now() as now', values: [] });
  return row!.now.getTime();
};

beforeAll(async () => {
  database = await testDatabase();
});

afterAll(() => database?.drop());

describe('the clock that signs', () => {
  it('is the database’s, however wrong this host’s clock is or becomes, and says how wrong (rows 31, 84)', async () => {
    const host = { offMs: 3 * HOUR_MS, nowMs: () => Date.now() + host.offMs };
    const clock = createDbClock(database.db, host);
    for (const offMs of [3 * HOUR_MS, -5 * HOUR_MS, 0]) {
      host.offMs = offMs;
      await clock.refresh();
      const difference = Math.abs(clock.nowMs() - (await databaseMs()));
      expect(difference).toBeLessThan(NEAR_MS);
      expect(Math.abs(clock.skewMs() - offMs)).toBeLessThan(NEAR_MS);
    }
  });
});
