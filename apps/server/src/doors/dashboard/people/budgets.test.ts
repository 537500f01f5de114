import type { Budget, BudgetKind } from '@coinslot/contract';
import { signedInMember, type TestMember } from '@coinslot/testing/dashboard';
import { startProgram, type TestProgram } from '@coinslot/testing/program';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

let shop: TestProgram;
let owner: TestMember;

beforeAll(async () => {
  shop = await startProgram({
    workers: false,
    env: {
      BUDGET_REQUESTS_PER_MINUTE: '400',
      BUDGET_SANDBOX_ORDERS_PER_DAY: '40',
      BUDGET_STORAGE_MB_PER_DAY: '1',
      BUDGET_GAMES: '2',
      BUDGET_KEYS: '6',
      BUDGET_STREAMS: '3',
      BUDGET_EXAMS_PER_HOUR: '1',
    },
  });
  owner = await signedInMember(shop, 'owner');
});

afterAll(() => shop?.close());

const company = (path: string): string => `/companies/${shop.account.companyId}${path}`;
const ofGame = (path: string): string => `/games/${shop.account.gameId}/sandbox${path}`;
const REFUSED = { status: 429, body: { code: 'rate_limited' } };

async function budget(kind: BudgetKind): Promise<Budget> {
  const { body } = await owner.browser.call<{ data: Budget[] }>('GET', company('/budgets'));
  return body.data.find(one => one.kind === kind)!;
}

describe('the budgets of a company (row 182)', () => {
  test('are shown with what is used', async () => {
    expect(await budget('games')).toEqual({ kind: 'games', used: 1, most: 2, window_seconds: null });
    expect(await budget('keys')).toEqual({ kind: 'keys', used: 2, most: 6, window_seconds: null });
    expect(await budget('provider_calls')).toMatchObject({ used: 0, most: null, window_seconds: 3600 });
    expect(await budget('invitations')).toMatchObject({ most: 60, window_seconds: 86_400 });
    await owner.browser.call('POST', company('/invitations'), { email: 'new@example.com', role: 'viewer' });
    expect(await budget('invitations')).toMatchObject({ used: 1 });
  });

  test('games and keys end where they end, also when they are added side by side', async () => {
    const add = (n: number) =>
      owner.browser.call('POST', company('/games'), {
        game_url: `https://play.google.com/store/apps/details?id=com.budget.n${n}`,
        game_name: `Game ${n}`,
      });
    const answers = await Promise.all([add(1), add(2), add(3)]);
    expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([201, 429, 429]);
    expect(answers.find(({ status }) => status === 429)).toMatchObject(REFUSED);
    const key = (n: number) => owner.browser.call('POST', ofGame('/keys'), { label: `key ${n}` });
    const keys = await Promise.all([key(1), key(2), key(3)]);
    expect(keys.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([201, 201, 429]);
    expect(await budget('keys')).toMatchObject({ used: 6, most: 6 });
  });

  test('exams are counted for all sandboxes of the company', async () => {
    const start = () =>
      owner.browser.call('POST', ofGame('/exams'), { url: 'http://127.0.0.1:59999/webhook', language: 'node' });
    expect((await start()).status).toBe(202);
    await shop.program.workers.drain();
    expect(await start()).toMatchObject(REFUSED);
    expect(await budget('exams')).toMatchObject({ used: 1, most: 1, window_seconds: 3600 });
  });

  test('open streams beyond the budget are refused, and a closed one makes room', async () => {
    const open = () => owner.browser.fetch('GET', ofGame('/changes'));
    const opened = [await open(), await open(), await open()];
    expect(opened.map(({ status }) => status)).toEqual([200, 200, 200]);
    const refused = await open();
    expect(refused.status).toBe(429);
    expect(refused.headers.get('retry-after')).toBe('30');
    expect(await budget('streams')).toMatchObject({ used: 3, most: 3 });
    await opened.pop()!.body?.cancel();
    await expect.poll(async () => (await budget('streams')).used).toBe(2);
    const next = await open();
    expect(next.status).toBe(200);
    for (const answer of [...opened, next]) await answer.body?.cancel();
  });

  test('sandbox orders are counted for a day', async () => {
    const answers = await Promise.all(
      Array.from({ length: 45 }, () =>
        shop.call('POST', '/s2s/v1/orders', { player_id: 'p', items: [{ sku: 'gems' }] }),
      ),
    );
    const count = (status: number): number => answers.filter(one => one.status === status).length;
    expect([count(201), count(429)]).toEqual([40, 5]);
    expect(await budget('sandbox_orders')).toMatchObject({ used: 40, most: 40, window_seconds: 86_400 });
  });

  test('what is written counts with its size, also where it is refused, and orders of members with those of keys', async () => {
    const before = (await budget('storage_mb')).used;
    expect(before).toBe(1);
    expect(await owner.browser.call('POST', ofGame('/test_orders'))).toMatchObject(REFUSED);
    const item = { name: 'x'.repeat(200_000), price_decimal: 1, currency: 'USD' };
    const answers = [];
    for (let n = 0; n < 4; n++) answers.push(await shop.call('PUT', `/s2s/v1/items/big${n}`, item));
    expect(answers.map(({ status }) => status)).toEqual([422, 422, 422, 429]);
    expect(Number(answers.at(-1)!.headers.get('retry-after'))).toBeGreaterThan(0);
    expect(await owner.browser.call('POST', company('/games'), {})).toMatchObject(REFUSED);
    expect(await budget('storage_mb')).toMatchObject({ used: 1, most: 1, window_seconds: 86_400 });
    expect((await shop.call('GET', '/s2s/v1/orders')).status).toBe(200);
  });

  test('requests of all keys and members count together, and say when to come back', async () => {
    // Again where a minute of the limit ended in between.
    await expect
      .poll(
        async () => {
          const answers = await Promise.all(Array.from({ length: 400 }, () => shop.call('GET', '/s2s/v1/orders')));
          const refused = answers.find(({ status }) => status === 429);
          const asked = (await owner.browser.call('GET', company('/budgets'))).status;
          return [asked, Number(refused?.headers.get('retry-after')) > 0];
        },
        { timeout: 60_000 },
      )
      .toEqual([429, true]);
    expect((await owner.browser.call('GET', '/me')).status).toBe(200);
  });
});
