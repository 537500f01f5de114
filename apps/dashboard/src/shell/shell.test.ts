import type { Role } from '@coinslot/contract';
import { beforeAll, describe, expect, test } from 'vitest';
import { isAllowed } from '../kit/permissions.ts';
import { setLanguage } from '../texts/texts.ts';
import { DESTINATIONS, navigationAt, searchPages } from './navigation.ts';
import { hotkeyOf, searchActions } from './palette-actions.ts';
import { pathInMode, safeNext, startPath } from './paths.ts';
import { isAffected } from './use-live-updates.ts';

describe('after signing in', () => {
  test('only a page of the app is opened', () => {
    expect(safeNext('/g/game_1/live/orders?q=x')).toBe('/g/game_1/live/orders?q=x');
    expect(safeNext('/dashboard/g/game_1/live')).toBe('/g/game_1/live');
    expect(safeNext('/confirm-email')).toBe('/confirm-email');
    for (const next of [
      'https://evil.example',
      '//evil.example',
      '/\\evil',
      '/g/\\evil',
      '/confirm-email/x',
      '/register',
      '',
      undefined,
    ]) {
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

describe('the navigation', () => {
  const entries = (role: Role, path: string): string[] =>
    navigationAt(path, act => isAllowed(role, act)).flatMap(group => group.entries.map(({ to }) => to));
  const HOME = '/g/game_1/live';
  const SETTINGS = '/g/game_1/live/settings/team';

  test.each(['owner', 'developer', 'support', 'viewer'] as const)('of a %s has at most 12 entries anywhere', role => {
    expect(entries(role, HOME).length).toBeLessThanOrEqual(12);
    expect(entries(role, SETTINGS).length).toBeLessThanOrEqual(12);
  });

  test('shows no page that the role may not read', () => {
    expect(entries('owner', HOME)).toContain('integration/keys');
    expect(entries('support', HOME)).not.toContain('integration/keys');
    expect(entries('viewer', HOME)).not.toContain('integration/sandbox');
    expect(entries('support', SETTINGS)).toContain('settings/reconciliation');
    expect(entries('support', SETTINGS)).not.toContain('settings/audit');
    expect(entries('viewer', SETTINGS)).not.toContain('settings/reconciliation');
    expect(searchPages('', act => isAllowed('viewer', act)).map(({ to }) => to)).not.toContain('settings/audit');
  });

  test('is that of the settings within them, and not on the member’s own profile', () => {
    expect(entries('owner', SETTINGS)).toHaveLength(9);
    expect(entries('owner', SETTINGS).every(to => to.startsWith('settings/'))).toBe(true);
    expect(entries('owner', '/g/game_1/live/settings/profile')).toEqual(entries('owner', HOME));
    expect(entries('owner', HOME)).toContain('settings/company');
  });
});

describe('the search', () => {
  const all = (): boolean => true;

  beforeAll(() => setLanguage('en'));

  test('finds pages by a part of their name, in any case', () => {
    expect(searchPages(' WEBH ', all).map(({ to }) => to)).toEqual(['integration/webhooks']);
    expect(searchPages('no such page', all)).toEqual([]);
  });

  test('lists every page before a word is typed', () => {
    expect(searchPages('', all)).toEqual(DESTINATIONS);
  });

  test('finds them by the names of the chosen language', async () => {
    await setLanguage('de');
    expect(searchPages('auslieferungsregeln', all).map(({ to }) => to)).toEqual(['settings/grant-rules']);
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
  const here = {
    path: '/g/game_1/live/orders',
    mode: 'live',
    isDark: false,
    mayInvite: true,
    mayRefund: false,
  } as const;
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

  test.each(['transactions/pay_1', 'orders/ord_1'])(
    'refunds what is open (%s) by its address, where its page offers that',
    page => {
      const path = `/g/game_1/live/${page}`;
      expect(searchActions('refund', { ...here, path, mayRefund: true })).toMatchObject([
        { effect: { kind: 'go', to: path, search: { refund: '1' } } },
      ]);
      expect(labels('refund', { path })).toEqual([]);
    },
  );

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
