import { describe, expect, test } from 'vitest';
import { type FirstFiles, firstFiles } from './first-files.ts';

const FILES: FirstFiles = {
  texts: { en: ['en-1.js', 'en-2.js'], de: ['de-1.js', 'de-2.js'] },
  pages: [
    ['transactions', 'list.js', 'columns.js'],
    ['transactions/$paymentId', 'one.js'],
    ['settings/team', 'team.js'],
    ['/sign-in', 'sign-in.js'],
  ],
};

describe('what is asked for together with the app’s code', () => {
  test.each([
    ['home', '/dashboard/g/game_1/sandbox', ['de-1.js']],
    ['home with a slash', '/dashboard/g/game_1/live/', ['de-1.js']],
    ['a list', '/dashboard/g/game_1/sandbox/transactions', ['de-1.js', 'de-2.js', 'list.js', 'columns.js']],
    ['one of the list', '/dashboard/g/game_1/live/transactions/pay_1', ['de-1.js', 'de-2.js', 'one.js']],
    ['a deeper page', '/dashboard/g/game_1/live/settings/team/', ['de-1.js', 'de-2.js', 'team.js']],
    ['an entrance', '/dashboard/sign-in', ['de-1.js', 'de-2.js', 'sign-in.js']],
    ['no page', '/dashboard/g/game_1/live/transactions/pay_1/more', ['de-1.js']],
    ['an entrance’s name inside a game', '/dashboard/g/game_1/live/sign-in', ['de-1.js']],
    ['the root', '/dashboard/', ['de-1.js']],
  ])('%s', (_, address, files) => expect(firstFiles(FILES, address, 'de')).toEqual(files));

  test('nothing where the build named nothing, as in the development server', () =>
    expect(firstFiles({ texts: {}, pages: [] }, '/dashboard/g/game_1/live', 'en')).toEqual([]));
});
