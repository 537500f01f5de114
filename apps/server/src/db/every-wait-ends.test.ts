import { setTimeout as pause } from 'node:timers/promises';
import { startProgram, type TestProgram } from '@coinslot/testing/program';
import { startTcpProxy, type TcpProxy } from '@coinslot/testing/tcp-proxy';
import pg from 'pg';
import { afterAll, describe, expect, it, type TestContext } from 'vitest';

/** Every pool as an operator has it. */
const env = { DATABASE_CONNECTIONS: '39' };

const TICK_MS = 10;
let ownMs = 0;
let tickedMs = performance.now();
/** Counts the time in which this process gets the processor: how busy the machine is says nothing of how long the program waits. */
const ticking = setInterval(() => {
  const nowMs = performance.now();
  ownMs += Math.min(nowMs - tickedMs, 2 * TICK_MS);
  tickedMs = nowMs;
}, TICK_MS);
afterAll(() => clearInterval(ticking));

/** One after the other: four that connect at once wait for each other for as long as a connection may take. */
let started: Promise<unknown> = Promise.resolve();

async function startBehindProxy({ onTestFinished }: TestContext): Promise<{ shop: TestProgram; proxy: TcpProxy }> {
  let proxy: TcpProxy | undefined;
  const starting = started.then(() =>
    startProgram({
      env,
      workers: false,
      async databaseUrlOf(url) {
        proxy = await startTcpProxy(url);
        return proxy.url;
      },
    }),
  );
  started = starting.catch(() => {});
  const shop = await starting;
  onTestFinished(async () => {
    await shop.close();
    await proxy?.close();
  });
  return { shop, proxy: proxy! };
}

async function start({ onTestFinished }: TestContext): Promise<TestProgram> {
  const shop = await startProgram({ env, workers: false });
  onTestFinished(() => shop.close());
  return shop;
}

const readiness = async (url: string): Promise<[number, string]> => {
  const response = await fetch(`${url}/readyz`);
  return [response.status, await response.text()];
};

const ready = async (url: string): Promise<number> => (await readiness(url))[0];

/** Milliseconds and status of one attempt to create an order. */
async function attempt({ call }: TestProgram): Promise<{ status: number; ms: number; retryAfter: string | null }> {
  const startedMs = ownMs;
  const body = { player_id: 'player_1', items: [{ sku: 'crystals_100' }] };
  const { status, headers } = await call('POST', '/s2s/v1/orders', body);
  return { status, ms: ownMs - startedMs, retryAfter: headers.get('retry-after') };
}

async function untilServed(program: TestProgram, withinMs: number): Promise<number> {
  const startedMs = ownMs;
  for (;;) {
    const { status } = await attempt(program);
    const tookMs = ownMs - startedMs;
    if (status === 201 && (await ready(program.url)) === 200) return tookMs;
    if (tookMs > withinMs) return tookMs;
    await pause(100);
  }
}

