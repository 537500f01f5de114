import type { Figures, PlayerLine } from '@coinslot/contract';
import { signedInMember, type TestMember } from '@coinslot/testing/dashboard';
import { explaining, type Plan } from '@coinslot/testing/explain';
import { type Game, startGame } from '@coinslot/testing/game-receiver';
import { CARDS, startProgram, type TestProgram } from '@coinslot/testing/program';
import pg from 'pg';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { sql } from '../../../db/statement.ts';
import { readFigures } from '../../../domain/reporting/figures/read-figures.ts';
import { rebuildFigures } from '../../../domain/reporting/roll-ups/roll-up.ts';

/** The figures wait for every transaction that began before, those of other tests on the same server too. */
const ROLLED_UP = { timeout: 60_000, interval: 20 };
const PHONE = 'Mozilla/5.0 (iPhone; CPU iPhone OS 19_0 like Mac OS X) Mobile/15E148';
const DAY = 86_400;

let shop: TestProgram;
let game: Game;
let member: TestMember;
/** On which the first players buy. */
let firstDay: string;

beforeAll(async () => {
  shop = await startProgram();
  await shop.untilMorning();
  game = await startGame({ secret: shop.account.sandbox.s2sKey });
  await shop.call('POST', '/s2s/v1/webhooks', { url: game.url, events: ['item.add', 'item.remove'] });
  member = await signedInMember(shop, 'developer');
});

afterAll(async () => {
  await game?.close();
  await shop?.close();
});

const read = async (query = ''): Promise<Figures> =>
  (await member.browser.call<Figures>('GET', `/games/${shop.account.gameId}/sandbox/figures${query}`)).body;

async function buy(body: Record<string, unknown>, card?: string, userAgent = PHONE): Promise<string> {
  const { order_id: id, checkout_url: url } = await shop.createOrder(body);
  await fetch(url, { headers: { 'user-agent': userAgent } });
  await shop.pay(url, card);
  if (card === undefined) await shop.until(id, 'paid');
  return id;
}

const until = (check: (figures: Figures) => void, query = ''): Promise<Figures> =>
  vi.waitFor(async () => {
    const figures = await read(query);
    check(figures);
    return figures;
  }, ROLLED_UP);

it('has every row and day of an empty shop', async () => {
  const figures = await read();
  expect(figures).toMatchObject({ currency: null, currencies: [], methods: [], declines: [], cohorts: [] });
  expect(figures.days).toHaveLength(30);
  expect(figures.sales.hours).toHaveLength(24);
  expect(figures.grants.p95_ms).toBeNull();
});

it('answers by method, country, device, item, hour and buyer, from the roll-up', async () => {
  await buy({
    player_id: 'ada',
    country: 'DE',
    price_decimal: 4.99,
    currency: 'EUR',
    items: [{ sku: 'gold', quantity: 2 }],
  });
  const returned = await buy({
    player_id: 'ada',
    country: 'DE',
    price_decimal: 1,
    currency: 'EUR',
    items: [{ sku: 'gold' }],
  });
  await buy(
    { player_id: 'bo', country: 'US', price_decimal: 3, currency: 'USD', items: [{ sku: 'gem' }] },
    undefined,
    'Windows NT',
  );
  await buy(
    { player_id: 'cy', country: 'US', price_decimal: 3, currency: 'USD', items: [{ sku: 'gem' }] },
    CARDS.noFunds,
  );
  await shop.call('POST', `/s2s/v1/orders/${returned}/refund`, { reason: 'x' });
  await shop.until(returned, 'refunded');
  const figures = await until(({ currencies, days, declines, methods, sales }) => {
    expect(currencies).toEqual(['EUR', 'USD']);
    expect(days.at(-1)).toMatchObject({ paid: 3, returned: 1, disputed: 0 });
    expect(declines).toMatchObject([{ code: '2051', count: 1, count_before: 0 }]);
    // The readers of events come to the same one in their own time.
    expect([methods[0]?.of, sales.repeat.count]).toEqual([4, 1]);
  });
  expect(figures).toMatchObject({
    currency: 'EUR',
    currencies: ['EUR', 'USD'],
    methods: [{ key: 'card', of: 4, reached: 3, of_before: 0 }],
    sales: {
      items: [{ key: 'gold', count: 3, amount: 599 }],
      countries: [{ key: 'DE', count: 2, amount: 599 }],
      methods: [{ key: 'card', count: 2 }],
      first: { count: 1, amount: 499 },
      repeat: { count: 1, amount: 100 },
    },
  });
  const byKey = (rows: Figures['countries']) => Object.fromEntries(rows.map(row => [row.key, [row.of, row.reached]]));
  expect(byKey(figures.countries)).toEqual({ DE: [2, 2], US: [2, 1] });
  expect(byKey(figures.devices)).toEqual({ phone: [3, 2], desktop: [1, 1] });
  expect(figures.sales.hours.filter(({ count }) => count > 0)).toMatchObject([{ count: 2, amount: 599 }]);
  expect(figures.cohorts.map(({ buyers }) => buyers)).toEqual([[2]]);
  expect(figures.grants.steps.reduce((sum, { count }) => sum + count, 0)).toBe(3);
  expect(figures.grants.p50_ms).toEqual(expect.any(Number));
});

it('switches the currency, and adds all up by the company’s own rates', async () => {
  expect((await read('?currency=USD')).sales.items).toMatchObject([{ key: 'gem', amount: 300 }]);
  const path = `/companies/${shop.account.companyId}/rates`;
  await member.browser.call('PUT', path, { currency: 'EUR', rates: [{ currency: 'USD', rate: 0.5 }] });
  expect(await read('?currency=sum')).toMatchObject({
    currency: 'EUR',
    is_sum: true,
    sum_currency: 'EUR',
    missing: [],
    sales: {
      first: { count: 2, amount: 649 },
      items: [
        { key: 'gold', amount: 599 },
        { key: 'gem', amount: 150 },
      ],
    },
  });
});

