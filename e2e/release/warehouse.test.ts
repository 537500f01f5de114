/** The guide "Load a data warehouse": its SQL run by DuckDB, over what its commands print. Needs the network, to install DuckDB. */
import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { appendFile, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { type Game, startGame } from '@coinslot/testing/game-receiver';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Account, type Coinslot, startCoinslot } from '../start-coinslot.ts';

const exec = promisify(execFile);
const ROOT = fileURLToPath(new URL('../../', import.meta.url));
const CLI = join(ROOT, 'packages/cli/dist/main.js');
const guide = readFileSync(join(ROOT, 'docs/guides/data-warehouse.md'), 'utf8');
/** The newest of which npm has the library for every machine. */
const DUCKDB = '@duckdb/node-api@1.5.5-r.5';

/** Runs SQL in a database file, as `duckdb FILE < SQL` does, and prints the rows of the last statement as JSON. */
const RUN = `
import { readFileSync } from 'node:fs';
import { DuckDBInstance } from '@duckdb/node-api';
const db = await DuckDBInstance.create('shop.duckdb');
const connection = await db.connect();
const statements = await connection.extractStatements(readFileSync(0, 'utf8'));
let rows;
for (let at = 0; at < statements.count; at++) rows = await (await statements.prepare(at)).runAndReadAll();
console.log(JSON.stringify(rows.getRowObjectsJson()));
`;

const folder = await mkdtemp(join(tmpdir(), 'coinslot-warehouse-'));
const isThere = await exec('npm', ['install', '--no-audit', '--no-fund', '--ignore-scripts', DUCKDB], {
  cwd: folder,
}).then(
  () => true,
  () => false,
);

const loadSql = /^```sql file=load.sql\n(.*?)^```$/ms.exec(guide)?.[1] ?? '';
const placeSql = /-c '(select cursor from events [^']+)'/.exec(guide)?.[1] ?? '';

let coinslot: Coinslot;
let account: Account;
let game: Game;

beforeAll(async () => {
  coinslot = await startCoinslot();
  account = await coinslot.setup();
  game = await startGame({ secret: account.sandbox.s2s_key });
  await cli('webhooks', 'add', game.url, '--events', 'item.add,item.remove', '--json');
  await writeFile(join(folder, 'run.mjs'), RUN);
});

afterAll(async () => {
  await game?.close();
  await coinslot?.stop();
  await rm(folder, { recursive: true, force: true });
});

async function duckdb(sql: string): Promise<Record<string, string>[]> {
  const running = exec(process.execPath, ['run.mjs'], { cwd: folder });
  running.child.stdin!.end(sql);
  return JSON.parse((await running).stdout) as Record<string, string>[];
}

async function cli(...args: string[]): Promise<string> {
  const env = {
    PATH: process.env.PATH,
    HOME: folder,
    COINSLOT_URL: coinslot.url,
    COINSLOT_KEY: account.sandbox.s2s_key,
  };
  return (await exec(process.execPath, [CLI, ...args], { env, maxBuffer: 1 << 26 })).stdout;
}

async function order(card?: string): Promise<void> {
  const { order_id: id } = JSON.parse(await cli('orders', 'create', '--player', 'p', '--sku', 'gem', '--json')) as {
    order_id: string;
  };
  if (card) await cli('orders', 'pay', id, '--card', card, '--json');
}

it('the guide has what is run here', () => {
  expect(loadSql).toContain('insert or ignore');
  expect(placeSql).toContain('limit 1');
});

describe.skipIf(!isThere)(
  `the warehouse of the guide${isThere ? '' : '; not run: npm could not install DuckDB'}`,
  () => {
    it('has every event once, however often it is loaded, and goes on from its own last event', {
      timeout: 180_000,
    }, async () => {
      const count = 'select count(*)::int as n, count(distinct event_id)::int as ids from events';
      await order('success');
      await order();
      await writeFile(join(folder, 'events.ndjson'), await cli('events', '--format', 'ndjson'));
      await duckdb(loadSql);
      await duckdb(loadSql);
      const lines = () => readFileSync(join(folder, 'events.ndjson'), 'utf8').trimEnd().split('\n').length;
      expect(await duckdb(count)).toEqual([{ n: lines(), ids: lines() }]);
      await order('success');
      const [place] = await duckdb(placeSql);
      await appendFile(
        join(folder, 'events.ndjson'),
        await cli('events', '--from', place!.cursor!, '--format', 'ndjson'),
      );
      await duckdb(loadSql);
      const whole = (await cli('events', '--format', 'ndjson')).trimEnd().split('\n').length;
      // DuckDB does not keep the order of rows for sure, so the last row may be one before the last event, which is then read again.
      expect(lines()).toBeGreaterThanOrEqual(whole);
      expect(await duckdb(count)).toEqual([{ n: whole, ids: whole }]);
      expect(
        await duckdb(
          `select event_type, count(*)::int as n from events where event_type = 'order.created' group by all`,
        ),
      ).toEqual([{ event_type: 'order.created', n: 3 }]);
    });

    it('adds up what was sold by day and currency', { timeout: 60_000 }, async () => {
      const [paid] = (await coinslot.query(
        `select count(1)::int as orders, coalesce(sum(amount_minor), 0)::int as minor from orders where status = 'paid'`,
      )) as [{ orders: number; minor: number }];
      expect(paid.orders).toBe(2);
      const sales = await duckdb('from sales');
      const total = sales.reduce((sum, row) => sum + Number(row.amount), 0);
      expect(sales.reduce((sum, row) => sum + Number(row.orders), 0)).toBe(paid.orders);
      expect(Math.round(total * 100)).toBe(paid.minor);
    });
  },
);
