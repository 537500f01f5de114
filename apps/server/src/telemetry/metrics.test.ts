import { type Game, startGame } from '@coinslot/testing/game-receiver';
import { CARDS, startProgram, type TestProgram } from '@coinslot/testing/program';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { sql } from '../db/sql.ts';

let shop: TestProgram;
let game: Game;

beforeAll(async () => {
  shop = await startProgram({ workers: false });
  game = await startGame({ secret: shop.account.sandbox.s2sKey });
});

afterAll(async () => {
  await game?.close();
  await shop?.close();
});

/** Past the door, which keeps an answer for a second. */
const scrape = (): Promise<string> => shop.program.parts.metrics.registry.metrics();

/** The value of one series, 0 when it does not exist yet. */
async function valueIn(series: string): Promise<number> {
  const line = (await scrape()).split('\n').find(one => one.startsWith(`${series} `));
  return line === undefined ? 0 : Number(line.slice(series.length + 1));
}

describe('the queues', () => {
  it('a grant that waits for an endpoint is seen with its age', async () => {
    const order = await shop.createOrder();
    await shop.pay(order.checkout_url);
    await shop.until(order.order_id, 'authorized');
    await shop.later(100);
    expect(await valueIn('coinslot_held_grants')).toBe(1);
    expect(await valueIn('coinslot_queue_oldest_seconds{queue="held"}')).toBeGreaterThanOrEqual(100);
  });

  it('a delivery that no worker takes up gets older', async () => {
    await shop.call('POST', '/s2s/v1/webhooks', { url: game.url, events: ['item.add', 'item.remove'] });
    await shop.database.advance(60);
    expect(await valueIn('coinslot_queue_oldest_seconds{queue="deliveries"}')).toBeGreaterThanOrEqual(60);
    await shop.later(0);
    expect(await valueIn('coinslot_queue_oldest_seconds{queue="deliveries"}')).toBe(0);
    expect(await valueIn('coinslot_held_grants')).toBe(0);
  });

  it('a scrape answers without them when they cannot be read', async () => {
    await shop.database.db.query(sql('t_away')`alter table jobs rename to jobs_away`);
    const text = await scrape();
    await shop.database.db.query(sql('t_back')`alter table jobs_away rename to jobs`);
    expect(text).toContain('process_cpu_seconds_total');
    expect(text).not.toContain('coinslot_queue_oldest_seconds{');
    // Neither 0 nor the last number: how many grants are held is not known.
    expect(text).not.toMatch(/^coinslot_held_grants /m);
    const after = await scrape();
    expect(after).toContain('coinslot_queue_oldest_seconds{queue="jobs"} 0');
    expect(after).toMatch(/^coinslot_held_grants 0$/m);
  });
});

describe('a slow tenant', () => {
  it('is no overdue queue: what waits for an endpoint that is being sent to waits for its receiver', async () => {
    const order = await shop.createOrder();
    await shop.pay(order.checkout_url);
    await shop.database.db.query(sql('t_backlog')`
      insert into deliveries (environment_id, id, event_id, event_type, lane, subscription_id, idempotency_key, status,
                              claimed_until, next_attempt_at, created_at)
      select ${shop.account.sandbox.environmentId}, 'dlv_busy' || n, 'evt_busy' || n, 'order.paid', 'observer', 'whk_busy', 'busy',
             'pending', case when n = 1 then app_now() + interval '30 s' end, app_now() - interval '1 hour', app_now()
      from generate_series(1, 100) n`);
    expect(await valueIn('coinslot_queue_oldest_seconds{queue="deliveries"}')).toBeLessThan(3_000);
    await shop.database.db.query(sql('t_left')`
      update deliveries set claimed_until = null where lane = 'observer' and subscription_id = 'whk_busy'`);
    expect(await valueIn('coinslot_queue_oldest_seconds{queue="deliveries"}')).toBeGreaterThanOrEqual(3_600);
    await shop.database.db.query(sql('t_gone')`delete from deliveries where subscription_id = 'whk_busy'`);
  });

  it('is counted as one environment, and a request without an answer as one in flight', async () => {
    expect(await valueIn('coinslot_webhook_environments{state="tried"}')).toBe(1);
    const text = await scrape();
    expect(text).toContain('coinslot_http_requests_in_flight{age="any"} 0');
    expect(text).toContain('coinslot_http_requests_in_flight{age="over_10s"} 0');
  });
});

