import type pg from 'pg';
import { cpuMsOf, postgresCpuMs } from '../cpu-time.ts';
import type { BenchServer, Lab } from '../lab.ts';
import type { OrderLoad, OrderLoadResult } from '../programs/order-load.ts';
import type { PlayerLoad, PlayerLoadResult } from '../programs/player-load.ts';
import { subscribe, withClient } from '../shop.ts';

const WARM_UP = 6_000;
const ORDERS = 5_000;
const CREATE_MS = 6_000;
const PLAYERS = 20_000;
const SETTLE_MS = 3_000;

interface Line {
  query: string;
  calls: number;
  rows: number;
  ms: number;
}

const settle = (): Promise<void> => new Promise(resolve => setTimeout(resolve, SETTLE_MS));

async function adminOf(databaseUrl: string, work: (client: pg.Client) => Promise<void>): Promise<void> {
  const admin = new URL(databaseUrl);
  admin.username = 'postgres';
  await withClient(admin.href, work);
}

async function read(databaseUrl: string): Promise<Line[]> {
  let lines: Line[] = [];
  await adminOf(databaseUrl, async client => {
    const { rows } = await client.query<Line>(
      `select query, calls::int, rows::int, total_exec_time + total_plan_time as ms from pg_stat_statements order by 4 desc`,
    );
    lines = rows;
  });
  return lines;
}

const LENGTH = 110;

function tableOf(lines: readonly Line[], count: number): string {
  const total = lines.reduce((sum, { ms }) => sum + ms, 0);
  const rows = lines
    .filter(({ ms }) => ms > total / 200)
    .map(({ query, calls, rows: returned, ms }) => {
      const text = query.replaceAll(/\s+/g, ' ').slice(0, LENGTH).replaceAll('|', '¦');
      return `| ${((1000 * ms) / count).toFixed(0)} | ${(calls / count).toFixed(3)} | ${(ms / calls).toFixed(3)} | ${returned} | ${text} |`;
    });
  return [
    `all: ${((1000 * total) / count).toFixed(0)} µs`,
    '| µs for one | calls for one | ms for a call | rows | statement |',
    '|---|---|---|---|---|',
    ...rows,
  ].join('\n');
}

async function profile(server: BenchServer, run: () => Promise<number>): Promise<string> {
  await adminOf(server.databaseUrl, async client => void (await client.query('select pg_stat_statements_reset()')));
  const cpu = () => withClient(server.databaseUrl, async c => [await cpuMsOf(server.pid), await postgresCpuMs(c)]);
  const before = await cpu();
  const count = await run();
  const after = await cpu();
  await settle();
  const [node, postgres] = after.map((ms, i) => ((ms - before[i]!) / count).toFixed(3));
  return `Node ${node} ms, PostgreSQL ${postgres} ms\n${tableOf(await read(server.databaseUrl), count)}`;
}

export async function measureProfile(lab: Lab): Promise<string> {
  const server = await lab.startServer(lab.databaseUrl);
  await adminOf(lab.databaseUrl, async client => void (await client.query('create extension pg_stat_statements')));
  const [receiver, players, orders] = await Promise.all([
    lab.startProgram('receiver'),
    lab.startProgram('player-load'),
    lab.startProgram('order-load'),
  ]);
  const key = server.account.sandboxKey;
  await subscribe(server.port, key, ['item.add', 'item.remove'], await receiver.ask('port'));
  const whole = async (count: number): Promise<number> => {
    const load: PlayerLoad = { port: server.port, key, atOnce: 32, players: PLAYERS, ms: 600_000, orders: count };
    await players.ask<PlayerLoadResult>(load);
    return count;
  };
  const created = async (): Promise<number> => {
    const load: OrderLoad = { port: server.port, key, connections: 128, players: PLAYERS, ms: CREATE_MS };
    const { perSecond } = await orders.ask<OrderLoadResult>(load);
    return (perSecond * CREATE_MS) / 1000;
  };
  await whole(WARM_UP);
  await settle();
  const ofWhole = await profile(server, () => whole(ORDERS));
  await created();
  await settle();
  const ofCreation = await profile(server, created);
  await server.stop();
  return `Whole orders\n${ofWhole}\n\nCreations\n${ofCreation}`;
}
