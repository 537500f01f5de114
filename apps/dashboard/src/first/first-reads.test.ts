import { afterEach, expect, test, vi } from 'vitest';
import { pageQuery } from '../kit/filters.ts';
import { askFirst, firstAddresses, takeFirst } from './first-reads.ts';

const NOW = new Date(2026, 4, 20, 12);

afterEach(() => {
  vi.unstubAllGlobals();
  globalThis.coinslotFirstReads = undefined;
});

test('a game’s home is asked for with its session, the chosen days and the first steps', () => {
  const [session, home, checklist, ...more] = firstAddresses('/dashboard/g/game_1/live', '?range=7d', NOW);
  expect(session).toBe('/dashboard/api/session');
  expect(home).toMatch(
    /^\/dashboard\/api\/games\/game_1\/live\/home\?utc_offset_minutes=-?\d+&from=2026-05-14&to=2026-05-20$/,
  );
  expect(checklist).toBe('/dashboard/api/games/game_1/sandbox/checklist');
  expect(more).toEqual([]);
});

test.each(['transactions', 'orders', 'attention', 'grants', 'players', 'items'])(
  'the first page of %s is asked for with its session',
  list =>
    expect(firstAddresses(`/dashboard/g/game_1/live/${list}`, '', NOW)).toEqual([
      '/dashboard/api/session',
      `/dashboard/api/games/game_1/live/${list}?limit=${pageQuery({}).limit}`,
    ]),
);

test.each([
  ['/dashboard/', ''],
  ['/dashboard/sign-in', ''],
  ['/dashboard/g/game_1/sandbox/settings/methods', ''],
  ['/dashboard/g/game_1/sandbox/orders/ord_1', ''],
  ['/dashboard/g/game_1/sandbox/orders', '?status=paid'],
  ['/dashboard/g/game_1/other', ''],
])('%s%s needs the session first', (path, search) =>
  expect(firstAddresses(path, search, NOW)).toEqual(['/dashboard/api/session']),
);

test('an answer is taken once, and none after a change', async () => {
  const asked: string[] = [];
  vi.stubGlobal('performance', { now: () => 0 });
  vi.stubGlobal('fetch', async (address: string) => {
    asked.push(address);
    return new Response(address);
  });
  askFirst(['/a', '/b'], 'de');
  expect(asked).toEqual(['/a', '/b']);
  expect(await (await takeFirst('/a'))?.text()).toBe('/a');
  expect(takeFirst('/a')).toBeUndefined();
  expect(takeFirst('/b', 'POST')).toBeUndefined();
  expect(takeFirst('/b')).toBeUndefined();
});

test('an answer that was not wanted in time is old', () => {
  vi.stubGlobal('fetch', async () => new Response(''));
  vi.stubGlobal('performance', { now: () => 0 });
  askFirst(['/a', '/b'], 'en');
  expect(takeFirst('/a')).toBeDefined();
  vi.stubGlobal('performance', { now: () => 20_001 });
  expect(takeFirst('/b')).toBeUndefined();
});
