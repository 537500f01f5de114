import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { type TestDatabase, testDatabase } from '@coinslot/testing/database';
import { poolerHere, startPooler } from '@coinslot/testing/pooler';
import { startProgram } from '@coinslot/testing/program';
import { startTcpProxy } from '@coinslot/testing/tcp-proxy';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { randomToken } from '../../kit/seal.ts';
import { type ConnectOptions, connect } from '../connect.ts';
import { sql } from '../sql.ts';
import { countConnections } from './count-connections.ts';

let database: TestDatabase;
/** The same by TCP, where hosts and TLS are. */
let url: URL;
let closeProxy: () => Promise<void>;

beforeAll(async () => {
  database = await testDatabase();
  const proxy = await startTcpProxy(database.url);
  url = new URL(proxy.url);
  closeProxy = proxy.close;
});
afterAll(async () => {
  await closeProxy();
  await database.drop();
});

type Part = 'port' | 'hostname' | 'password' | 'username' | 'pathname' | 'search';

const changed = (part: Part, value: string): string => {
  const other = new URL(url);
  other[part] = value;
  return other.href;
};

const start = (databaseUrl: string, more: Partial<ConnectOptions> = {}): Promise<unknown> =>
  connect({ databaseUrl, dataDir: '/nowhere', migrate: false, log: () => {}, ...more });

const say = ({ db }: TestDatabase, text: string): Promise<unknown> => db.query({ name: '', text, values: [] });

describe('an address that leads to no database of ours is answered in one sentence with the setting and an example', () => {
  const EXAMPLE = 'Example: DATABASE_URL=postgresql://coinslot:password@db.example.com:5432/coinslot';
  it.each<[string, Part, string, RegExp]>([
    ['nothing listens', 'port', '9', /^DATABASE_URL: nothing listens at 127\.0\.0\.1:9\./],
    ['unknown host', 'hostname', 'nowhere.invalid', /^DATABASE_URL: (?:no host is known|the name server)/],
    ['wrong password', 'password', 'wrong', /^DATABASE_URL: .*refuses the password of the role "coinslot"/],
    ['unknown role', 'username', 'stranger', /^DATABASE_URL: .*role "stranger"/],
    ['unknown database', 'pathname', '/none', /^DATABASE_URL: .*has no database "none"\. Make it:/],
    ['no password', 'password', '', /^DATABASE_URL: .*asks for the password of the role "coinslot", and the address/],
    ['no TLS', 'search', '?sslmode=require', /^DATABASE_URL: .*offers no TLS, and the address asks/],
  ])('%s (row 143)', async (_what, part, value, sentence) => {
    const refused = await start(changed(part, value)).catch((error: Error) => error);
    const { message, name } = refused as Error;
    expect(message).toMatch(sentence);
    expect(message).toContain(EXAMPLE);
    expect(message).not.toContain(`:${url.password}@`);
    expect(name).toBe('Error');
  });

  it('names the other setting when that one is wrong (row 143)', async () => {
    await expect(start(url.href, { sessionUrl: changed('port', '9') })).rejects.toThrow(
      /^DATABASE_SESSION_URL: nothing/,
    );
  });

  it('a database that takes no writes is named as such, before a migration and without one (row 203)', async ({
    onTestFinished,
  }) => {
    const standby = await testDatabase();
    onTestFinished(() => standby.drop());
    const name = new URL(standby.url).pathname.slice(1);
    await say(standby, `alter database ${name} set default_transaction_read_only = on`);
    for (const migrate of [true, false])
      await expect(start(standby.url, { migrate })).rejects.toThrow(
        /^DATABASE_URL: PostgreSQL at .* takes no writes: it is a standby, or default_transaction_read_only is on/,
      );
  });

  it('a role that may make no tables is told who may (row 203)', async ({ onTestFinished }) => {
    const foreign = await testDatabase();
    onTestFinished(() => foreign.drop());
    await say(foreign, 'revoke create on schema public from pg_database_owner');
    await expect(start(foreign.url, { migrate: true })).rejects.toThrow(
      /^DATABASE_URL: the role "coinslot" may not .*permission denied for schema public.*owner to "coinslot"\), or migrate/,
    );
  });

  it('a database that keeps text in another form than UTF8 is refused before the first table (row 204)', async ({
    onTestFinished,
  }) => {
    const name = `latin_${process.pid}`;
    const drop = (): Promise<unknown> => say(database, `drop database if exists ${name}`);
    onTestFinished(async () => void (await drop()));
    await drop();
    await say(database, `create database ${name} encoding LATIN1 locale 'C' template template0`);
    await expect(start(changed('pathname', `/${name}`), { migrate: true })).rejects.toThrow(
      /^DATABASE_URL: the database stores text as LATIN1, and Coinslot needs UTF8/,
    );
  });

  it('a server that is too old is named with the version that is needed (row 143)', async ({ onTestFinished }) => {
    const old = await testDatabase();
    onTestFinished(() => old.drop());
    // The server answers as one of version 14 does.
    await say(
      old,
      `create function public.current_setting(text) returns text language sql as
      $$ select case $1 when 'server_version' then '14.9' when 'server_version_num' then '140009'
      when 'server_encoding' then 'UTF8' else 'off' end $$`,
    );
    await say(old, `alter database ${new URL(old.url).pathname.slice(1)} set search_path = public, pg_catalog`);
    await expect(start(old.url)).rejects.toThrow('the server is PostgreSQL 14.9, and Coinslot needs 15 or newer');
  });
});

