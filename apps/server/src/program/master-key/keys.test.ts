import { type TestDatabase, testDatabase } from '@coinslot/testing/database';
import { startGame } from '@coinslot/testing/game-receiver';
import { MASTER_KEY, startProgram, type TestProgram } from '@coinslot/testing/program';
import { afterEach, describe, expect, it } from 'vitest';
import { keysCommand } from '../../commands/keys.ts';
import { sql } from '../../db/sql.ts';
import { createSeal } from '../../kit/seal.ts';
import { loadConfig } from '../../settings/config.ts';
import { wire } from '../wire.ts';
import { createKeyring } from './keyring.ts';
import { SEALED_COLUMNS } from './sealed-columns.sql.ts';

const OLD = MASTER_KEY;
const NEW = Buffer.alloc(32, 7);
const THIRD = Buffer.alloc(32, 11);
const WHERE = 'the database test';

const closing: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0).toReversed()) await close();
});

async function start(options: Parameters<typeof startProgram>[0] = {}): Promise<TestProgram> {
  const program = await startProgram(options);
  closing.push(() => program.close());
  return program;
}

async function keys(
  { db }: Pick<TestDatabase, 'db'>,
  argv: string,
  masterKey: Buffer,
  newKey?: Buffer,
  untilAllKnow = async (): Promise<void> => {},
) {
  const said: string[] = [];
  const say = (text: string): void => void said.push(text);
  const deps = { db, where: WHERE, masterKey, newKey, keepKey: undefined, untilAllKnow, write: say, writeError: say };
  return { code: await keysCommand.run(argv.split(' '), deps), said: said.join('\n') };
}

const withKey = (database: TestDatabase, masterKey: Buffer) =>
  wire({
    config: loadConfig({ NODE_ENV: 'test', PORT: '0', HOST: '127.0.0.1', LOG_LEVEL: 'silent' }),
    databaseUrl: database.url,
    masterKey,
    version: '0',
  });

describe('a wrong master key (row 89)', () => {
  it('does not start, and says which database it does not fit', async () => {
    const { database } = await start({ workers: false });
    const wrong = withKey(database, NEW);
    await expect(wrong.start()).rejects.toThrow(
      /MASTER_KEY does not fit the database \S+ at .*sealed under the key \w{8}/,
    );
    await wrong.stop();
  });

  it('of two programs that start at once on a new database one key wins', async () => {
    const database = await testDatabase();
    closing.push(() => database.drop());
    const load = (masterKey: Buffer) =>
      createKeyring({ db: database.db, seal: createSeal(masterKey), masterKey, where: WHERE }).load();
    const outcomes = await Promise.allSettled([load(OLD), load(NEW)]);
    expect(outcomes.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected']);
  });

  it('makes readiness red when the database under a program is another one', async () => {
    const { url, database } = await start({ workers: false });
    expect((await fetch(`${url}/readyz`)).status).toBe(200);
    await database.db.query(sql('t_away')`update master_keys set key_id = decode('00000000', 'hex')`);
    const answer = await fetch(`${url}/readyz`);
    expect([answer.status, await answer.json()]).toEqual([
      503,
      { status: 'not_ready', problems: ['the master key does not fit the database'] },
    ]);
  });
});

describe('keys rotate', () => {
  it('knows every sealed column of the schema', async () => {
    const database = await testDatabase();
    closing.push(() => database.drop());
    const columns = await database.db.query<{ place: string }>(sql('t_columns')`
      select table_name || '.' || regexp_replace(column_name, '_sealed$', '') as place from information_schema.columns
      where table_schema = 'public' and column_name like '%!_sealed' escape '!' and table_name <> 'master_keys'
      order by 1`);
    expect(columns.map(({ place }) => place)).toEqual(Object.keys(SEALED_COLUMNS).toSorted());
  });

  it('seals everything under the new key while a program works, and old checkout URLs stay good', async () => {
    const game = await startGame();
    closing.push(() => game.close());
    const program = await start();
    const { database } = program;
    const hook = { events: ['item.add', 'item.remove'], url: game.url, secret: 'a secret of its own' };
    expect((await program.call('POST', '/s2s/v1/webhooks', hook)).status).toBe(201);
    const before = await program.createOrder();
    const know = () => program.program.parts.keyring.load();

    expect(await keys(database, 'rotate', OLD, NEW, know)).toMatchObject({ code: 0 });
    expect((await keys(database, 'status', OLD)).said).toContain('0 secrets are under another key');
    await program.pay(before.checkout_url);
    await program.until(before.order_id, 'paid');

    expect((await keys(database, 'finish', OLD)).said).toContain('Set MASTER_KEY to the new key first');
    expect(await keys(database, 'finish', NEW)).toMatchObject({ code: 0 });
    expect((await fetch(`${program.url}/readyz`)).status).toBe(503);
    const late = withKey(database, OLD);
    await expect(late.start()).rejects.toThrow('has replaced');
    await late.stop();

    const next = withKey(database, NEW);
    closing.push(() => next.stop());
    await next.start();
    const url = await next.app.listen({ port: 0, host: '127.0.0.1' });
    expect((await fetch(`${url}${new URL(before.checkout_url).pathname}`)).status).toBe(200);
    const authorization = `Bearer ${program.account.sandbox.s2sKey}`;
    expect((await fetch(`${url}/s2s/v1/webhooks`, { headers: { authorization } })).status).toBe(200);
  });

  it('can be done again: what was proven under the first key is good under the third', async () => {
    const program = await start({ workers: false });
    const { database } = program;
    const order = await program.createOrder();
    for (const [old, next] of [
      [OLD, NEW],
      [NEW, THIRD],
    ] as const) {
      expect(await keys(database, 'rotate', old, next)).toMatchObject({ code: 0 });
      expect(await keys(database, 'finish', next)).toMatchObject({ code: 0 });
    }
    const last = withKey(database, THIRD);
    closing.push(() => last.stop());
    await last.start();
    const url = await last.app.listen({ port: 0, host: '127.0.0.1' });
    expect((await fetch(`${url}${new URL(order.checkout_url).pathname}`)).status).toBe(200);
    expect((await keys(database, 'rotate', THIRD, OLD)).said).toContain('was used before');
  });

  it('asks for a new key, and refuses the one that is in use', async () => {
    const { database } = await start({ workers: false });
    expect(await keys(database, 'rotate', OLD)).toMatchObject({
      code: 1,
      said: expect.stringContaining('NEW_MASTER_KEY'),
    });
    expect(await keys(database, 'rotate', OLD, OLD)).toMatchObject({ code: 1 });
    expect(await keys(database, 'turn', OLD)).toMatchObject({ code: 2 });
  });

  it('goes on with the key that was begun with, whichever of the two a process has', async () => {
    const { database } = await start({ workers: false });
    const killed = () => Promise.reject(new Error('killed'));
    await expect(keys(database, 'rotate', OLD, NEW, killed)).rejects.toThrow('killed');
    expect((await keys(database, 'status', NEW)).said).toMatch(/next/);
    expect(await keys(database, 'rotate', NEW, THIRD)).toMatchObject({ code: 0 });
    expect(await keys(database, 'finish', NEW)).toMatchObject({ code: 0 });
  });
});
