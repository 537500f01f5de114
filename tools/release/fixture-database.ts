/** A whole database as one script that any PostgreSQL client can run: schema, rows, sequences, in one transaction. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import pg from 'pg';
import { listPartitions, listSequences, listTables } from '../../apps/server/src/commands/backup/backup-tables.sql.ts';
import { migrationsIn } from './released.ts';

const quoted = (text: string): string => `'${text.replaceAll("'", "''")}'`;

/** An index can be built beside running writes only outside a transaction; here nothing runs beside it. */
const textOf = (root: string, name: string): string =>
  readFileSync(join(root, 'apps/server/migrations', name), 'utf8').replaceAll(
    /\b(create (?:unique )?index) concurrently\b/g,
    '$1',
  );

const MIGRATIONS_TABLE = `create table migrations (
  number int primary key, name text not null, hash text not null, oldest_program int not null,
  applied_at timestamptz not null default now());`;

async function rowsOf(client: pg.Client, table: string, columns: readonly string[]): Promise<string> {
  const list = columns.join(', ');
  const { rows } = await client.query<{ rows: string | null }>(
    `select json_agg(t)::text as rows from (select ${list} from ${table}) t`,
  );
  const found = rows[0]?.rows ?? null;
  if (found === null) return '';
  return `insert into ${table} (${list}) overriding system value
select ${list} from json_populate_recordset(null::${table}, ${quoted(found)});\n`;
}

async function withClient<T>(url: string, work: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}

async function scriptOf(root: string, client: pg.Client): Promise<string> {
  const tables = await listTables(client);
  const names = tables.map(({ table }) => table);
  const parts = ['begin;', ...migrationsIn(root).map(({ name }) => textOf(root, name)), MIGRATIONS_TABLE];
  parts.push(...names.map(name => `alter table ${name} disable trigger user;`), `truncate ${names.join(', ')};`);
  for (const { parent, prefix, month } of await listPartitions(client)) {
    const first = `to_date(${quoted(month)}, 'YYYYMM')::timestamp at time zone 'utc'`;
    parts.push(`select make_partition(${quoted(parent)}, ${quoted(prefix)}, ${first});`);
  }
  for (const { table, columns } of tables) parts.push(await rowsOf(client, table, columns));
  parts.push(await rowsOf(client, 'migrations', ['number', 'name', 'hash', 'oldest_program', 'applied_at']));
  for (const { name, lastValue, isCalled } of await listSequences(client))
    parts.push(`select setval(${quoted(name)}, ${lastValue}, ${isCalled});`);
  parts.push(...names.map(name => `alter table ${name} enable trigger user;`), 'commit;');
  return `${parts.filter(Boolean).join('\n')}\n`;
}

export const dumpDatabase = (root: string, url: string): Promise<string> =>
  withClient(url, client => scriptOf(root, client));

/** Puts such a script into an empty database. */
export const loadDatabase = (url: string, script: string): Promise<unknown> =>
  withClient(url, client => client.query(script));

/** How many orders there are of each status. */
export const countOrders = (url: string): Promise<Record<string, number>> =>
  withClient(url, async client => {
    const { rows } = await client.query<{ status: string; n: number }>(
      'select status, count(*)::int as n from orders group by 1 order by 1',
    );
    return Object.fromEntries(rows.map(({ status, n }) => [status, n]));
  });
