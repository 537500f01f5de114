import { type TestDatabase, testDatabase } from '@coinslot/testing/database';
import { registerTestAccount } from '@coinslot/testing/registered-game';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import type { Db, Queryable } from '../../../db/db.ts';
import { sql } from '../../../db/sql.ts';
import { createSeal } from '../../../kit/seal.ts';
import { createEnvironmentReader } from '../find-environment.ts';
import type { Registered } from '../register.ts';
import { createKeyAuthenticator } from './authenticate-key.ts';

const seal = createSeal(Buffer.alloc(32, 7));

let database: TestDatabase;
let account: Registered;
let nowMs = 0;
let asked: string[] = [];
const clock = { nowMs: () => nowMs };

// The real database, with a note of what it was asked.
const counting = (db: Db): Queryable => ({
  ...db,
  query: statement => {
    asked.push(statement.name);
    return db.query(statement);
  },
});

beforeAll(async () => {
  database = await testDatabase();
});
afterAll(() => database.drop());
beforeEach(async () => {
  account = await registerTestAccount(database.db, seal);
  asked = [];
});

const authenticator = () => createKeyAuthenticator({ db: counting(database.db), clock });
const lookUps = () => asked.filter(name => name === 's2s_key_find').length;

const revoke = (environmentId: string) =>
  database.db.query(
    sql('test_revoke')`update s2s_keys set revoked_at = app_now() where environment_id = ${environmentId}`,
  );

async function lastUse(environmentId: string): Promise<Date | null> {
  const [row] = await database.db.query<{ at: Date | null }>(
    sql('test_last_use')`select last_used_at as at from s2s_keys where environment_id = ${environmentId}`,
  );
  return row?.at ?? null;
}

test('a key tells its environment and so its mode', async () => {
  const authenticate = authenticator();
  const shared = { gameId: account.gameId, gameName: 'Castle Quest', companyId: account.companyId };
  expect(await authenticate(`Bearer ${account.sandbox.s2sKey}`)).toEqual({
    keyId: expect.stringMatching(/^key_/),
    environment: {
      ...shared,
      id: account.sandbox.environmentId,
      mode: 'sandbox',
      defaultPrice: { amountMinor: 100, currency: 'USD' },
    },
  });
  expect(await authenticate(`Bearer ${account.live.s2sKey}`)).toEqual({
    keyId: expect.stringMatching(/^key_/),
    environment: { ...shared, id: account.live.environmentId, mode: 'live', defaultPrice: null },
  });
});

test.each(['bearer', 'BEARER', 'Bearer '])('the scheme may be written %j', async scheme => {
  expect(await authenticator()(`${scheme} ${account.sandbox.s2sKey}`)).not.toBeNull();
});

test('what is no key is refused without a question to the database', () => {
  const { s2sKey } = account.sandbox;
  const headers = [
    undefined,
    '',
    'Bearer',
    'Bearer ',
    s2sKey,
    `Basic ${s2sKey}`,
    `Bearer${s2sKey}`,
    `Bearer\t${s2sKey}`,
    ` Bearer ${s2sKey}`,
    `Bearer ${s2sKey} `,
    `Bearer ${s2sKey}, Bearer ${s2sKey}`,
    `Bearer ${s2sKey} ${s2sKey}`,
    `Bearer "${s2sKey}"`,
    `Bearer ${s2sKey}\n`,
    'Bearer sk_sandbox_short',
    `Bearer sk_test_${'a'.repeat(40)}`,
    `Bearer ${s2sKey}${'a'.repeat(300)}`,
    `Bearer ${' '.repeat(100_000)}${s2sKey}`,
  ];
  const authenticate = authenticator();
  expect(headers.map(header => authenticate(header))).toEqual(headers.map(() => null));
  expect(asked).toEqual([]);
});

test('a key that differs in one character is unknown, and so is one in another case', async () => {
  const authenticate = authenticator();
  const { s2sKey } = account.sandbox;
  const changed = s2sKey.slice(0, -1) + (s2sKey.endsWith('A') ? 'B' : 'A');
  expect(await authenticate(`Bearer ${changed}`)).toBeNull();
  expect(await authenticate(`Bearer ${s2sKey.toUpperCase()}`)).toBeNull();
});

