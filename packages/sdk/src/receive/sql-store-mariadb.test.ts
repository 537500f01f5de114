/** The `mysql` dialect against a real MariaDB, where one is on the machine. Its own client is the driver. */
import { type ChildProcessWithoutNullStreams, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { createInterface } from 'node:readline';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { type SqlQuery, sqlStore, sqlStoreTable } from '../index.ts';

const NEEDED = ['mariadbd', 'mariadb', 'mariadb-install-db'];
const onPath = (program: string): boolean =>
  (process.env.PATH ?? '').split(delimiter).some(folder => existsSync(join(folder, program)));
const machines = NEEDED.every(onPath) ? ['MariaDB'] : [];

interface Client {
  query: SqlQuery;
  end(): void;
}

const literal = (value: unknown): string =>
  typeof value === 'string' ? `'${value.replaceAll('\\', '\\\\').replaceAll("'", "''")}'` : JSON.stringify(value); // a number, or null

/** Rows as the client prints them: a line of names, then a line for each row, with tabs between. */
function readRows(lines: string[]): Record<string, string | null>[] {
  const [names = [], ...rows] = lines.map(line => line.split('\t'));
  return rows.map(row =>
    Object.fromEntries(names.map((name, i) => [name, row[i] === 'NULL' ? null : (row[i] ?? null)])),
  );
}

function connect(socket: string): Client {
  const options = '--no-defaults --user=root --batch --unbuffered --force --default-character-set=utf8mb4';
  // Errors in the same stream, so that they come before the end of their statement.
  const child: ChildProcessWithoutNullStreams = spawn('sh', [
    '-c',
    `exec mariadb ${options} --socket='${socket}' game 2>&1`,
  ]);
  const printed = createInterface(child.stdout)[Symbol.asyncIterator]();
  let last: Promise<unknown> = Promise.resolve();
  async function say(text: string, values: unknown[]): Promise<unknown> {
    let used = 0;
    child.stdin.write(`${text.replaceAll('?', () => literal(values[used++]))};\nselect 1 as the_end;\n`);
    const lines: string[] = [];
    for (;;) {
      const { value, done } = await printed.next();
      if (done) throw new Error(`the client ended: ${lines.join('\n')}`);
      if (value === 'the_end') break;
      lines.push(value);
    }
    await printed.next();
    const error = lines.find(line => line.startsWith('ERROR '));
    if (error) throw new Error(error);
    return readRows(lines);
  }
  return {
    query: (text, values) => {
      const answer = last.then(() => say(text, values));
      last = answer.catch(() => {});
      return answer;
    },
    end: () => child.stdin.end(),
  };
}

const folder = mkdtempSync(join(tmpdir(), 'coinslot-mariadb-'));
const socket = join(folder, 'socket');

async function startServer(): Promise<() => Promise<void>> {
  const common = ['--no-defaults', `--datadir=${join(folder, 'data')}`];
  if (process.getuid?.() === 0) common.push('--user=root');
  const own = ['--auth-root-authentication-method=normal', '--skip-test-db'];
  execFileSync('mariadb-install-db', [...common, ...own], { stdio: 'ignore' });
  const small = ['--skip-networking', '--innodb-buffer-pool-size=8M', '--innodb-log-file-size=4M'];
  const server = spawn('mariadbd', [...common, ...small, `--socket=${socket}`], { stdio: 'ignore' });
  await vi.waitFor(
    () =>
      execFileSync('mariadb', ['--no-defaults', '--user=root', `--socket=${socket}`, '-e', 'create database game'], {
        stdio: 'ignore',
      }),
    { timeout: 60_000, interval: 100 },
  );
  return async () => {
    server.kill();
    await once(server, 'exit');
  };
}

afterAll(() => rmSync(folder, { recursive: true, force: true }));

// Where there is no MariaDB, this is all.
test('other dialects differ in placeholders and in how they insert', async () => {
  const said: { text: string; values: unknown[] }[] = [];
  const record: SqlQuery = async (text, values) => {
    said.push({ text, values });
    return [];
  };
  for (const dialect of ['mysql', 'sqlite'] as const)
    await sqlStore({ query: record, dialect, table: 'seen' }).begin('k');
  expect(said.every(({ text, values }) => text.split('?').length - 1 === values.length)).toBe(true);
  const inserts = said.map(({ text }) => text).filter(text => text.startsWith('insert'));
  expect(inserts[0]).toMatch(/^insert into seen .* on duplicate key update claim = claim$/);
  expect(inserts[1]).toMatch(/^insert into seen .* on conflict \(idempotency_key\) do nothing$/);
  expect(sqlStoreTable('seen')).toContain('create table if not exists seen');
});

describe.each(machines)('a webhook in %s', () => {
  let clients: Client[] = [];
  let stop: (() => Promise<void>) | undefined;
  const game = (i: number, leaseSeconds = 60) => {
    const { query } = clients[i % clients.length] as Client;
    return sqlStore({ query, dialect: 'mysql', leaseSeconds });
  };
  const begins = async (key: string): Promise<string[]> => {
    const begun = await Promise.all(clients.map((_, i) => game(i).begin(key)));
    return begun.map(({ state }) => state).toSorted();
  };
  const claimOf = async (store: ReturnType<typeof game>, key: string): Promise<string> => {
    const begun = await store.begin(key);
    if (begun.state !== 'run') throw new Error(begun.state);
    return begun.claim;
  };

  beforeAll(async () => {
    stop = await startServer();
    clients = Array.from({ length: 6 }, () => connect(socket));
    await game(0).createTable();
    await game(0).createTable();
  }, 60_000);
  afterAll(async () => {
    for (const { end } of clients) end();
    await stop?.();
  });

  test('runs once, however many processes get it at the same time', async () => {
    expect(await begins('same')).toEqual(['busy', 'busy', 'busy', 'busy', 'busy', 'run']);
  });

  test('is run by one of many when the process that had it died', async () => {
    await claimOf(game(0, 0.001), 'died');
    await expect.poll(() => begins('died')).toEqual(['busy', 'busy', 'busy', 'busy', 'busy', 'run']);
  });

  test('keeps keys apart that differ in case, accent or a space, and refuses one that is too long', async () => {
    for (const key of ['key', 'Key', 'kéy', 'key ', '🐉', '🐲']) expect((await game(1).begin(key)).state).toBe('run');
    await expect(game(1).begin('x'.repeat(300))).rejects.toThrow('Data too long');
  });

  test('keeps a final no in any script, and gives a failed one back', async () => {
    const store = game(2);
    await store.finish('no', await claimOf(store, 'no'), { declined: "Zoë's 🐉 is too small" });
    expect(await store.begin('no')).toEqual({ state: 'done', outcome: { declined: "Zoë's 🐉 is too small" } });
    await store.fail('failed', await claimOf(store, 'failed'));
    expect((await store.begin('failed')).state).toBe('run');
  });

  test('does not pass a process that was too slow, whatever its transaction had read before', async () => {
    const slow = clients[3] as Client;
    const claim = await claimOf(game(0, 0.001), 'slow');
    await slow.query('start transaction', []);
    await slow.query('select claim from coinslot_webhooks', []);
    await expect.poll(async () => (await game(1).begin('slow')).state).toBe('run');
    await expect(game(1).finish('slow', claim, { declined: null }, slow.query)).rejects.toThrow('took it over');
    await slow.query('rollback', []);
  });

  test('saves the grant and the mark together, or neither', async () => {
    const { query } = clients[4] as Client;
    await query('create table grants (sku varchar(9))', []);
    for (const end of ['rollback', 'commit']) {
      const claim = await claimOf(game(5), end);
      await query('start transaction', []);
      await query("insert into grants values ('gem')", []);
      await game(5).finish(end, claim, { declined: null }, query);
      await query(end, []);
    }
    expect(await query('select sku from grants', [])).toEqual([{ sku: 'gem' }]);
    expect((await game(0).begin('commit')).state).toBe('done');
    expect((await game(0).begin('rollback')).state).toBe('busy');
  });
});
