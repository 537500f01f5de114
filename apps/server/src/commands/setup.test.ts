import { type TestDatabase, testDatabase } from '@coinslot/testing/database';
import { CHEAP_PASSWORDS } from '@coinslot/testing/registered-game';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { sql } from '../db/sql.ts';
import { createKeyAuthenticator } from '../domain/game/keys/authenticate-key.ts';
import { createSeal } from '../kit/seal.ts';
import { setupCommand } from './setup.ts';

const seal = createSeal(Buffer.alloc(32, 7));
const PASSWORD = 'orange lamp on the roof';
const GAME_URL = 'https://apps.apple.com/us/app/castle-quest/id1234567890';

let database: TestDatabase;
beforeAll(async () => {
  database = await testDatabase();
});
afterAll(() => database.drop());

async function run(argv: string[], input?: string) {
  let out = '';
  let err = '';
  const code = await setupCommand.run(argv, {
    db: database.db,
    seal,
    passwordCost: CHEAP_PASSWORDS,
    write: text => {
      out += text;
    },
    writeError: text => {
      err += text;
    },
    readInput: async () => input ?? '',
  });
  return { code, out, err };
}

const complete = (email: string, ...more: string[]) =>
  ['--email', email, '--password', PASSWORD, '--company', 'Northwind Games', '--game-url', GAME_URL].concat(more);

async function countUsers(): Promise<number> {
  const [row] = await database.db.query<{ count: number }>(sql('test_users')`select count(*) as count from users`);
  return row?.count ?? 0;
}

test('--json prints one JSON object whose keys work', async () => {
  const { code, out, err } = await run(complete('json@example.com', '--json'));
  expect([code, err]).toEqual([0, '']);
  const printed = JSON.parse(out);
  expect(printed).toEqual({
    company_id: expect.stringMatching(/^cmp_/),
    game_id: expect.stringMatching(/^game_/),
    user_id: expect.stringMatching(/^usr_/),
    sandbox: { s2s_key: expect.stringMatching(/^sk_sandbox_/) },
    live: { s2s_key: expect.stringMatching(/^sk_live_/) },
  });
  expect(out.trimEnd().split('\n')).toHaveLength(1);
  const authenticate = createKeyAuthenticator({ db: database.db, clock: { nowMs: () => 0 } });
  for (const mode of ['sandbox', 'live']) {
    expect(await authenticate(`Bearer ${printed[mode].s2s_key}`)).toMatchObject({
      environment: { mode, gameId: printed.game_id, companyId: printed.company_id },
    });
  }
});

test('without --json it says what was made and what to do next', async () => {
  const { code, out } = await run(complete('text@example.com', '--game-name', 'Castle Quest II'));
  expect(code).toBe(0);
  expect(out).toContain('Registered Northwind Games with the game Castle Quest II (App Store, 1234567890).');
  expect(out).toMatch(/curl http:\/\/localhost:4242\/s2s\/v1\/orders/);
  expect(out).toMatch(/Authorization: Bearer sk_sandbox_/);
  expect(out).not.toContain(PASSWORD);
});

test('the password may come from standard input', async () => {
  const argv = ['--email', 'stdin@example.com', '--password-stdin', '--company', 'N', '--game-url', GAME_URL];
  expect(await run(argv, `${PASSWORD}\n`)).toMatchObject({ code: 0 });
  expect(await run(argv.concat('--password', PASSWORD), PASSWORD)).toMatchObject({ code: 1, out: '' });
});

test('one message names every problem, and nothing is written', async () => {
  const before = await countUsers();
  const nothing = await run([]);
  expect(nothing).toMatchObject({ code: 1, out: '' });
  for (const flag of ['--email', '--password', '--company', '--game-url']) expect(nothing.err).toContain(flag);
  const wrong = await run([
    '--email',
    'x',
    '--password',
    'hunter2',
    '--company',
    'N',
    '--game-url',
    'https://x.y',
    '--json',
  ]);
  expect(wrong).toMatchObject({ code: 1, out: '' });
  expect(wrong.err).toMatch(/--email +Must be an e-mail address/);
  expect(wrong.err).toMatch(/--password +Must have at least 10 characters/);
  expect(wrong.err).toMatch(/--game-url +Must be the link of a published mobile game in App Store, Google Play/);
  expect(wrong.err).not.toContain('hunter2');
  expect(await countUsers()).toBe(before);
});

test('the same e-mail address again says that it is registered', async () => {
  await run(complete('again@example.com'));
  const before = await countUsers();
  const again = await run(complete('Again@example.com', '--json'));
  expect(again).toEqual({
    code: 1,
    out: '',
    err: 'The account was not created: Again@example.com is registered already.',
  });
  expect(await countUsers()).toBe(before);
});

test('--again prints the keys of the same account, and of no other', async () => {
  const first = await run(complete('twice@example.com', '--json', '--again'));
  const before = await countUsers();
  const second = await run(complete('twice@example.com', '--json', '--again'));
  expect(second).toEqual(first);
  expect(first.code).toBe(0);
  const others = [
    ['--password', 'another lamp on the roof'],
    ['--company', 'Southwind Games'],
    ['--game-url', 'https://apps.apple.com/us/app/other/id999'],
  ];
  for (const other of others) {
    const refused = await run(complete('twice@example.com', '--json', '--again', ...other));
    expect(refused).toMatchObject({ code: 1, out: '', err: expect.stringContaining('is registered already') });
  }
  expect(await countUsers()).toBe(before);
});

test('an unknown option is refused and --help explains', async () => {
  expect(await run(complete('option@example.com', '--color'))).toMatchObject({
    code: 2,
    err: expect.stringContaining('--color'),
  });
  expect(await run(['--help'])).toMatchObject({ code: 0, out: expect.stringContaining('--game-url <link>') });
});
