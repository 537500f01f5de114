import { createHash } from 'node:crypto';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gunzipSync, gzipSync } from 'node:zlib';
import { type TestDatabase, testDatabase } from '@coinslot/testing/database';
import { type StripeShop, startStripeShop } from '@coinslot/testing/stripe-shop';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { migrate } from '../../db/migrate.ts';
import { countUnbalanced, listTables } from './backup-tables.sql.ts';
import { makeBackup } from './make-backup.ts';
import { checkBackup, restoreBackup } from './restore-backup.ts';

let shop: StripeShop;
let folder: string;
let file: string;
const opened: TestDatabase[] = [];

async function emptyDatabase(): Promise<TestDatabase> {
  const database = await testDatabase();
  opened.push(database);
  return database;
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

/** A digest of the rows of each table, whatever their order on the disk. */
const contentOf = (url: string): Promise<Record<string, string>> =>
  withClient(url, async client => {
    const content: Record<string, string> = {};
    for (const { table, columns } of await listTables(client)) {
      // The backup writes there when it is whole.
      if (table === 'public.heartbeats') continue;
      const { rows } = await client.query(
        `select md5(coalesce(string_agg(line, '' order by line), '')) as digest, count(*)::int as n
         from (select row(${columns.join(', ')})::text as line from ${table}) lines`,
      );
      content[table] = `${rows[0].n} ${rows[0].digest}`;
    }
    return content;
  });

const noKeys = async (): Promise<string[]> => ['0000'];
const backUp = (url: string, to: string) =>
  makeBackup({ url, file: to, programVersion: '0.0.0-test', checkKeys: noKeys });
const restore = (from: string, url: string) => restoreBackup({ file: from, url, checkKeys: noKeys, log: () => {} });

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'coinslot-backup-'));
  file = join(folder, 'first.backup.gz');
  shop = await startStripeShop();
  // Text that would end a row, a column or the file if it were not escaped.
  const order = await shop.order({ player_id: 'player\\.\n\t\\N' });
  await shop.payBy(order);
  await shop.payBy(await shop.order());
  await shop.later(60);
});
afterAll(async () => {
  for (const database of opened) await database.drop();
  await shop.close();
  await rm(folder, { recursive: true, force: true });
});

