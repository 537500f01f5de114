import { appendFile, readFile, truncate } from 'node:fs/promises';
import { join } from 'node:path';
import type pg from 'pg';
import { cpuMsOf } from '../cpu-time.ts';
import type { BenchServer, Lab } from '../lab.ts';
import type { PlayerLoad, PlayerLoadResult } from '../programs/player-load.ts';
import type { Result } from '../result.ts';
import { countPaid, subscribe, withClient } from '../shop.ts';

/** V8 compiles for the first thousands of orders, which no later one pays. */
const WARM_UP = 6_000;
const ORDERS = 3_000;
/** Of these every statement is written down, which slows them. */
const LISTED = 600;
const PLAYERS = 1_000;
const AT_ONCE = 32;
/** Receipts are written after the answer, and PostgreSQL counts its sessions now and then. */
const SETTLE_MS = 3_000;

interface Counters {
  node: number;
  postgres: number;
  walRecords: number;
  walBytes: number;
  commits: number;
}

interface Updates {
  table: string;
  updates: number;
  hot: number;
}

const ADMIN = 'postgres';
const settle = (): Promise<void> => new Promise(resolve => setTimeout(resolve, SETTLE_MS));

async function readCounters(server: BenchServer, client: pg.Client): Promise<Counters> {
  const sessions = await client.query<{ pid: number }>(
    `select pid from pg_stat_activity where pid <> pg_backend_pid()`,
  );
  const { rows } = await client.query<Omit<Counters, 'node' | 'postgres'>>(`
    select w.wal_records::int as "walRecords", w.wal_bytes::float8 as "walBytes", d.xact_commit::int as commits
    from pg_stat_wal w, pg_stat_database d where d.datname = current_database()`);
  const used = await Promise.all(sessions.rows.map(({ pid }) => cpuMsOf(pid)));
  return { ...rows[0]!, node: await cpuMsOf(server.pid), postgres: used.reduce((sum, ms) => sum + ms, 0) };
}

/** Months and lanes are tables of their own, and are added up. */
const readUpdates = async (client: pg.Client): Promise<Updates[]> =>
  (
    await client.query<Updates>(`
      select regexp_replace(relname, '_[0-9]{6}$', '') as table, sum(n_tup_upd)::int as updates, sum(n_tup_hot_upd)::int as hot
      from pg_stat_user_tables where relname ~ '^(orders|payments|deliveries_items)(_[0-9]{6})?$' group by 1 order by 1`)
  ).rows;

/** `execute NAME: …` for what was prepared by name, `statement: …` for the rest. */
function countStatements(log: string): Map<string, number> {
  const counts = new Map<string, number>();
  for (const [, prepared, plain] of log.matchAll(/LOG: {2}(?:execute ([^:]+): |statement: (\w+))/g)) {
    const name = prepared ?? plain!;
    counts.set(name, (counts.get(name) ?? 0) + 1);
  }
  return counts;
}

/** What the program sent while these orders were made, by name. */
async function listStatements(lab: Lab, makeOrders: (count: number) => Promise<void>) {
  const cluster = join(lab.postgresDir, 'cluster');
  const log = join(lab.postgresDir, 'postgres.log');
  const [pid] = (await readFile(join(cluster, 'postmaster.pid'), 'utf8')).split('\n');
  // Only the role that owns the cluster may set it, so it is written where that role would.
  const set = async (value: string): Promise<void> => {
    await appendFile(join(cluster, 'postgresql.conf'), `\nlog_statement = ${value}\nlog_parameter_max_length = 0\n`);
    process.kill(Number(pid), 'SIGHUP');
    await settle();
  };
  await truncate(log);
  await set('all');
  await makeOrders(LISTED);
  await set('none');
  return countStatements(await readFile(log, 'utf8'));
}

function result(what: string, value: number, unit: Result['unit'], atMost: number): Result {
  return { what: `${what} for a whole order`, measured: '', value, unit, target: { atMost } };
}

function statementTable(counts: Map<string, number>): string {
  const lines = [...counts]
    .toSorted(([, a], [, b]) => b - a)
    .filter(([, count]) => count >= LISTED / 100)
    .map(([name, count]) => `| ${name} | ${(count / LISTED).toFixed(2)} |`);
  return ['| statement | for one order |', '|---|---|', ...lines].join('\n');
}

interface WalLine {
  relation: string;
  kind: string;
  records: number;
  bytes: number;
}

