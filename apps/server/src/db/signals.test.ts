import { type TestDatabase, testDatabase } from '@coinslot/testing/database';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { createSignals, type Signals } from './signals.ts';

let database: TestDatabase;
const started: Signals[] = [];

const connections = async (): Promise<number> => {
  const text = `select count(*)::int as count from pg_stat_activity
                where datname = current_database() and application_name like 'coinslot-signals%'`;
  return (await database.db.query<{ count: number }>({ name: '', text, values: [] }))[0]!.count;
};
const cutAll = () =>
  database.db.query({
    name: '',
    text: `select pg_terminate_backend(pid) from pg_stat_activity
           where datname = current_database() and application_name like 'coinslot-signals%'`,
    values: [],
  });

async function instance(): Promise<Signals> {
  const signals = createSignals(database.url, () => {});
  await signals.start();
  started.push(signals);
  return signals;
}

const announced = (signals: Signals, key: string) => new Promise<void>(resolve => void signals.on(key, resolve));

beforeAll(async () => {
  database = await testDatabase();
});

afterEach(async () => {
  await Promise.all(started.splice(0).map(signals => signals.stop()));
});

afterAll(() => database?.drop());

describe('a signal', () => {
  it('wakes who waits in this process and in the others (row 47)', async () => {
    const [here, there] = [await instance(), await instance()];
    const woken = Promise.all([here.wait('order:1', 60_000), there.wait('order:1', 60_000)]);
    here.announce('order:1');
    await woken;
  });

  it('that may wait a moment comes once for all who asked meanwhile, and again for who asks later', async () => {
    const [here, there] = [await instance(), await instance()];
    let calls = 0;
    here.on('jobs', () => calls++);
    const woken = there.wait('jobs', 60_000);
    for (let asked = 0; asked < 5; asked++) here.announceWithin('jobs', 50);
    await woken;
    expect(calls).toBe(1);
    const again = there.wait('jobs', 60_000);
    here.announceWithin('jobs', 50);
    await again;
    expect(calls).toBe(2);
  });

  it('can be set for later', async () => {
    const here = await instance();
    const woken = here.wait('retry', 60_000);
    here.remind('retry', 1);
    await woken;
  });

  it('wakes no worker that waits for something else', async () => {
    const [here, there] = [await instance(), await instance()];
    let woken = 0;
    there.on('order:2', () => (woken += 1));
    const other = announced(there, 'order:3');
    here.announce('order:3');
    await other;
    expect(woken).toBe(0);
  });

  it('arrives even when thousands are sent at once', async () => {
    const [here, there] = [await instance(), await instance()];
    const keys = Array.from({ length: 1_000 }, (_, i) => `order:ord_${String(i).padStart(26, '0')}`);
    const all = Promise.all(keys.map(key => announced(there, key)));
    for (const key of keys) here.announce(key);
    await all;
  });

  it('that never comes ends the wait at its time', async () => {
    const here = await instance();
    await here.wait('nothing', 10);
  });

  it('can be canceled, and a listener that left hears nothing', async () => {
    const here = await instance();
    let calls = 0;
    const off = here.on('once', () => (calls += 1));
    here.announce('once');
    off();
    here.announce('once');
    expect(calls).toBe(1);
  });
});

describe('a line to the database that is cut', () => {
  it('is opened again, and signals pass as before (row 44)', async () => {
    const [here, there] = [await instance(), await instance()];
    await cutAll();
    const woken = announced(there, 'again');
    const knock = setInterval(() => here.announce('again'), 100);
    await woken;
    clearInterval(knock);
  });

  it('is not left open by a program that stops while it is being opened', async () => {
    const here = createSignals(database.url, () => {});
    const opening = here.start();
    await here.stop();
    await opening;
    await expect.poll(connections).toBe(0);
  });

  it('is not opened again by a program that has stopped', async () => {
    const here = await instance();
    await cutAll();
    await here.stop();
    const other = await instance();
    await cutAll();
    // The other one is back, so the time in which the first would have come back is over.
    await expect.poll(connections).toBe(1);
    await other.stop();
    await expect.poll(connections).toBe(0);
  });
});
