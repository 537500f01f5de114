import type { BenchServer, Lab } from '../lab.ts';
import type { Plan } from '../plan.ts';
import type { OrderLoad, OrderLoadResult } from '../programs/order-load.ts';
import type { Result } from '../result.ts';
import { withClient } from '../shop.ts';
import { median, medianRatio } from '../statistics.ts';

const CONNECTIONS = 32;
const CHUNK = 250_000;

const PLAYERS = `
  insert into players (environment_id, player_id, email, created_at, updated_at)
  select e.id, 'player_' || n, 'player_' || n || '@example.com', now(), now()
  from environments e, generate_series(0, $1::int - 1) n where e.mode = 'sandbox'`;

/** A year of a shop: most orders lapsed or were paid, those of the last day are open. */
const ORDERS = `
  insert into orders (environment_id, id, player_id, status, amount_minor, currency, items, details, email, granted_at, paid_at,
                      created_at, expires_at, updated_at)
  select e.id, 'ord_' || lpad(n::text, 26, '0'), 'player_' || (hashint8(n) & 2147483647) % $3::int,
         case when n > $4::bigint * 364 / 365 then 'created' when n % 3 = 0 then 'paid' else 'expired' end,
         999, 'USD', $5::json, $6::json, 'player@example.com', paid.at, paid.at, t.at, t.at + interval '24 hours', t.at
  from environments e, generate_series($1::bigint, $2::bigint) n,
       lateral (select now() - ($4::bigint - n) * interval '365 days' / $4::bigint as at) t,
       lateral (select case when n % 3 = 0 and n <= $4::bigint * 364 / 365 then t.at end as at) paid
  where e.mode = 'sandbox'`;

const ITEMS = JSON.stringify([
  {
    sku: 'crystals_500',
    name: '500 crystals',
    description: null,
    imageUrl: null,
    quantity: 1,
    priceMinor: null,
    fullPriceMinor: null,
    currency: null,
  },
  {
    sku: 'season_pass',
    name: 'Season pass',
    description: 'Everything until the end of the season',
    imageUrl: null,
    quantity: 1,
    priceMinor: null,
    fullPriceMinor: null,
    currency: null,
  },
]);
const DETAILS = JSON.stringify({
  country: null,
  locale: null,
  theme: 'auto',
  backToGameUrl: 'mygame://shop/thanks?order=ord_01k6f0n8e5w9x2y3z4a5b6c7d8',
  backToStoreUrl: null,
  metadata: { campaign: 'summer', level: '42' },
});

/** The indexes beside the primary key are built once at the end, which is several times quicker. */
const loadOrders = (url: string, orders: number, players: number): Promise<void> =>
  withClient(url, async client => {
    const { rows: indexes } = await client.query<{ indexname: string; indexdef: string }>(
      `select indexname, indexdef from pg_indexes where tablename = 'orders' and indexname <> 'orders_pkey'`,
    );
    await client.query(`set synchronous_commit = off; set maintenance_work_mem = '256MB'`);
    for (const { indexname } of indexes) await client.query(`drop index ${indexname}`);
    for (let from = 1; from <= orders; from += CHUNK) {
      const to = Math.min(orders, from + CHUNK - 1);
      await client.query(ORDERS, [from, to, players, orders, ITEMS, DETAILS]);
    }
    for (const { indexdef } of indexes) await client.query(indexdef);
  });

async function prepare(
  lab: Lab,
  name: string,
  { players, largeTableOrders }: Plan,
  full: boolean,
): Promise<BenchServer> {
  const server = await lab.startServer(await lab.createDatabase(name));
  await withClient(server.databaseUrl, client => client.query(PLAYERS, [players]));
  if (full) await loadOrders(server.databaseUrl, largeTableOrders, players);
  // Now and not by the server's own hand in the middle of a round.
  await withClient(server.databaseUrl, client => client.query('vacuum analyze'));
  return server;
}

/** Two databases on one PostgreSQL, alike but for the orders that are there already, measured in turns. */
export async function measureGrowth(lab: Lab, plan: Plan): Promise<Result[]> {
  const empty = await prepare(lab, 'bench_empty', plan, false);
  const full = await prepare(lab, 'bench_full', plan, true);
  const orderLoad = await lab.startProgram('order-load');
  const create = async ({ port, account }: BenchServer, ms: number): Promise<number> => {
    const load: OrderLoad = { port, key: account.sandboxKey, connections: CONNECTIONS, players: plan.players, ms };
    return (await orderLoad.ask<OrderLoadResult>(load)).perSecond;
  };
  for (const server of [empty, full]) await create(server, plan.warmUpMs);
  const atEmpty: number[] = [];
  const atFull: number[] = [];
  for (let round = 0; round < plan.rounds; round++) {
    atEmpty.push(await create(empty, plan.roundMs));
    atFull.push(await create(full, plan.roundMs));
  }
  await Promise.all([orderLoad.stop(), empty.stop(), full.stop()]);
  return [
    {
      what: `creation time at ${plan.largeTableOrders.toLocaleString('en')} orders to an empty table`,
      measured: `${(1e6 / median(atFull)).toFixed(0)} µs to ${(1e6 / median(atEmpty)).toFixed(0)} µs an order`,
      value: medianRatio(atEmpty, atFull),
      unit: '×',
      target: { atMost: 1.15 },
    },
  ];
}
