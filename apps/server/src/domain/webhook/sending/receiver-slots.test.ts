import { setTimeout as sleep } from 'node:timers/promises';
import { type TestDatabase, testDatabase } from '@coinslot/testing/database';
import pg from 'pg';
import { afterAll, afterEach, beforeAll, expect, it, vi } from 'vitest';
import { createShareKeeper, nameWith } from '../../../db/process-share.ts';
import { createSignals, type Signals } from '../../../db/signals.ts';
import { createReceiverSlots, MOST_AT_ONCE, type ReceiverSlots } from './receiver-slots.ts';

const RECEIVER = 'https://game.example/webhook';
const SOON = { timeout: 60_000 };

interface Process {
  signals: Signals;
  slots: ReceiverSlots;
}

let database: TestDatabase;
const processes: Process[] = [];

async function startProcess(url = database.url): Promise<Process> {
  const signals = createSignals(url, () => {});
  const slots = createReceiverSlots(signals);
  processes.push({ signals, slots });
  await signals.start();
  return { signals, slots };
}

const stop = async ({ signals }: Process): Promise<void> => {
  processes.splice(
    processes.findIndex(one => one.signals === signals),
    1,
  );
  await signals.stop();
};

/** A receiver whose answers wait until the test lets them go. */
function silentReceiver() {
  const waiting: (() => void)[] = [];
  let most = 0;
  return {
    attempt: () => {
      const answered = new Promise<void>(resolve => waiting.push(resolve));
      most = Math.max(most, waiting.length);
      return answered;
    },
    open: () => waiting.length,
    most: () => most,
    answer: () => waiting.shift()?.(),
  };
}

beforeAll(async () => {
  database = await testDatabase();
});

afterEach(async () => {
  for (const { signals } of processes.splice(0)) await signals.stop();
});

afterAll(() => database?.drop());

it('belong to all processes together, and all of them to the one that is left', async () => {
  const first = await startProcess();
  expect(first.slots.ofThisProcess()).toBe(MOST_AT_ONCE);
  const others = await Promise.all([startProcess(), startProcess()]);
  for (const { slots } of [first, ...others]) await expect.poll(slots.ofThisProcess, SOON).toBe(21);
  await Promise.all(others.map(stop));
  await expect.poll(first.slots.ofThisProcess, SOON).toBe(MOST_AT_ONCE);
});

it('are counted also where the address of the database names its connections', async () => {
  const named = new URL(database.url);
  named.searchParams.set('application_name', 'our-shop');
  const all = [await startProcess(named.href), await startProcess(named.href)];
  for (const { slots } of all) await expect.poll(slots.ofThisProcess, SOON).toBe(32);
});

it('are not given to a process that starts before the others have given them back (row 215)', async () => {
  const receiver = silentReceiver();
  const older = await startProcess();
  const works = Array.from({ length: 100 }, () => older.slots.run(RECEIVER, receiver.attempt));
  await expect.poll(receiver.open).toBe(MOST_AT_ONCE);

  const younger = await startProcess();
  works.push(...Array.from({ length: 100 }, () => younger.slots.run(RECEIVER, receiver.attempt)));
  await expect.poll(older.slots.ofThisProcess, SOON).toBe(32);
  expect(younger.slots.ofThisProcess()).toBe(0);
  expect(receiver.open()).toBe(MOST_AT_ONCE);

  while (receiver.open() > 0) {
    receiver.answer();
    await sleep(2);
    if (receiver.open() === 0) await sleep(300);
  }
  await Promise.all(works);
  expect(receiver.most()).toBe(MOST_AT_ONCE);
  expect(younger.slots.ofThisProcess()).toBe(32);
});

it('are free again when who holds them stands still and keeps its connection (row 216)', async () => {
  const silent = new pg.Client({ connectionString: database.url });
  await silent.connect();
  await silent.query(`select set_config('application_name', $1, false)`, [nameWith(MOST_AT_ONCE)]);
  const other = await startProcess();
  expect(other.slots.ofThisProcess()).toBe(0);
  await expect.poll(other.slots.ofThisProcess, SOON).toBe(MOST_AT_ONCE);
  await silent.end();
}, 30_000);

it('are not used by a process that stood still before it has asked again (row 216)', async () => {
  const client = new pg.Client({ connectionString: database.url });
  await client.connect();
  const onChange = vi.fn();
  const keeper = createShareKeeper({ client: () => client, onChange, onError: () => {} });
  const usable = keeper.of({ most: MOST_AT_ONCE, inUse: () => 0 });
  await keeper.ask();
  await keeper.ask();
  expect(usable()).toBe(MOST_AT_ONCE);
  vi.useFakeTimers({ toFake: ['performance'], now: Date.now() });
  await keeper.ask();
  onChange.mockClear();
  vi.advanceTimersByTime(8_000);
  expect(usable()).toBe(0);
  await keeper.ask();
  expect(usable()).toBe(MOST_AT_ONCE);
  expect(onChange).toHaveBeenCalledOnce();

  // The answer was on its way when the time was over: who got nothing until then hears of it too.
  vi.advanceTimersByTime(5_000);
  const asked = keeper.ask();
  // By then it is asked for, and its answer needs the event loop.
  for (let turn = 0; turn < 3; turn++) await Promise.resolve();
  vi.advanceTimersByTime(3_000);
  expect(usable()).toBe(0);
  await asked;
  expect(onChange).toHaveBeenCalledTimes(2);
  vi.useRealTimers();
  await client.end();
});

it('stay within the limit while processes come and go at the same moment', async () => {
  const receiver = silentReceiver();
  const answering = setInterval(() => {
    for (let i = 0; i < 4; i++) receiver.answer();
  }, 1);
  const works: Promise<void>[] = [];
  for (let round = 0; round < 4; round++) {
    const started = await Promise.all([startProcess(), startProcess(), startProcess()]);
    for (const { slots } of started) {
      works.push(...Array.from({ length: 150 }, () => slots.run(RECEIVER, receiver.attempt)));
    }
    await Promise.all(works.splice(0));
    await stop(started[round % 3]!);
  }
  clearInterval(answering);
  expect(receiver.most()).toBeGreaterThan(32);
  expect(receiver.most()).toBeLessThanOrEqual(MOST_AT_ONCE);
}, 60_000);