describe('the roll-ups', () => {
  it('say how far they are behind a transaction that does not end', async () => {
    const client = new pg.Client({ connectionString: shop.database.url });
    await client.connect();
    await client.query('begin');
    await client.query(
      `insert into events (environment_id, id, type, data, fan_out, created_at)
       values ('env_1', 'evt_open', 'order.paid', '{}', false, app_now())`,
    );
    const order = await shop.createOrder();
    await shop.pay(order.checkout_url);
    await shop.later(3_600);
    for (const reader of ['figures', 'ledger', 'receipts']) {
      expect(await valueIn(`coinslot_roll_up_lag_seconds{reader="${reader}"}`)).toBeGreaterThanOrEqual(3_600);
    }
    expect(await valueIn('coinslot_roll_up_lag_seconds{reader="orders"}')).toBe(0);
    await client.query('rollback');
    await client.end();
    await shop.later(0);
    expect(await scrape()).toContain('coinslot_roll_up_lag_seconds{reader="figures"} 0');
    expect(await scrape()).toContain('coinslot_roll_up_lag_seconds{reader="ledger"} 0');
  });
});

describe('the comparison with providers', () => {
  it('says how old it is and how many accounts are behind, and nothing while there are none', async () => {
    expect(await scrape()).not.toMatch(/^coinslot_reconciliation_age_seconds \d/m);
    const { db } = shop.database;
    const { companyId } = shop.account;
    await db.query(sql('t_accounts')`
      insert into provider_accounts (company_id, account_id, provider, is_current, is_test, secret_key_sealed, secret_key_last4,
        publishable_key, charges_enabled, checked_at, created_at, updated_at)
      select ${companyId}, 'acct_' || n, 'provider' || n, true, false, 'x', 'abcd', 'pk', true, app_now(),
             app_now() - interval '10 days', app_now() from generate_series(1, 2) n`);
    await db.query(sql('t_runs')`
      insert into reconciliation_runs (account_id, day, company_id, state, claim_id, alive_at, started_at, finished_at)
      values ('acct_1', current_date - 1, ${companyId}, 'done', 'c', app_now(), app_now(), app_now() - interval '1 hour'),
             ('acct_1', current_date, ${companyId}, 'failed', 'c', app_now(), app_now(), app_now())`);
    expect(await valueIn('coinslot_reconciliation_age_seconds')).toBeGreaterThanOrEqual(3_600);
    expect(await valueIn('coinslot_reconciliation_age_seconds')).toBeLessThan(86_400);
    expect(await valueIn('coinslot_reconciliation_accounts{state="connected"}')).toBe(2);
    expect(await valueIn('coinslot_reconciliation_accounts{state="behind"}')).toBe(1);
    expect(await valueIn('coinslot_database_standbys')).toBe(0);
    await db.query(sql('t_no_accounts')`delete from provider_accounts where company_id = ${companyId}`);
  });
});

