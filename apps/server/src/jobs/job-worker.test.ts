import { type TestDatabase, testDatabase } from '@coinslot/testing/database';
import { gate } from '@coinslot/testing/gate';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { sql } from '../db/sql.ts';
import { createJobWorker, type JobHandlers } from './job-worker.ts';
import { insertJob, type Job } from './jobs.sql.ts';

let database: TestDatabase;
const errors: unknown[] = [];

const worker = (handlers: JobHandlers, leaseSeconds = 60) =>
  createJobWorker({ db: database.db, handlers, random: () => 0.5, onError: error => errors.push(error), leaseSeconds });

const enqueue = (name: string, payload: Record<string, unknown> = {}, inSeconds = 0) =>
  database.db.transaction(async tx => insertJob(tx, { name, environmentId: null, payload, inSeconds }));

const waiting = (): Promise<{ name: string; tries: number; lastError: string | null; dueInSeconds: number }[]> =>
  database.db.query(sql('test_jobs')`
    select name, tries, last_error as "lastError", extract(epoch from run_at - app_now())::float as "dueInSeconds"
    from jobs order by id`);

beforeAll(async () => {
  database = await testDatabase();
});

afterEach(async () => {
  errors.splice(0);
  await database.db.query({ name: '', text: 'delete from jobs', values: [] });
});

afterAll(() => database?.drop());

describe('a job', () => {
  it('exists exactly when the change that caused it does', async () => {
    const failing = database.db.transaction(async tx => {
      insertJob(tx, { name: 'greet', environmentId: null, payload: {} });
      throw new Error('undone');
    });
    await expect(failing).rejects.toThrow('undone');
    expect(await waiting()).toEqual([]);
  });

  it('runs once and is gone', async () => {
    const seen: unknown[] = [];
    await enqueue('greet', { who: 'Ada' });
    const jobs = worker({ greet: async job => void seen.push(job.payload) });
    await jobs.drain();
    await jobs.drain();
    expect([seen, await waiting()]).toEqual([[{ who: 'Ada' }], []]);
  });

  it('waits for its time', async () => {
    const ran: string[] = [];
    await enqueue('later', {}, 600);
    const jobs = worker({ later: async () => void ran.push('ran') });
    await jobs.drain();
    expect(ran).toEqual([]);
    await database.advance(601);
    await jobs.drain();
    expect(ran).toEqual(['ran']);
  });

  it('that fails is tried again, ever more rarely, with its reason kept', async () => {
    let broken = true;
    await enqueue('fragile');
    const jobs = worker({
      fragile: async () => {
        if (broken) throw new Error('the server is down');
      },
    });
    for (const [i, step] of [2, 4, 8].entries()) {
      await jobs.drain();
      const [job] = await waiting();
      expect(job).toMatchObject({ tries: i + 1, lastError: 'the server is down' });
      expect(step - job!.dueInSeconds).toBeLessThan(2);
      await database.advance(step);
    }
    expect(errors).toHaveLength(3);
    broken = false;
    await jobs.drain();
    expect(await waiting()).toEqual([]);
  });

  it('that this version does not know waits for the one that does, and holds up no other (row 79)', async () => {
    const ran: string[] = [];
    await enqueue('from.the.future');
    await enqueue('known');
    await worker({ known: async () => void ran.push('ran') }).drain();
    expect(ran).toEqual(['ran']);
    expect(await waiting()).toMatchObject([
      { name: 'from.the.future', lastError: expect.stringContaining('no handler') },
    ]);
    await database.advance(10);
    await worker({ 'from.the.future': async () => {} }).drain();
    expect(await waiting()).toEqual([]);
  });
});

describe('two workers', () => {
  it('share the jobs, and each is run once (row 47)', async () => {
    const ran: unknown[] = [];
    for (let i = 0; i < 80; i++) await enqueue('count', { i });
    const handlers = { count: async (job: Job) => void ran.push(job.payload.i) };
    await Promise.all([worker(handlers).drain(), worker(handlers).drain()]);
    expect(ran.toSorted((a, b) => Number(a) - Number(b))).toEqual(Array.from({ length: 80 }, (_, i) => i));
    expect(await waiting()).toEqual([]);
  });

  it('take over from one that died when its lease is over, not before', async () => {
    const dead = gate();
    await enqueue('slow');
    const dying = worker({ slow: () => dead.opened });
    const never = dying.drain();
    await expect.poll(async () => (await waiting())[0]?.tries).toBe(1);
    const ran: string[] = [];
    const heir = worker({ slow: async () => void ran.push('ran') });
    await heir.drain();
    expect(ran).toEqual([]);
    await database.advance(61);
    await heir.drain();
    expect([ran, await waiting()]).toEqual([['ran'], []]);
    dead.open();
    await never;
  });

  it('leave a job alone that takes many leases: it runs once (row 91)', async () => {
    const long = gate();
    let runs = 0;
    await enqueue('long');
    const handlers = {
      long: async () => {
        runs += 1;
        await long.opened;
      },
    };
    const first = worker(handlers, 1);
    const working = first.drain();
    await expect.poll(() => runs).toBe(1);
    const second = worker(handlers, 1);
    const startedMs = performance.now();
    await expect
      .poll(
        async () => {
          await second.drain();
          return performance.now() - startedMs;
        },
        { interval: 100 },
      )
      .toBeGreaterThan(4_000);
    expect(runs).toBe(1);
    long.open();
    await working;
    expect([runs, errors, await waiting()]).toEqual([1, [], []]);
  });

  it('do not undo each other: the late word of one that was away is ignored (row 15)', async () => {
    const [away, fails] = [gate(), gate()];
    await enqueue('slow');
    const stalled = worker({ slow: () => away.opened });
    const finishing = stalled.drain();
    await expect.poll(async () => (await waiting())[0]?.tries).toBe(1);
    await database.advance(61);
    const heir = worker({ slow: () => fails.opened });
    const working = heir.drain();
    await expect.poll(async () => (await waiting())[0]?.tries).toBe(2);
    away.open();
    await finishing;
    // The stalled one says "done"; the job belongs to the other now and is still there.
    expect(await waiting()).toMatchObject([{ tries: 2 }]);
    fails.open();
    await working;
    expect(await waiting()).toEqual([]);
  });
});

describe('a worker that stops', () => {
  it('finishes what it has and takes nothing more (row 48)', async () => {
    const slow = gate();
    const ran: string[] = [];
    await enqueue('first');
    const jobs = worker({
      first: async () => {
        await slow.opened;
        ran.push('first');
      },
      second: async () => void ran.push('second'),
    });
    jobs.wake();
    await expect.poll(async () => (await waiting())[0]?.tries).toBe(1);
    const stopping = jobs.stop();
    await enqueue('second');
    jobs.wake();
    slow.open();
    await stopping;
    expect(ran).toEqual(['first']);
    expect(await waiting()).toMatchObject([{ name: 'second', tries: 0 }]);
  });
});