test('many requests at once cost one look-up, and the next ones none and no promise', async () => {
  const authenticate = authenticator();
  const header = `Bearer ${account.sandbox.s2sKey}`;
  const all = await Promise.all(Array.from({ length: 50 }, async () => authenticate(header)));
  expect(new Set(all).size).toBe(1);
  expect(authenticate(header)).toBe(all[0]);
  expect(lookUps()).toBe(1);
});

test('a revoked key stops working within five seconds', async () => {
  const authenticate = authenticator();
  const header = `Bearer ${account.sandbox.s2sKey}`;
  expect(await authenticate(header)).not.toBeNull();
  await revoke(account.sandbox.environmentId);
  nowMs += 5_000;
  expect(await authenticate(header)).toBeNull();
});

test('an unknown key is not looked up again for a second', async () => {
  const authenticate = authenticator();
  const header = `Bearer sk_live_${'a'.repeat(40)}`;
  expect(await authenticate(header)).toBeNull();
  expect(authenticate(header)).toBeNull();
  expect(lookUps()).toBe(1);
  nowMs += 1_000;
  expect(await authenticate(header)).toBeNull();
  expect(lookUps()).toBe(2);
});

test('the last use is written once a minute at most', async () => {
  const authenticate = authenticator();
  const { environmentId, s2sKey } = account.sandbox;
  const use = async () => {
    nowMs += 5_000;
    return await authenticate(`Bearer ${s2sKey}`);
  };
  await use();
  await expect.poll(() => lastUse(environmentId)).not.toBeNull();
  const first = await lastUse(environmentId);
  await database.advance(59);
  await use();
  expect(asked.filter(name => name === 's2s_key_update_use')).toHaveLength(1);
  await database.advance(1);
  await use();
  await expect.poll(() => lastUse(environmentId)).not.toEqual(first);
});

test('a use that cannot be written down does not fail the request', async () => {
  const errors: unknown[] = [];
  const failing: Queryable = {
    ...database.db,
    query: statement =>
      statement.name === 's2s_key_update_use' ? Promise.reject(new Error('read-only')) : database.db.query(statement),
  };
  const authenticate = createKeyAuthenticator({ db: failing, clock, onError: error => errors.push(error) });
  expect(await authenticate(`Bearer ${account.sandbox.s2sKey}`)).not.toBeNull();
  await expect.poll(() => errors).toHaveLength(1);
});

test('an environment is read once in a few seconds, and an unknown one is null', async () => {
  const read = createEnvironmentReader(counting(database.db), clock);
  const { environmentId } = account.live;
  expect(await read(environmentId)).toMatchObject({ id: environmentId, mode: 'live', gameName: 'Castle Quest' });
  await read(environmentId);
  expect(await read('env_unknown')).toBeNull();
  expect(asked).toEqual(['environment_find', 'environment_find']);
});

test('guesses of an address that made too many share one place at the database, and a good key still gets its turn', async () => {
  let atOnce = 0;
  let most = 0;
  const watched: Queryable = {
    ...database.db,
    query: async statement => {
      most = Math.max(most, ++atOnce);
      return database.db.query(statement).finally(() => atOnce--) as never;
    },
  };
  const authenticate = createKeyAuthenticator({ db: watched, clock });
  const guesses = Array.from({ length: 40 }, async (_, n) => authenticate(`Bearer sk_sandbox_wrong${n}`, () => false));
  const good = authenticate(`Bearer ${account.sandbox.s2sKey}`, () => false);
  expect(await Promise.all(guesses)).toEqual(guesses.map(() => null));
  expect((await good)?.environment.id).toBe(account.sandbox.environmentId);
  expect(most).toBeLessThanOrEqual(2);
  const known = authenticate(`Bearer ${account.sandbox.s2sKey}`, () => false);
  expect(known).not.toBeInstanceOf(Promise);
});
