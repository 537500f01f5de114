import { type TestDatabase, testDatabase } from '@coinslot/testing/database';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createDb, type Db } from '../../db/db.ts';
import { sql } from '../../db/sql.ts';
import { systemClock } from '../../kit/clock.ts';
import { createRateLimiter, type RateLimiter } from '../rate-limit.ts';
import { type BudgetLimits, COUNTED, createBudgets, KB_IN_MB } from './budgets.ts';
import { createSharedLimits, type SharedLimits } from './share-limits.ts';
import { createStreamCounts } from './stream-counts.ts';

let database: TestDatabase;
let db: Db;
const opened: SharedLimits[] = [];

beforeAll(async () => {
  database = await testDatabase();
  db = createDb({ url: database.url, maxConnections: 4, onError: () => {} });
});

afterAll(async () => {
  await Promise.all(opened.map(shared => shared.stop()));
  await db.close();
  await database.drop();
});

/** One process of several: its own map, the same database. */
function startProcess(limit: number, clock = systemClock, errors: unknown[] = []): RateLimiter {
  const limiter = createRateLimiter({ limit, windowMs: 60_000, maxKeys: 100, clock });
  const shared = createSharedLimits(db, error => errors.push(error));
  opened.push(shared);
  shared.share('keys', limiter);
  return limiter;
}

const turn = (): Promise<void> => new Promise(resolve => setTimeout(resolve, 1));

/** Requests to each process in turn for a while, as a load balancer gives them out. */
async function flood(processes: RateLimiter[], key: string, rounds: number): Promise<number> {
  let allowed = 0;
  for (let round = 0; round < rounds; round++) {
    for (const limiter of processes) if (limiter.take(key).allowed) allowed++;
    await turn();
  }
  return allowed;
}

describe('a limit of several processes', () => {
  it('a flood at four processes is one flood', async () => {
    const processes = [1, 2, 3, 4].map(() => startProcess(200));
    const allowed = await flood(processes, 'key_a', 1_000);
    expect(allowed).toBeGreaterThanOrEqual(200);
    // Alone each would have allowed 200: what is beyond is one step of each, and what came while a statement was under way.
    expect(allowed).toBeLessThan(400);
    expect(processes.map(limiter => limiter.peek('key_a').allowed)).toEqual([false, false, false, false]);
  });

  it('keys do not count for each other', async () => {
    const processes = [startProcess(100), startProcess(100)];
    await flood(processes, 'key_b', 300);
    expect(processes[0]!.take('key_c')).toMatchObject({ allowed: true, remaining: 99 });
  });

  it('what is left counts what the others allowed', async () => {
    const [here, there] = [startProcess(50), startProcess(50)];
    for (let n = 0; n < 20; n++) here.take('key_d');
    await expect
      .poll(() => {
        there.take('key_d');
        return there.peek('key_d').remaining;
      })
      .toBeLessThan(30);
  });

  it('a new window begins for all', async () => {
    const clock = { offset: 0, nowMs: () => Date.now() + clock.offset };
    const limiter = startProcess(50, clock);
    for (let n = 0; n < 60; n++) limiter.take('key_e');
    await expect
      .poll(() => db.query(sql('t_rows')`select used from rate_counts`).then(rows => rows.length))
      .toBeGreaterThan(0);
    await db.query(sql('t_end')`update rate_counts set ends_at = clock_timestamp()`);
    clock.offset = 60_001;
    expect(limiter.take('key_e')).toMatchObject({ allowed: true, remaining: 49 });
  });

  it('without the database each process counts alone', async () => {
    const errors: unknown[] = [];
    const limiter = createRateLimiter({ limit: 10, windowMs: 60_000, maxKeys: 100, clock: systemClock });
    const away = createSharedLimits({ query: () => Promise.reject(new Error('away')) } as unknown as Db, error =>
      errors.push(error),
    );
    opened.push(away);
    away.share('keys', limiter);
    expect(await flood([limiter], 'key_f', 100)).toBe(10);
    expect(errors.length).toBeGreaterThan(0);
  });

  it('a caller that is seen a few times costs no statement', async () => {
    const limiter = startProcess(1_000);
    for (let n = 0; n < 19; n++) limiter.take('key_g');
    expect(limiter.hasUnshared()).toBe(false);
    limiter.take('key_g');
    expect(limiter.hasUnshared()).toBe(true);
  });
});

describe('the budgets of a company over two processes (row 182)', () => {
  const LIMITS: BudgetLimits = {
    requestsPerMinute: 100,
    providerCallsPerHour: 100,
    sandboxOrdersPerDay: 100,
    storagePerDay: 100 / KB_IN_MB,
    games: 0,
    keys: 0,
    streams: 0,
    examsPerHour: 0,
  };

  it.each(COUNTED)('%s are counted together, and no company pays for another', async what => {
    const processes = [1, 2].map(() => {
      const shared = createSharedLimits(db, () => {});
      opened.push(shared);
      return createBudgets(LIMITS, shared);
    });
    const limiters = processes.map(({ limiters: all }) => all[what]);
    const allowed = await flood(limiters, 'cmp_a', 200);
    expect(allowed).toBeGreaterThanOrEqual(100);
    // Alone each would have allowed 100.
    expect(allowed).toBeLessThan(190);
    await expect(processes[0]!.take(what, 'cmp_a')).rejects.toMatchObject({ code: 'rate_limited' });
    expect(processes[1]!.take(what, 'cmp_b')).toBeNull();
    expect(await processes[1]!.usedOf(db, what, 'cmp_a')).toBeGreaterThanOrEqual(100);
  });
});

describe('open streams of a company over two processes (row 182)', () => {
  it('are counted together, also beside a process that died with some', async () => {
    const [here, there] = [createStreamCounts(db, () => {}), createStreamCounts(db, () => {})];
    const leave = [await here.open('cmp_a', 3), await there.open('cmp_a', 3), await here.open('cmp_a', 3)];
    await expect(there.open('cmp_a', 3)).rejects.toMatchObject({
      code: 'rate_limited',
      headers: { 'retry-after': '30' },
    });
    await expect(here.open('cmp_a', 3)).rejects.toMatchObject({ code: 'rate_limited' });
    (await there.open('cmp_b', 3))();
    expect(await here.count('cmp_a')).toBe(3);
    leave[0]!();
    leave[0]!();
    await expect.poll(() => there.count('cmp_a')).toBe(2);
    leave.push(await there.open('cmp_a', 3));
    await db.query(sql('t_dead')`update open_streams set seen_at = seen_at - interval '2 minutes' where open = 1`);
    expect(await there.count('cmp_a')).toBe(2);
    await Promise.all([here.stop(), there.stop()]);
    expect(await db.queryAny(sql('t_left')`select 1 from open_streams`)).toBe(false);
  });
});
