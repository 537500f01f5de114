import type { SessionState } from '@coinslot/contract';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { pageQuery } from '../kit/filters.ts';
import { companyAddresses, earlyAddresses, startEarlyReads, takeEarlyRead } from './early-reads.ts';

const NOW = new Date(2026, 4, 20, 12);

afterEach(() => {
  vi.unstubAllGlobals();
  globalThis.coinslotEarlyReads = undefined;
});

test('a game’s home is asked for with its session, the chosen days and the first steps', () => {
  const [session, home, checklist, ...more] = earlyAddresses('/dashboard/g/game_1/live', '?range=7d', NOW);
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
    expect(earlyAddresses(`/dashboard/g/game_1/live/${list}`, '', NOW)).toEqual([
      '/dashboard/api/session',
      `/dashboard/api/games/game_1/live/${list}?limit=${pageQuery({}).limit}`,
    ]),
);

test.each([
  ['/dashboard/', ''],
  ['/dashboard/sign-in', ''],
  ['/dashboard/g/game_1/sandbox/settings/methods', ''],
  ['/dashboard/g/game_1/sandbox/settings/appearance', '?state=paid'],
  ['/dashboard/g/game_1/sandbox/orders/ord_1', ''],
  ['/dashboard/g/game_1/sandbox/orders', '?status=paid'],
  ['/dashboard/g/game_1/other', ''],
])('%s%s needs the session first', (path, search) =>
  expect(earlyAddresses(path, search, NOW)).toEqual(['/dashboard/api/session']),
);

test.each([
  ['integration/keys', 'keys'],
  ['integration/webhooks/', 'webhooks'],
  ['settings/appearance', 'appearance'],
])('what %s reads of its environment is asked for with its session', (page, read) =>
  expect(earlyAddresses(`/dashboard/g/game_1/live/${page}`, '', NOW)).toEqual([
    '/dashboard/api/session',
    `/dashboard/api/games/game_1/live/${read}`,
  ]),
);

describe('what is read of the company', () => {
  const companyOf = (id: string, game: string) =>
    ({ id, games: [{ id: game }] }) as unknown as SessionState['companies'][number];
  const session = { companies: [companyOf('cmp_1', 'game_1'), companyOf('cmp_2', 'game_2')] };

  test.each([
    ['methods', '/dashboard/g/game_2/live/settings/methods', '', ['cmp_2/methods', 'cmp_2/providers']],
    ['the company itself', '/dashboard/g/game_1/sandbox/settings/company/', '', ['cmp_1']],
    ['nothing for a filter', '/dashboard/g/game_1/live/settings/team', '?role=owner', []],
    ['nothing for a list', '/dashboard/g/game_1/live/orders', '', []],
    ['nothing for another’s game', '/dashboard/g/game_3/live/settings/team', '', []],
    ['nothing outside of a game', '/dashboard/sign-in', '', []],
  ])('is known once the session has come: %s', (_, path, search, reads) =>
    expect(companyAddresses(path, search, session)).toEqual(reads.map(read => `/dashboard/api/companies/${read}`)),
  );

  test('is asked for then, and the app still reads the session', async () => {
    const answers: Record<string, Response> = {
      '/dashboard/api/session': Response.json(session),
      '/later': new Response('later'),
    };
    vi.stubGlobal('fetch', async (address: string) => answers[address]);
    vi.stubGlobal('performance', { now: () => 0 });
    const asked = startEarlyReads(['/dashboard/api/session'], 'en', ({ companies }) =>
      companies[1] ? ['/later'] : [],
    );
    const taken = takeEarlyRead('/dashboard/api/session');
    expect(takeEarlyRead('/later')).toBeUndefined();
    expect(await (await taken)!.json()).toEqual(session);
    await asked;
    expect(await (await takeEarlyRead('/later'))!.text()).toBe('later');
  });

  test.each([
    ['is no session', async () => new Response('gone', { status: 502 })],
    ['does not come', () => Promise.reject(new TypeError('offline'))],
  ])('is left to the app where the answer %s', async (_, answer) => {
    vi.stubGlobal('fetch', answer);
    await startEarlyReads(['/dashboard/api/session'], 'en', () => ['/later']);
    expect(takeEarlyRead('/later')).toBeUndefined();
  });
});

test('an answer is taken once, and none after a change', async () => {
  const asked: string[] = [];
  vi.stubGlobal('performance', { now: () => 0 });
  vi.stubGlobal('fetch', async (address: string) => {
    asked.push(address);
    return new Response(address);
  });
  void startEarlyReads(['/a', '/b'], 'de', () => []);
  expect(asked).toEqual(['/a', '/b']);
  expect(await (await takeEarlyRead('/a'))?.text()).toBe('/a');
  expect(takeEarlyRead('/a')).toBeUndefined();
  expect(takeEarlyRead('/b', 'POST')).toBeUndefined();
  expect(takeEarlyRead('/b')).toBeUndefined();
});

test('an answer that was not wanted in time is old', () => {
  vi.stubGlobal('fetch', async () => new Response(''));
  vi.stubGlobal('performance', { now: () => 0 });
  void startEarlyReads(['/a', '/b'], 'en', () => []);
  expect(takeEarlyRead('/a')).toBeDefined();
  vi.stubGlobal('performance', { now: () => 20_001 });
  expect(takeEarlyRead('/b')).toBeUndefined();
});
