import { beforeAll, describe, expect, test } from 'vitest';
import { setLanguage } from '../texts/texts.ts';
import { DESTINATIONS, searchPages } from './navigation.ts';
import { hotkeyOf, searchActions } from './palette-actions.ts';
import { pathInMode, safeNext, startPath } from './paths.ts';
import { isAffected } from './use-live-updates.ts';

describe('after signing in', () => {
  test('only a page of the app is opened', () => {
    expect(safeNext('/g/game_1/live/orders?q=x')).toBe('/g/game_1/live/orders?q=x');
    expect(safeNext('/dashboard/g/game_1/live')).toBe('/g/game_1/live');
    for (const next of ['https://evil.example', '//evil.example', '/\\evil', '/g/\\evil', '/register', '', undefined]) {
      expect(safeNext(next)).toBeNull();
    }
  });

  test('the member is where they were, if they still have the game', () => {
    const games = [{ id: 'game_1' }, { id: 'game_2' }];
    expect(startPath(games, 'game_2/sandbox')).toBe('/g/game_2/sandbox');
    expect(startPath(games, 'game_2/elsewhere')).toBe('/g/game_2/live');
    expect(startPath(games, 'game_9/sandbox')).toBe('/g/game_1/live');
    expect(startPath(games, null)).toBe('/g/game_1/live');
    expect(startPath([], null)).toBeNull();
  });
});

describe('the sandbox toggle', () => {
  test.each([
    ['/g/game_1/live', 'sandbox', '/g/game_1/sandbox'],
    ['/g/game_1/live/orders', 'sandbox', '/g/game_1/sandbox/orders'],
    ['/g/game_1/live/orders/ord_1', 'sandbox', '/g/game_1/sandbox/orders'],
    ['/g/game_1/sandbox/integration/webhooks/whk_1', 'live', '/g/game_1/live/integration/webhooks'],
    ['/g/game_1/sandbox/settings/grant-rules', 'live', '/g/game_1/live/settings/grant-rules'],
  ] as const)('leads from %s in %s to %s', (path, mode, other) => {
    expect(pathInMode(path, mode)).toBe(other);
  });
});

describe('the search', () => {
  beforeAll(() => setLanguage('en'));

  test('finds pages by a part of their name, in any case', () => {
    expect(searchPages(' WEBH ').map(({ to }) => to)).toEqual(['integration/webhooks']);
    expect(searchPages('no such page')).toEqual([]);
  });

  test('lists every page before a word is typed', () => {
    expect(searchPages('')).toEqual(DESTINATIONS);
  });

  test('finds them by the names of the chosen language', async () => {
    await setLanguage('de');
    expect(searchPages('auslieferungsregeln').map(({ to }) => to)).toEqual(['settings/grant-rules']);
    await setLanguage('en');
  });
});

describe('a change', () => {
  const route = (path: string): string => `GET /dashboard/api/games/{game_id}/{mode}${path}`;

  test('is read again where it is shown, and nowhere else', () => {
    expect(isAffected(route('/transactions'), ['payments'])).toBe(true);
    expect(isAffected(route('/players/{player_id}'), ['payments'])).toBe(true);
    expect(isAffected(route('/webhooks'), ['payments'])).toBe(false);
    expect(isAffected('GET /dashboard/api/me', ['orders', 'payments', 'deliveries', 'grants', 'home'])).toBe(false);
  });

  test('of a kind this version does not know touches nothing', () => {
    expect(isAffected(route('/transactions'), ['weather' as never])).toBe(false);
    expect(isAffected(route('/transactions'), [])).toBe(false);
  });
});

describe('the palette', () => {
  const here = { path: '/g/game_1/live/orders', mode: 'live', isDark: false, mayInvite: true } as const;
  const labels = (text: string, more = {}) => searchActions(text, { ...here, ...more }).map(({ label }) => label);

  test('offers what can be done from here, and nothing that the member may not', () => {
    expect(labels('')).toEqual(['action.sandbox', 'team.invite', 'action.dark', 'action.docs', 'action.keys']);
    expect(labels('', { mayInvite: false, isDark: true, mode: 'sandbox' })).toEqual([
      'action.live',
      'action.light',
      'action.docs',
      'action.keys',
    ]);
    expect(labels('DARK')).toEqual(['action.dark']);
  });

  test('refunds the payment that is open, by its address', () => {
    const path = '/g/game_1/live/transactions/pay_1';
    expect(searchActions('refund', { ...here, path })).toMatchObject([
      { effect: { kind: 'go', to: path, search: { refund: '1' } } },
    ]);
    expect(labels('refund')).toEqual([]);
  });

  test.each([
    [{ key: 'k', metaKey: true }, true, 'search'],
    [{ key: 'K', ctrlKey: true }, false, 'search'],
    [{ key: '/' }, false, 'search'],
    [{ key: '/' }, true, null],
    [{ key: '?' }, false, 'keys'],
    [{ key: '?' }, true, null],
    [{ key: 'k' }, false, null],
    [{ key: 'k', ctrlKey: true, altKey: true }, false, null],
  ])('%j while typing is %j opens %j', (pressed, isTyping, opens) => {
    expect(hotkeyOf({ ctrlKey: false, metaKey: false, altKey: false, ...pressed }, isTyping)).toBe(opens);
  });
});
