import type pg from 'pg';
import { cpuMsOf, postgresCpuMs } from '../cpu-time.ts';
import type { BenchServer, Lab } from '../lab.ts';
import type { OrderLoad, OrderLoadResult } from '../programs/order-load.ts';
import type { PlayerLoad, PlayerLoadResult } from '../programs/player-load.ts';
import { subscribe, withClient } from '../shop.ts';

/** V8 compiles for the first thousands of orders, which no later one pays. */
const WARM_UP = 6_000;
const ORDERS = 5_000;
const CREATE_MS = 6_000;
const PLAYERS = 20_000;
/** Receipts are written, and readers come to the end, after the answer. */
const SETTLE_MS = 3_000;

interface Line {
  query: string;
  calls: number;
  ms: number;
}

const settle = (): Promise<void> => new Promise(resolve => setTimeout(resolve, SETTLE_MS));

/** Only the role that owns the cluster sees what all sessions did. */
function asOwner<T>(databaseUrl: string, work: (client: pg.Client) => Promise<T>): Promise<T> {
  const admin = new URL(databaseUrl);
  admin.username = 'postgres';
  return withClient(admin.href, work);
}

const readLines = (databaseUrl: string): Promise<Line[]> =>
  asOwner(databaseUrl, async client => {
    const { rows } = await client.query<Line>(
      'select query, calls::int, total_exec_time + total_plan_time as ms from pg_stat_statements order by 3 desc',
    );
    return rows;
  });

const LENGTH = 100;
/** What takes less than this share of all is not worth a line. */
const LEAST = 1 / 200;

function tableOf(lines: readonly Line[], count: number): string {
  const total = lines.reduce((sum, { ms }) => sum + ms, 0);
  const rows = lines
    .filter(({ ms }) => ms > total * LEAST)
    .map(({ query, calls, ms }) => {
      const text = query.replaceAll(/\s+/g, ' ').slice(0, LENGTH).replaceAll('|', '¦');
      return `| ${((1000 * ms) / count).toFixed(0)} | ${(calls / count).toFixed(3)} | ${text} |`;
    });
  const head = ['| µs for one | calls for one | statement |', '|---|---|---|'];
  return [...head, `| ${((1000 * total) / count).toFixed(0)} | | all, by the clock |`, ...rows].join('\n');
}

async function profile(what: string, server: BenchServer, run: () => Promise<number>): Promise<string> {
  const { databaseUrl, pid } = server;
  await asOwner(databaseUrl, client => client.query('select pg_stat_statements_reset()'));
  const used = () => withClient(databaseUrl, async client => [await cpuMsOf(pid), await postgresCpuMs(client)]);
  const before = await used();
  const count = await run();
  await settle();
  const after = await used();
  const [node, postgres] = after.map((ms, i) => ((ms - before[i]!) / count).toFixed(3));
  const lines = await readLines(databaseUrl);
  return `${what}: Node ${node} ms, PostgreSQL ${postgres} ms of processor time for one\n\n${tableOf(lines, count)}`;
}

export async function measureProfile(lab: Lab): Promise<string> {
  const server = await lab.startServer(lab.databaseUrl);
  await asOwner(lab.databaseUrl, client => client.query('create extension pg_stat_statements'));
  const [receiver, players, orders] = await Promise.all([
    lab.startProgram('receiver'),
    lab.startProgram('player-load'),
    lab.startProgram('order-load'),
  ]);
  const key = server.account.sandboxKey;
  await subscribe(server.port, key, ['item.add', 'item.remove'], await receiver.ask('port'));
  const buy = async (count: number): Promise<number> => {
    const load: PlayerLoad = { port: server.port, key, atOnce: 32, players: PLAYERS, ms: 600_000, orders: count };
    return (await players.ask<PlayerLoadResult>(load)).orderIds.length;
  };
  const create = async (): Promise<number> => {
    const load: OrderLoad = { port: server.port, key, connections: 128, players: PLAYERS, ms: CREATE_MS };
    return ((await orders.ask<OrderLoadResult>(load)).perSecond * CREATE_MS) / 1000;
  };
  await buy(WARM_UP);
  await settle();
  const whole = await profile('Whole orders', server, () => buy(ORDERS));
  await create();
  await settle();
  const created = await profile('Creations', server, create);
  await server.stop();
  return `${whole}\n\n${created}`;
}