/** Where the log went, by table and index. Only the role that owns the cluster may read it. */
async function readWal(databaseUrl: string, from: string): Promise<WalLine[]> {
  const admin = new URL(databaseUrl);
  admin.username = ADMIN;
  return withClient(admin.href, async client => {
    await client.query('create extension if not exists pg_walinspect');
    const { rows } = await client.query<WalLine>(
      `select coalesce(regexp_replace(c.relname, '_([0-9]{6}|rest)(?=_|$)', ''), 'none') as relation,
         w.resource_manager || ' ' || w.record_type as kind, count(*)::int as records, sum(w.record_length)::int as bytes
       from (select *, (regexp_match(block_ref, 'rel [0-9]+/[0-9]+/([0-9]+)'))[1]::oid as node
         from pg_get_wal_records_info($1, pg_current_wal_flush_lsn())) w
       left join pg_class c on c.relfilenode = w.node group by 1, 2 order by 3 desc`,
      [from],
    );
    return rows;
  });
}

function walTable(lines: readonly WalLine[]): string {
  const rows = lines
    .filter(({ records }) => records >= ORDERS / 20)
    .map(
      ({ relation, kind, records, bytes }) =>
        `| ${relation} | ${kind} | ${(records / ORDERS).toFixed(2)} | ${(bytes / ORDERS).toFixed(0)} |`,
    );
  return ['| log of | kind | records | bytes |', '|---|---|---|---|', ...rows].join('\n');
}

function updateTable(before: Updates[], after: Updates[]): string {
  const lines = after.map(({ table, updates, hot }) => {
    const was = before.find(one => one.table === table) ?? { updates: 0, hot: 0 };
    const made = updates - was.updates;
    return `| ${table} | ${(made / ORDERS).toFixed(1)} | ${Math.round((100 * (hot - was.hot)) / made)} % |`;
  });
  return ['| table | updates | in place (HOT) |', '|---|---|---|', ...lines].join('\n');
}

/** What one whole order costs: processor time, the log of the database, commits and statements. Ratios would not say where it goes. */
export async function measureSteps(lab: Lab): Promise<{ results: Result[]; details: string }> {
  const server = await lab.startServer(lab.databaseUrl);
  const [receiver, playerLoad] = await Promise.all([lab.startProgram('receiver'), lab.startProgram('player-load')]);
  const key = server.account.sandboxKey;
  await subscribe(server.port, key, ['item.add', 'item.remove'], await receiver.ask('port'));
  const makeOrders = async (orders: number): Promise<void> => {
    const load: PlayerLoad = { port: server.port, key, atOnce: AT_ONCE, players: PLAYERS, ms: 600_000, orders };
    const { orderIds } = await playerLoad.ask<PlayerLoadResult>(load);
    const paid = await countPaid(server.databaseUrl, orderIds);
    if (paid < orders) throw new Error(`only ${paid} of ${orders} orders are paid`);
    await settle();
  };
  await makeOrders(WARM_UP);
  const [before, updatesBefore, lsn] = await withClient(server.databaseUrl, async client => {
    await client.query('analyze');
    await settle();
    const { rows } = await client.query<{ lsn: string }>('select pg_current_wal_flush_lsn()::text as lsn');
    return [await readCounters(server, client), await readUpdates(client), rows[0]!.lsn] as const;
  });
  await makeOrders(ORDERS);
  const [after, updatesAfter] = await withClient(server.databaseUrl, async client => [
    await readCounters(server, client),
    await readUpdates(client),
  ]);
  const wal = await readWal(server.databaseUrl, lsn);
  const each = (name: keyof Counters): number => (after[name] - before[name]) / ORDERS;
  const statements = await listStatements(lab, makeOrders);
  const sent = [...statements].filter(([name]) => !/^(begin|commit|set)$/i.test(name));
  await server.stop();
  return {
    results: [
      result('processor time of PostgreSQL', each('postgres'), 'ms', 1.5),
      result('processor time of Node', each('node'), 'ms', 1.7),
      result('write-ahead log', each('walBytes') / 1000, 'KB', 9),
      result('records of it', each('walRecords'), '', 55),
      result('commits', each('commits'), '', 5),
      result('statements', sent.reduce((sum, [, count]) => sum + count, 0) / LISTED, '', 7),
    ],
    details: [updateTable(updatesBefore, updatesAfter), walTable(wal), statementTable(statements)].join('\n\n'),
  };
}
