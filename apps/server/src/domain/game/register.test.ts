import { type TestDatabase, testDatabase } from '@coinslot/testing/database';
import { CHEAP_PASSWORDS, registerTestAccount } from '@coinslot/testing/registered-game';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Db } from '../../db/db.ts';
import { sql } from '../../db/sql.ts';
import { AppError } from '../../kit/app-error.ts';
import { createSeal, sha256 } from '../../kit/seal.ts';
import { register } from './register.ts';

const seal = createSeal(Buffer.alloc(32, 7));
const form = {
  email: 'Ada@Example.com',
  password: 'orange lamp on the roof',
  company: 'Northwind Games',
  gameUrl: 'https://play.google.com/store/apps/details?id=com.northwind.castle&hl=en',
};

let database: TestDatabase;
let db: Db;
beforeAll(async () => {
  database = await testDatabase();
  db = database.db;
});
afterAll(() => database.drop());

const go = (changes: Partial<Parameters<typeof register>[1]> = {}) =>
  register({ db, seal, passwordCost: CHEAP_PASSWORDS }, { ...form, ...changes });

async function refusalOf(work: Promise<unknown>): Promise<AppError> {
  const error = await work.then(
    () => null,
    (reason: unknown) => reason,
  );
  if (!(error instanceof AppError)) throw new Error('An AppError was expected', { cause: error });
  return error;
}

type Counts = Record<'users' | 'companies' | 'members' | 'games' | 'environments' | 'keys', number>;

async function countAll(): Promise<Counts | undefined> {
  const [row] = await db.query<Counts>(sql('test_count_account')`
    select (select count(*) from users) as users, (select count(*) from companies) as companies,
           (select count(*) from members) as members, (select count(*) from games) as games,
           (select count(*) from environments) as environments, (select count(*) from s2s_keys) as keys`);
  return row;
}

test('registration makes an owner, a company, a game, both environments and a key for each', async () => {
  const made = await go({ email: 'owner@example.com' });
  const rows = await db.query(sql('test_registered')`
    select u.email, c.name as company, m.role, g.name as game, g.store, g.store_app_id, g.store_url, e.id as environment,
           e.mode, e.default_price_minor, e.default_currency
    from users u
    join members m on m.user_id = u.id
    join companies c on c.id = m.company_id
    join games g on g.company_id = c.id
    join environments e on e.game_id = g.id
    where u.id = ${made.userId} and c.id = ${made.companyId} and g.id = ${made.gameId}
    order by e.mode`);
  const both = {
    email: 'owner@example.com',
    company: 'Northwind Games',
    role: 'owner',
    game: 'Northwind Games',
    store: 'google_play',
    store_app_id: 'com.northwind.castle',
    store_url: 'https://play.google.com/store/apps/details?id=com.northwind.castle',
  };
  const { live, sandbox } = made;
  expect(rows).toEqual([
    { ...both, environment: live.environmentId, mode: 'live', default_price_minor: null, default_currency: null },
    { ...both, environment: sandbox.environmentId, mode: 'sandbox', default_price_minor: 100, default_currency: 'USD' },
  ]);
});

test('a key names its mode, is found by its hash and opens with its id', async () => {
  const made = await go({ email: 'keys@example.com' });
  expect(made.sandbox.s2sKey).toMatch(/^sk_sandbox_[\w-]{40}$/);
  expect(made.live.s2sKey).toMatch(/^sk_live_[\w-]{40}$/);
  for (const { environmentId, s2sKey } of [made.sandbox, made.live]) {
    const rows = await db.query<{ id: string; keyHash: Buffer; keySealed: Buffer }>(sql('test_key')`
      select id, key_hash as "keyHash", key_sealed as "keySealed" from s2s_keys where environment_id = ${environmentId}`);
    const opened = rows.map(row => [row.keyHash, seal.open(row.keySealed, row.id), row.keySealed.includes(s2sKey)]);
    expect(opened).toEqual([[sha256(s2sKey), s2sKey, false]]);
  }
});

test('the password is kept as argon2id only', async () => {
  const made = await go({ email: 'hash@example.com' });
  const [row] = await db.query<{ password_hash: string }>(
    sql('test_hash')`select password_hash from users where id = ${made.userId}`,
  );
  expect(row?.password_hash).toMatch(/^\$argon2id\$/);
  expect(row?.password_hash).not.toContain(form.password);
});

test('a given game name wins over the one in the link', async () => {
  expect(await go({ email: 'name@example.com', gameName: ' Castle Quest ' })).toMatchObject({
    gameName: 'Castle Quest',
  });
});

test('an e-mail address is taken once, in whatever case, and the second try writes nothing', async () => {
  await go();
  const before = await countAll();
  const refusal = await refusalOf(go({ email: 'ADA@example.COM' }));
  expect(refusal.code).toBe('email_taken');
  expect(await countAll()).toEqual(before);
});

test('of two registrations at once with one address, one is made', async () => {
  const outcomes = await Promise.allSettled([go({ email: 'race@example.com' }), go({ email: 'Race@example.com' })]);
  expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
  const rows = await db.query(sql('test_race')`
    select u.id from users u join members m on m.user_id = u.id where lower(u.email) = 'race@example.com'`);
  expect(rows).toHaveLength(1);
});

test('every problem of a form is named at once, and nothing is written', async () => {
  const before = await countAll();
  const refusal = await refusalOf(
    go({ email: 'ada', password: 'short', company: ' ', gameUrl: 'https://example.com', gameName: 'a\u0007b' }),
  );
  expect(refusal.code).toBe('validation_failed');
  expect(refusal.issues?.map(({ pointer, code }) => [pointer, code])).toEqual([
    ['/email', 'format_email'],
    ['/password', 'too_short'],
    ['/company', 'required'],
    ['/game_url', 'store_link'],
    ['/game_name', 'pattern'],
  ]);
  expect(await countAll()).toEqual(before);
});

test.each([
  [{ email: '' }, '/email', 'required'],
  [{ email: `${'a'.repeat(250)}@example.com` }, '/email', 'too_long'],
  [{ email: 'a@b.com\r\nBcc: all@example.com' }, '/email', 'format_email'],
  [{ company: 'a\0b' }, '/company', 'nul'],
  [{ company: 'a\nb' }, '/company', 'line_break'],
  [{ company: 'x'.repeat(256) }, '/company', 'too_long'],
  [{ gameUrl: ' ' }, '/game_url', 'required'],
  [{ password: 'NORTHWIND GAMES' }, '/password', 'password_personal'],
])('%j is refused at %s as %s', async (changes, pointer, code) => {
  const refusal = await refusalOf(go(changes));
  expect(refusal.issues).toEqual([{ pointer, code, message: expect.any(String) }]);
});

test('accounts for tests are separate from each other', async () => {
  const [one, other] = [await registerTestAccount(db, seal), await registerTestAccount(db, seal)];
  expect(one.companyId).not.toBe(other.companyId);
  expect(one.sandbox.s2sKey).not.toBe(other.sandbox.s2sKey);
});
