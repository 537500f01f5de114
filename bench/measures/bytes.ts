import type { BenchServer, Lab } from '../lab.ts';
import type { PlayerLoad, PlayerLoadResult } from '../programs/player-load.ts';
import { countPaid, subscribe, withClient } from '../shop.ts';

const ROUND = 400;
const ROUNDS = 4;
const PLAYERS = 1_000;
const AT_ONCE = 32;
const FRESH_AT_MOST = 7_000;
const KEPT_AT_MOST = 3_500;
/** Receipts are written after the answer. */
const SETTLE_MS = 2_000;

/** What is still there when everything that is kept for a time has gone. */
export const KEPT = ['orders', 'payments', 'deliveries_items', 'players', 'ledger_entries', 'provider_charges'];

export interface Sizes {
  heap: number;
  indexes: number;
  updates: number;
  hot: number;
}

/** The months of a table are added up. The simulator stands for a provider elsewhere. */
const SIZES = `
  select regexp_replace(c.relname, '_[0-9]{6}$', '') as name, sum(pg_table_size(c.oid))::int as heap,
    sum(pg_indexes_size(c.oid))::int as indexes, sum(coalesce(s.n_tup_upd, 0))::int as updates,
    sum(coalesce(s.n_tup_hot_upd, 0))::int as hot
  from pg_class c left join pg_stat_all_tables s on s.relid = c.oid
  where c.relkind = 'r' and c.relnamespace = 'public'::regnamespace group by 1`;

async function startPlayers(lab: Lab, server: BenchServer): Promise<() => Promise<void>> {
  const [receiver, playerLoad] = await Promise.all([lab.startProgram('receiver'), lab.startProgram('player-load')]);
  const key = server.account.sandboxKey;
  await subscribe(server.port, key, ['item.add', 'item.remove'], await receiver.ask('port'));
  const load: PlayerLoad = { port: server.port, key, atOnce: AT_ONCE, players: PLAYERS, ms: 600_000, orders: ROUND };
  return async () => {
    const { orderIds } = await playerLoad.ask<PlayerLoadResult>(load);
    const paid = await countPaid(server.databaseUrl, orderIds);
    if (paid < ROUND) throw new Error(`only ${paid} of ${ROUND} orders are paid`);
    await new Promise(resolve => setTimeout(resolve, SETTLE_MS));
  };
}

/** After a vacuum, as the server makes one by itself on a busy table: what dead rows leave is used again. */
export const readSizes = (url: string): Promise<Map<string, Sizes>> =>
  withClient(url, async client => {
    await client.query('vacuum');
    const { rows } = await client.query<Sizes & { name: string }>(SIZES);
    return new Map(rows.map(({ name, ...sizes }) => [name, sizes]));
  });

export function growthOf(before: Map<string, Sizes>, after: Map<string, Sizes>, orders: number): [string, Sizes][] {
  const grown = [...after].map(([name, now]): [string, Sizes] => {
    const was = before.get(name) ?? { heap: 0, indexes: 0, updates: 0, hot: 0 };
    const each = (key: keyof Sizes): number => (now[key] - was[key]) / orders;
    return [name, { heap: each('heap'), indexes: each('indexes'), updates: each('updates'), hot: each('hot') }];
  });
  return grown.filter(([, { heap, indexes }]) => heap + indexes >= 5).toSorted(([, a], [, b]) => total(b) - total(a));
}

const total = ({ heap, indexes }: Sizes): number => heap + indexes;
export const sum = (rows: [string, Sizes][]): number =>
  Math.round(rows.reduce((all, [, sizes]) => all + total(sizes), 0));

function tableOf(rows: [string, Sizes][], fresh: number, kept: number): string {
  const lines = rows.map(([name, { heap, indexes, updates, hot }]) => {
    const inPlace = updates >= 0.5 ? `${Math.round((100 * hot) / updates)} % of ${updates.toFixed(1)}` : '';
    return `| ${name} | ${Math.round(heap)} | ${Math.round(indexes)} | ${inPlace} | ${KEPT.includes(name) ? 'yes' : ''} |`;
  });
  return [
    '| table | rows, bytes | indexes, bytes | updates in place (HOT) | for ever |',
    '|---|---|---|---|---|',
    ...lines,
    '',
    `A whole order takes ${fresh} bytes (at most ${FRESH_AT_MOST}), and ${kept} of them for ever (at most ${KEPT_AT_MOST}).`,
  ].join('\n');
}

export async function measureBytes(lab: Lab): Promise<{ table: string; isMet: boolean }> {
  const server = await lab.startServer(lab.databaseUrl);
  const makeOrders = await startPlayers(lab, server);
  for (let round = 0; round < 2; round++) {
    await makeOrders();
    await readSizes(server.databaseUrl);
  }
  const before = await readSizes(server.databaseUrl);
  for (let round = 0; round < ROUNDS; round++) {
    await makeOrders();
    await readSizes(server.databaseUrl);
  }
  const rows = growthOf(before, await readSizes(server.databaseUrl), ROUND * ROUNDS);
  await server.stop();
  const fresh = sum(rows);
  const kept = sum(rows.filter(([name]) => KEPT.includes(name)));
  return { table: tableOf(rows, fresh, kept), isMet: fresh <= FRESH_AT_MOST && kept <= KEPT_AT_MOST };
}
