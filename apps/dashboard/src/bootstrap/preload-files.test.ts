import { describe, expect, test } from 'vitest';
import { filesToPreload, type PreloadManifest } from './preload-files.ts';

const FILES: PreloadManifest = {
  texts: {
    en: { core: 'en-1.js', shop: 'en-2.js', setup: 'en-3.js' },
    de: { core: 'de-1.js', shop: 'de-2.js', setup: 'de-3.js' },
  },
  pages: [
    ['transactions', 'shop', 'list.js', 'columns.js'],
    ['transactions/$paymentId', 'shop', 'one.js'],
    ['settings/team', 'setup', 'team.js'],
    ['/sign-in', 'setup', 'sign-in.js'],
  ],
};

describe('what is asked for together with the app’s code', () => {
  test.each([
    ['home', '/dashboard/g/game_1/sandbox', ['de-1.js']],
    ['home with a slash', '/dashboard/g/game_1/live/', ['de-1.js']],
    ['a list', '/dashboard/g/game_1/sandbox/transactions', ['de-1.js', 'de-2.js', 'list.js', 'columns.js']],
    ['one of the list', '/dashboard/g/game_1/live/transactions/pay_1', ['de-1.js', 'de-2.js', 'one.js']],
    ['a deeper page', '/dashboard/g/game_1/live/settings/team/', ['de-1.js', 'de-3.js', 'team.js']],
    ['an auth page', '/dashboard/sign-in', ['de-1.js', 'de-3.js', 'sign-in.js']],
    ['no page', '/dashboard/g/game_1/live/transactions/pay_1/more', ['de-1.js']],
    ['an auth page’s name inside a game', '/dashboard/g/game_1/live/sign-in', ['de-1.js']],
    ['the root', '/dashboard/', ['de-1.js']],
  ])('%s', (_, address, files) => expect(filesToPreload(FILES, address, 'de')).toEqual(files));

  test('nothing where the build named nothing, as in the development server', () =>
    expect(filesToPreload({ texts: {}, pages: [] }, '/dashboard/g/game_1/live', 'en')).toEqual([]));
});