describe('a backup', () => {
  it('restores every row of every table, the numbers that follow, and a ledger that is not empty', async () => {
    await withClient(shop.database.url, client =>
      client.query(`select make_partition('events', 'evt', '2020-02-01T00:00:00Z')`),
    );
    const made = await backUp(shop.database.url, file);
    expect(made.orders).toBe(2);
    const target = await emptyDatabase();
    expect(await restore(file, target.url)).toMatchObject({ rows: made.rows, orders: 2 });
    const [before, after] = [await contentOf(shop.database.url), await contentOf(target.url)];
    expect(after).toEqual(before);
    expect(Number(after['public.ledger_entries']!.split(' ')[0])).toBeGreaterThan(0);
    await withClient(target.url, async client => {
      expect(await countUnbalanced(client)).toBe(0);
      const { rows } = await client.query(
        `select to_regclass('events_202002') is not null as month,
           greatest((select max(seq) from orders), (select max(seq) from events)) < nextval('events_seq') as follows,
           (select count(*)::int from pg_trigger where not tgisinternal and tgenabled <> 'O') as off`,
      );
      expect(rows[0]).toEqual({ month: true, follows: true, off: 0 });
    });
  });

  it('is of one moment, however much is written meanwhile', async () => {
    const during = join(folder, 'during.backup.gz');
    const done = new AbortController();
    const writing = (async () => {
      for (let n = 0; !done.signal.aborted; n++) await shop.createOrder({ player_id: `during_${n}` });
    })();
    await backUp(shop.database.url, during);
    done.abort();
    await writing;
    const target = await emptyDatabase();
    await restore(during, target.url);
    const { rows } = await withClient(target.url, client =>
      client.query(`select count(*)::int as torn from orders o
        full join players p on p.environment_id = o.environment_id and p.player_id = o.player_id
        where (o.player_id like 'during%' or p.player_id like 'during%') and (o.id is null or p.player_id is null)`),
    );
    expect(rows[0].torn).toBe(0);
  });

  it('that was damaged, cut or changed is refused, and the database stays empty', async () => {
    const bytes = await readFile(file);
    const text = gunzipSync(bytes).toString('latin1');
    const other = join(folder, 'other.backup.gz');
    const target = await emptyDatabase();
    const expectRefused = async (content: Buffer, why: RegExp) => {
      await writeFile(other, content);
      await expect(checkBackup(other)).rejects.toThrow(why);
      await expect(restore(other, target.url)).rejects.toThrow();
    };
    await expectRefused(bytes.subarray(0, bytes.length - 200), /cannot be read|ends too early/);
    await expectRefused(
      gzipSync(Buffer.from(text.replace('player@example.com', 'someone@else.example'), 'latin1')),
      /checksum/,
    );
    await expectRefused(
      gzipSync(Buffer.from(text.replace('"formatVersion":1', '"formatVersion":2'), 'latin1')),
      /format 2/,
    );
    await expectRefused(gzipSync('hello\n'), /not a Coinslot backup/);
    expect(await contentOf(target.url)).toMatchObject({ 'public.orders': `0 ${createHash('md5').digest('hex')}` });
    expect(await checkBackup(file)).toMatchObject({ orders: 2 });
  });

  it('of a schema that this version does not have is refused by name', async () => {
    const text = gunzipSync(await readFile(file)).toString('latin1');
    const other = join(folder, 'newer.backup.gz');
    const newer = text.replace(
      '"migrations":[',
      '"migrations":[{"number":9999,"name":"9999_far-ahead.sql","hash":"x"},',
    );
    await writeFile(other, gzipSync(Buffer.from(newer, 'latin1')));
    const target = await emptyDatabase();
    await expect(restore(other, target.url)).rejects.toThrow(/9999_far-ahead.sql, which this version does not have/);
  });

  it('from before the first release is told so, with what to do (row 130)', async () => {
    const text = gunzipSync(await readFile(file)).toString('latin1');
    const other = join(folder, 'before.backup.gz');
    await writeFile(other, gzipSync(Buffer.from(text.replace('"hash":"', '"hash":"0'), 'latin1')));
    const target = await emptyDatabase();
    await expect(restore(other, target.url)).rejects.toThrow(
      /^This backup was made by a version from before 1\.0\.0-rc\.1/,
    );
  });

  it('keeps out a program that starts meanwhile, and takes nothing from one that was a moment earlier (row 207)', async () => {
    const target = await emptyDatabase();
    const said: string[] = [];
    const other = new pg.Client({ connectionString: target.url });
    await other.connect();
    try {
      // The restore has looked and found nothing; then it waits at a table that this session writes to.
      await other.query('begin');
      await other.query(
        `insert into users (id, email, email_key, password_hash, created_at) values ('usr_1', 'a@example.com', 'a@example.com', 'x', now())`,
      );
      const restoring = restore(file, target.url).catch((error: Error) => error.message);
      const holdsLock = `select 1 from pg_locks where locktype = 'advisory' and objid = 42420001 and granted
        and database = (select oid from pg_database where datname = current_database())`;
      const waits = `select 1 from pg_stat_activity where application_name = 'coinslot-restore' and wait_event_type = 'Lock'
                     and datname = current_database()`;
      // Another session, because one shows the others as they were when its transaction looked first.
      const count = async (text: string): Promise<number> =>
        (await target.db.query({ name: '', text, values: [] })).length;
      await expect.poll(() => count(waits)).toBe(1);
      expect(await count(holdsLock)).toBe(1);
      await expect(migrate(target.url, { limitMs: 500, log: line => void said.push(line) })).rejects.toThrow(
        /"coinslot-restore".* has held the migration lock/,
      );
      await other.query('commit');
      expect(await restoring).toMatch(/in use already/);
      expect((await other.query('select email from users')).rows).toEqual([{ email: 'a@example.com' }]);
    } finally {
      await other.end();
    }
  });

  it('overwrites neither a database that is in use nor a file', async () => {
    await expect(restore(file, shop.database.url)).rejects.toThrow(/in use already/);
    await expect(backUp(shop.database.url, file)).rejects.toThrow(/is there already/);
  });
});