// Nearly all of it is waiting, so they wait at the same time, each with a program of its own.
describe.concurrent('a database that falls silent', () => {
  it('on every open connection: callers hear 503 within 10 s, and it serves again by itself within 15 s (row 85)', async context => {
    const { shop, proxy } = await startBehindProxy(context);
    const { checkout_url } = await shop.createOrder();
    await fetch(checkout_url);
    proxy.silenceOpen();
    const startedMs = ownMs;
    const red = ready(shop.url);
    const first = await Promise.all(Array.from({ length: 20 }, () => attempt(shop)));
    expect(await red).toBe(503);
    expect(Math.max(...first.map(({ ms }) => ms))).toBeLessThan(10_000);
    for (const { status, retryAfter } of first) if (status !== 201) expect([status, retryAfter]).toEqual([503, '1']);
    await untilServed(shop, 15_000);
    expect(ownMs - startedMs).toBeLessThan(15_000);
    expect((await shop.pay(checkout_url)).status).toBe(303);
  });

  it('for less than a caller waits: readiness stays 200 and says that it is slow, and orders are taken (row 142)', async context => {
    const { shop, proxy } = await startBehindProxy(context);
    const ask = async () => {
      const [[status, text], order] = await Promise.all([readiness(shop.url), attempt(shop)]);
      return { order: order.status, status, text };
    };
    // Two seconds without an answer are silence. A busy machine adds to the one, most of all where a session is new, so all that are
    // needed are opened before, and it may have to be looked at again.
    const look = async () => {
      proxy.slow(0);
      await Promise.all([ask(), ask(), ask()]);
      proxy.slow(1_000);
      return ask();
    };
    // Of the context: tests that run at the same time share the global one.
    await context.expect.poll(look).toEqual({
      order: 201,
      status: 200,
      text: expect.stringMatching(/degraded.*the database answers slowly/),
    });
    proxy.slow(0);
    await context.expect.poll(() => readiness(shop.url)).toEqual([200, '{"status":"ready","problems":[]}']);
  });

  it('for all connections, new ones too: 503 meanwhile, and it serves again without a restart (row 86)', async context => {
    const { shop, proxy } = await startBehindProxy(context);
    const { checkout_url } = await shop.createOrder();
    proxy.blackHole();
    const endMs = performance.now() + 30_000;
    while (performance.now() < endMs) {
      const [order, page] = await Promise.all([attempt(shop), shop.pay(checkout_url)]);
      expect([order.status, page.status]).toEqual([503, 503]);
      expect(order.ms).toBeLessThan(10_000);
      expect(await ready(shop.url)).toBe(503);
      // A restart would not mend it.
      expect((await fetch(`${shop.url}/healthz`)).status).toBe(200);
    }
    proxy.restore();
    expect(await untilServed(shop, 15_000)).toBeLessThan(15_000);
    expect((await shop.pay(checkout_url)).status).toBe(303);
  });

  it('on the connection that only listens: another is opened, and signals pass again', async context => {
    const { shop, proxy } = await startBehindProxy(context);
    proxy.silenceOpen();
    const client = new pg.Client({ connectionString: shop.database.url });
    await client.connect();
    const announced = new Promise<void>(resolve => void shop.program.parts.signals.on('test-key', resolve));
    let isAnnounced = false;
    void announced.then(() => {
      isAnnounced = true;
    });
    await context.expect
      .poll(
        async () => {
          await client.query(`select pg_notify('coinslot', 'other test-key')`);
          return isAnnounced;
        },
        { interval: 200 },
      )
      .toBe(true);
    await client.end();
  });
});

describe('a database that takes no writes for a while', () => {
  it('turns readiness red, and green at the next look after it (row 87)', async context => {
    const shop = await start(context);
    const client = new pg.Client({ connectionString: shop.database.url });
    await client.connect();
    client.on('error', () => {});
    const name = new URL(shop.database.url).pathname.slice(1);
    const setReadOnly = (value: 'on' | 'off') =>
      client.query(`alter database ${name} set default_transaction_read_only = ${value}`);
    await setReadOnly('on');
    await client.query(
      `select pg_terminate_backend(pid, 10000) from pg_stat_activity
       where datname = $1 and application_name = 'coinslot' and pid <> pg_backend_pid()`,
      [name],
    );
    // Sessions that are opened meanwhile and only read must not be what a later write is given.
    await Promise.all(Array.from({ length: 20 }, () => shop.call('GET', '/s2s/v1/orders')));
    expect((await attempt(shop)).status).toBe(503);
    expect(await ready(shop.url)).toBe(503);
    await Promise.all(Array.from({ length: 20 }, () => shop.call('GET', '/s2s/v1/orders')));
    await client.query('set default_transaction_read_only = off');
    await setReadOnly('off');
    expect(await readiness(shop.url)).toEqual([200, expect.anything()]);
    expect((await attempt(shop)).status).toBe(201);
    await client.end();
  });
});

describe('a foreign session that holds rows', () => {
  it('stops only the orders concerned, and those not for ever (row 90)', async context => {
    const shop = await start(context);
    const held = await Promise.all([shop.createOrder(), shop.createOrder()]);
    const others = await Promise.all(Array.from({ length: 6 }, () => shop.createOrder()));
    const client = new pg.Client({ connectionString: shop.database.url });
    await client.connect();
    await client.query('begin');
    await client.query('select 1 from orders where id = any($1) for update', [held.map(order => order.order_id)]);
    const startedMs = ownMs;
    const stopped = held.map(order => shop.pay(order.checkout_url));
    await pause(50);
    for (const order of others) {
      const beforeMs = ownMs;
      expect((await shop.pay(order.checkout_url)).status).toBe(303);
      expect(ownMs - beforeMs).toBeLessThan(2_500);
    }
    const answers = await Promise.all(stopped);
    expect(ownMs - startedMs).toBeLessThan(10_000);
    for (const answer of answers) {
      expect([answer.status, answer.headers.get('retry-after')]).toEqual([503, '5']);
      expect(await answer.text()).toContain('You were not charged.');
    }
    await client.query('rollback');
    await client.end();
    expect((await shop.pay(held[0].checkout_url)).status).toBe(303);
  });
});