it('compares with the days before, or with any others', async () => {
  const { to } = await read();
  firstDay = to;
  await shop.later(40 * DAY);
  // The session has ended meanwhile.
  member = await signedInMember(shop, 'developer');
  const later = await until(({ methods }) => expect(methods).toMatchObject([{ of: 0, of_before: 4 }]));
  expect(later.days).toHaveLength(30);
  const same = await read(`?from=${later.to}&to=${later.to}&before_from=${to}`);
  expect(same).toMatchObject({ before_from: to, before_to: to, sales: { repeat: { count: 0, count_before: 1 } } });
  await buy({ player_id: 'ada', price_decimal: 2, currency: 'EUR' });
  const back = await until(({ sales }) => expect(sales.repeat.count).toBe(1), '?currency=EUR');
  expect(back.cohorts[0]!.buyers.slice(0, 1)).toEqual([2]);
  expect(back.cohorts[0]!.buyers.slice(1).reduce((sum, count) => sum + count, 0)).toBe(1);
  const buyers = async (first: string, bought = '') =>
    (
      await member.browser.call<{ data: PlayerLine[] }>('GET', `${players}?first_month=${first}${bought}`)
    ).body.data.map(({ player_id }) => player_id);
  const players = `/games/${shop.account.gameId}/sandbox/players`;
  const first = back.cohorts[0]!.month;
  expect((await buyers(first)).length).toBe(2);
  expect(await buyers(first, `&bought_month=${later.to.slice(0, 7)}`)).toEqual(['ada']);
  expect(await buyers(first, `&bought_month=2020-01`)).toEqual([]);
  expect(await member.browser.call('GET', `${players}?first_month=2026-13`)).toMatchObject({ status: 422 });
  expect(
    await member.browser.call('GET', `/games/${shop.account.gameId}/sandbox/figures?before_from=2026-02-31`),
  ).toMatchObject({ status: 422 });
});

it('takes no day or month at the ends of the calendar, where the span beside it has none (row 240)', async () => {
  const get = async (path: string) =>
    (await member.browser.call('GET', `/games/${shop.account.gameId}/sandbox${path}`)).status;
  const days = ['0000-01-01', '0001-01-01', '0999-12-31', '9000-01-01', '9999-12-31'];
  const paths = days.flatMap(day => [
    `/figures?before_from=${day}`,
    `/figures?from=${day}&to=${day}`,
    `/home?from=${day}&to=${day}`,
    `/players?first_month=${day.slice(0, 7)}`,
    `/players?first_month=2026-01&bought_month=${day.slice(0, 7)}`,
  ]);
  const answers = await Promise.all(paths.map(get));
  expect(paths.filter((_, i) => answers[i] !== 422)).toEqual([]);
  const ends = ['1000-01-01', '8999-12-31'].flatMap(day => [
    `/figures?from=${day}&to=${day}&before_from=${day}`,
    `/players?first_month=${day.slice(0, 7)}`,
  ]);
  expect(await Promise.all(ends.map(get))).toEqual(ends.map(() => 200));
});

it('counts the same again when the figures are rebuilt', async () => {
  const { to } = await read();
  const query = `?from=${firstDay}&to=${to}&currency=EUR`;
  const before = await read(query);
  expect(before.sales.items.length).toBeGreaterThan(0);
  await rebuildFigures(shop.database.db);
  await until(after => expect({ ...after, as_of: 0 }).toEqual({ ...before, as_of: 0 }), query);
});

/** As many rows as a shop with 60 countries, 200 items and five currencies has in two years, beside those of many others. */
async function grow(environmentId: string, environments: number): Promise<void> {
  const client = new pg.Client({ connectionString: shop.database.url });
  await client.connect();
  await client.query(
    `insert into figures_daily (environment_id, measure, day, currency, key, count, amount_minor)
     select case when e = 0 then $1 else 'env_' || e end, m, app_now()::date - d, 'EUR', 'k' || k, 1, 1
     from generate_series(0, $2::int) e, generate_series(0, 60) d, unnest(array['paid_item', 'paid_country', 'opened_country']) m,
          generate_series(1, 20) k on conflict do nothing`,
    [environmentId, environments],
  );
  await client.query('vacuum analyze figures_daily');
  await client.end();
}

it('reads its own days by the key of the table, however much others have sold', async () => {
  // While a transaction of theirs is open, rows that were added before are looked up in their pages, and more pages are counted.
  await shop.program.workers.stop();
  await shop.database.db.query(sql('test_figures_still')`alter table figures_daily set (autovacuum_enabled = off)`);
  const environment = { id: shop.account.sandbox.environmentId, companyId: shop.account.companyId };
  const ask = async (): Promise<Map<string, Plan>> => {
    const { db, plans } = explaining(shop.database.db);
    await db.transaction(tx => readFigures(tx, environment, {}));
    return plans;
  };
  await grow(environment.id, 2);
  const small = await ask();
  await grow(environment.id, 60);
  const large = await ask();
  for (const name of ['figures_list_questions', 'figures_list_rates', 'figures_list_cohorts']) {
    const { pages, text } = large.get(name)!;
    expect([name, text.includes('Seq Scan')]).toEqual([name, false]);
    expect([name, pages <= small.get(name)!.pages + 20, pages]).toEqual([name, true, pages]);
  }
  const rows = await shop.database.db.queryValue<number>(
    sql('test_figure_rows')`select count(*)::int from figures_daily`,
  );
  expect(rows).toBeGreaterThan(200_000);
});