describe('payments', () => {
  it('are counted by what became of them, in their mode, once each', async () => {
    const before = await valueIn('coinslot_payments_total{outcome="succeeded",mode="sandbox"}');
    const order = await shop.createOrder();
    await shop.pay(order.checkout_url, CARDS.decline);
    await shop.pay(order.checkout_url);
    await shop.until(order.order_id, 'paid');
    await expect.poll(() => valueIn('coinslot_payments_total{outcome="succeeded",mode="sandbox"}')).toBe(before + 1);
    expect(await valueIn('coinslot_payments_total{outcome="declined",mode="sandbox"}')).toBe(1);
    expect(await valueIn('coinslot_payment_duration_seconds_count{outcome="declined",mode="sandbox"}')).toBe(1);
    expect(await scrape()).not.toContain('mode="live"');
  });

  it('show how long the provider took, and what it said', async () => {
    const series = (operation: string, outcome: string): string =>
      `coinslot_provider_request_duration_seconds_count{gateway="simulator",operation="${operation}",outcome="${outcome}"}`;
    expect(await valueIn(series('authorize', 'declined'))).toBe(1);
    expect(await valueIn(series('capture', 'captured'))).toBeGreaterThan(0);
  });
});

describe('deliveries', () => {
  it('are counted by their outcome', async () => {
    game.answer({ status: 500 }, 'decline');
    const order = await shop.createOrder();
    await shop.pay(order.checkout_url);
    await shop.later(3);
    await shop.until(order.order_id, 'rejected');
    const count = (outcome: string): Promise<number> =>
      valueIn(`coinslot_webhook_delivery_duration_seconds_count{outcome="${outcome}"}`);
    expect([await count('status'), await count('declined')]).toEqual([1, 1]);
    expect(await count('succeeded')).toBeGreaterThan(0);
  });
});

describe('requests', () => {
  const answers = async (): Promise<string[]> =>
    (await scrape()).split('\n').filter(line => line.startsWith('coinslot_http_request_duration_seconds_count'));

  it('are counted by route and status class', async () => {
    await shop.call('GET', '/s2s/v1/orders/ord_none');
    await shop.call('GET', '/s2s/v1/orders', undefined, { key: 'sk_sandbox_wrong' });
    const lines = await answers();
    expect(lines).toContainEqual(expect.stringMatching(/method="POST",route="\/s2s\/v1\/orders",status="2xx"\} \d+$/));
    expect(lines).toContainEqual(expect.stringContaining('route="/s2s/v1/orders/:order_id",status="4xx"'));
    expect(lines).toContainEqual(expect.stringContaining('method="GET",route="/s2s/v1/orders",status="4xx"'));
  });

  it('fall into buckets that add up, as Prometheus reads them', async () => {
    const labels = 'method="POST",route="/s2s/v1/orders",status="2xx"';
    const name = 'coinslot_http_request_duration_seconds';
    const text = await scrape();
    const buckets = [...text.matchAll(new RegExp(`^${name}_bucket\\{${labels},le="([^"]+)"\\} (\\d+)$`, 'gm'))];
    const counts = buckets.map(([, , count]) => Number(count));
    expect(buckets.at(-1)?.[1]).toBe('+Inf');
    expect(counts).toEqual(counts.toSorted((a, b) => a - b));
    expect(text).toContain(`${name}_count{${labels}} ${counts.at(-1)}\n`);
    expect(text).toMatch(new RegExp(`^# TYPE ${name} histogram$`, 'm'));
  });

  it('to made-up paths make no series of their own, and no token or id stands in a label', async () => {
    const { order_id, checkout_url } = await shop.createOrder();
    await fetch(checkout_url);
    for (const path of ['/a', '/b', '/wp-login.php', '/c/x']) await fetch(shop.url + path);
    const text = await scrape();
    expect(text).not.toContain('wp-login');
    expect(text).not.toContain(order_id);
    expect(text).not.toContain(new URL(checkout_url).pathname.slice(3));
    expect((await answers()).filter(line => line.includes('route="none"')).length).toBe(1);
  });
});

it('pools, the clock and the version are told', async () => {
  const text = await scrape();
  for (const pool of ['doors', 'money', 'provider']) {
    expect(text).toMatch(new RegExp(`coinslot_db_pool_connections\\{pool="${pool}",state="open"\\} \\d`));
  }
  expect(text).toContain('coinslot_clock_skew_seconds');
  expect(text).toContain('coinslot_build_info{version="0.0.0-test"} 1');
});