/** Each loads the program from its sources. */
const LOADING_MS = 120_000;

describe('the program', { timeout: LOADING_MS }, () => {
  const MAIN = fileURLToPath(new URL('../../main.ts', import.meta.url));
  const run = (env: Record<string, string>): Promise<string> =>
    new Promise(resolve => {
      const given = { PATH: process.env.PATH, HOST: '127.0.0.1', MASTER_KEY: randomToken(32), ...env };
      const child = execFile(process.execPath, ['--conditions=source', '--import', 'tsx', MAIN, 'migrate'], {
        env: given,
      });
      let text = '';
      child.stderr?.on('data', (piece: string) => {
        text += piece;
      });
      child.once('exit', () => resolve(text));
    });

  it('ends with the sentence alone, and with where it comes from only when debugging (row 143)', async () => {
    const DATABASE_URL = changed('port', '9');
    expect(await run({ DATABASE_URL })).toMatch(/^DATABASE_URL: nothing listens at [^\n]+\n$/);
    expect(await run({ DATABASE_URL, LOG_LEVEL: 'debug' })).toMatch(/nothing listens[^\n]*\n +at /);
  });

  it('ends at once where a password is asked for and the address has none (row 203)', async () => {
    expect(await run({ DATABASE_URL: changed('password', '') })).toMatch(
      /^DATABASE_URL: .*the address has none[^\n]+\n$/,
    );
  });
});

describe.skipIf(poolerHere() === null)(
  'a session pooler with fewer sessions than the pools may open',
  { timeout: LOADING_MS },
  () => {
    it('is counted by opening, and readiness says how many there are (row 144)', async ({ onTestFinished }) => {
      let pooler: Awaited<ReturnType<typeof startPooler>> | undefined;
      const shop = await startProgram({
        workers: false,
        env: { DATABASE_CONNECTIONS: '20' },
        async databaseUrlOf(given) {
          pooler = await startPooler('session', given, { default_pool_size: 10 });
          expect(await countConnections(pooler.url, 20)).toBe(10);
          return pooler.url;
        },
      });
      onTestFinished(async () => {
        await shop.close();
        await pooler?.stop();
      });
      // Longer than a new session is waited for.
      const busy = sql('t_busy')`select pg_sleep(5)`;
      const { db, moneyDb, providerDb } = shop.program.parts;
      await Promise.allSettled(
        [db, moneyDb, providerDb].flatMap(pool => Array.from({ length: 6 }, () => pool.query(busy))),
      );
      const look = async (): Promise<unknown> => (await fetch(`${shop.url}/readyz`)).json();
      // Degraded or not ready: that depends on whether a pool got no session at all.
      await expect.poll(look).toMatchObject({
        problems: expect.arrayContaining([expect.stringMatching(/^only \d+ of \d+ connections to the database/)]),
      });
    });
  },
);
