import { type TestDatabase, testDatabase } from '@coinslot/testing/database';
import { registerTestAccount } from '@coinslot/testing/registered-game';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { checkAppearance } from '../domain/game/appearance.ts';
import { createSeal } from '../kit/seal.ts';
import { gameCommand } from './game.ts';

let database: TestDatabase;
let gameId: string;

beforeAll(async () => {
  database = await testDatabase();
  ({ gameId } = await registerTestAccount(database.db, createSeal(Buffer.alloc(32, 7))));
});
afterAll(() => database.drop());

async function run(...argv: string[]) {
  const out: string[] = [];
  const err: string[] = [];
  const code = await gameCommand.run(argv, {
    db: database.db,
    write: text => void out.push(text),
    writeError: text => void err.push(text),
  });
  return { code, out: out.join('\n'), err: err.join('\n') };
}

const current = async () => JSON.parse((await run('--game', gameId, '--json')).out);

test('a change stays, what is not named is left alone, and an empty text takes away', async () => {
  const changed = await run('--game', gameId, '--icon', 'https://cdn.example/icon.png', '--accent', '#3355FF');
  expect(changed).toMatchObject({ code: 0, err: '' });
  await run('--game', gameId, '--name', ' Tiny Harvest ', '--logo', 'https://cdn.example/logo.svg');
  expect(await current()).toEqual({
    game_id: gameId,
    name: 'Tiny Harvest',
    icon_url: 'https://cdn.example/icon.png',
    logo_url: 'https://cdn.example/logo.svg',
    accent_color: '#3355ff',
  });
  await run('--game', gameId, '--icon', '', '--logo=', '--accent', '');
  expect(await current()).toMatchObject({ name: 'Tiny Harvest', icon_url: null, logo_url: null, accent_color: null });
});

test('one message names every problem, and nothing is changed', async () => {
  const before = await current();
  const wrong = [
    '--name',
    '',
    '--icon',
    'http://cdn.example/a.png',
    '--logo',
    'javascript:alert(1)',
    '--accent',
    'blue',
  ];
  const refused = await run('--game', gameId, ...wrong);
  expect(refused).toMatchObject({ code: 1, out: '' });
  expect(refused.err).toMatch(/--name +A name is required/);
  expect(refused.err).toMatch(/--icon +Must be the address of a picture that begins with https:/);
  expect(refused.err).toMatch(/--logo +Must be the address/);
  expect(refused.err).toMatch(/--accent +Must be a color such as '#3355ff'/);
  expect(await current()).toEqual(before);
});

test('without options the games are listed, and a wrong call says what to do', async () => {
  expect(await run()).toMatchObject({ code: 0, out: expect.stringContaining(gameId) });
  expect(await run('--json')).toMatchObject({ code: 0, out: expect.stringContaining(`"game_id":"${gameId}"`) });
  expect(await run('--game', gameId)).toMatchObject({ code: 0, out: expect.stringMatching(/accent +none/) });
  expect(await run('--accent', '#000000')).toMatchObject({ code: 2, err: expect.stringContaining('--game') });
  expect(await run('--color', 'x')).toMatchObject({ code: 2, err: expect.stringContaining('--accent') });
  expect(await run('--help')).toMatchObject({ code: 0, out: expect.stringContaining('--icon') });
  for (const more of [[], ['--accent', '#000000']]) {
    const answer = await run('--game', 'game_none', ...more);
    expect(answer).toMatchObject({ code: 1, err: 'There is no game game_none. List them: npm run game' });
  }
});

test.each([
  ['#35F', '#3355ff'],
  ['3355ff', '#3355ff'],
  [' #ABCDEF ', '#abcdef'],
])('the color %j is kept as %s', (text, color) => {
  expect(checkAppearance({ accent: text })).toEqual({ change: { accentColor: color } });
});

test.each([
  'https:evil',
  '//cdn.example/a.png',
  'data:image/png;base64,AA==',
  'https://user:pw@cdn.example/a.png',
  'https://cdn.example/a b.png',
  `https://cdn.example/${'a'.repeat(2_048)}`,
])('%s is no picture', text => {
  expect(checkAppearance({ icon: text })).toMatchObject({ issues: [{ pointer: '/icon' }] });
});
