import { type TestDatabase, testDatabase } from '@coinslot/testing/database';
import { gate } from '@coinslot/testing/gate';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { fragment, type Queryable } from '../db/statement.ts';
import { insertJob, JOBS_DUE } from './jobs.sql.ts';
import { createLookout, type Watched } from './lookout.ts';

let database: TestDatabase;

beforeAll(async () => {
  database = await testDatabase();
});

afterAll(() => database?.drop());

const [always, never] = [fragment`true`, fragment`false`];
const PATIENCE = { timeout: 60_000, interval: 5 };

/** Counts who was woken, after the first time that wakes all. */
function watching(conditions: Record<string, Pick<Watched, 'isDue' | 'isUrgent'>>) {
  const woken: Record<string, number> = {};
  const watched = Object.entries(conditions).map(([name, condition]): Watched => {
    woken[name] = -1;
    const wake = (): void => {
      woken[name]! += 1;
    };
    return { ...condition, wake };
  });
  return { woken, watched };
}

/** A look that takes four times as long counts as one that does not come back. */
const BUSY_MS = 250;

const open = (db: Queryable, watched: Watched[], { everyMs = 5, errors = [] as unknown[] } = {}) =>
  createLookout({ db, watched, everyMs, onError: error => errors.push(error) });

describe('the lookout', () => {
  it('wakes those for whom there is something, when their signal was lost, and no others', async () => {
    const { woken, watched } = watching({ due: { isDue: always }, jobs: { isDue: JOBS_DUE }, idle: { isDue: never } });
    const lookout = open(database.db, watched, { everyMs: BUSY_MS });
    lookout.start();
    await expect.poll(() => woken.due, PATIENCE).toBeGreaterThan(0);
    expect([woken.jobs, woken.idle]).toEqual([0, 0]);
    await database.db.transaction(async tx => insertJob(tx, { name: 'unannounced', environmentId: null, payload: {} }));
    await expect.poll(() => woken.jobs, PATIENCE).toBeGreaterThan(0);
    await lookout.stop();
    const atStop = { ...woken };
    await database.db.query({ name: '', text: 'select 1', values: [] });
    expect([woken.idle, woken]).toEqual([0, atStop]);
  });

  it('looks four times as often for what is urgent', async () => {
    const { woken, watched } = watching({ urgent: { isDue: always, isUrgent: true }, due: { isDue: always } });
    const lookout = open(database.db, watched, { everyMs: BUSY_MS });
    lookout.start();
    await expect.poll(() => woken.due, PATIENCE).toBe(2);
    await lookout.stop();
    expect(woken.urgent! / woken.due!).toBeGreaterThan(2);
  });

  it('wakes everyone where the look fails, so that each looks by itself', async () => {
    const { woken, watched } = watching({ idle: { isDue: never } });
    const errors: unknown[] = [];
    const away = { ...database.db, query: () => Promise.reject(new Error('away')) } as unknown as Queryable;
    const lookout = open(away, watched, { errors });
    lookout.start();
    await expect.poll(() => woken.idle, PATIENCE).toBeGreaterThan(2);
    await lookout.stop();
    expect(errors.length).toBeGreaterThan(2);
  });

  it('wakes everyone where the look does not come back', async () => {
    const { woken, watched } = watching({ idle: { isDue: never } });
    const answer = gate();
    const hanging = {
      ...database.db,
      query: () => answer.opened.then(() => [{ due: [false] }]),
    } as unknown as Queryable;
    const lookout = open(hanging, watched);
    lookout.start();
    await expect.poll(() => woken.idle, PATIENCE).toBeGreaterThan(2);
    answer.open();
    await lookout.stop();
  });
});
