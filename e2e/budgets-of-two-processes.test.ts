/** What a company may use is counted over all processes: two built programs share a database, and one never sees the other's calls. */
import type { Budget, BudgetKind } from '@coinslot/contract';
import { newBrowser, PASSWORD, type TestBrowser } from '@coinslot/testing/dashboard';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { patience } from './game-studio.ts';
import { type Account, type Coinslot, startCoinslot } from './start-coinslot.ts';

const OWNER = 'owner@studio.example';

let here: Coinslot;
let there: { url: string; stop(): Promise<void> };
let account: Account;
let browsers: [TestBrowser, TestBrowser];

beforeAll(async () => {
  here = await startCoinslot({
    BUDGET_STREAMS: '3',
    BUDGET_STORAGE_MB_PER_DAY: '1',
    BUDGET_SANDBOX_ORDERS_PER_DAY: '40',
  });
  account = await here.setup(OWNER);
  there = await here.startAnother({ PUBLIC_URL: here.url });
  const first = newBrowser(here.url);
  await first.open();
  expect((await first.call('POST', '/sign_in', { email: OWNER, password: PASSWORD })).status).toBe(200);
  const second = newBrowser(there.url, first.cookie, { publicUrl: here.url });
  await second.open();
  browsers = [first, second];
}, 120_000);

afterAll(async () => {
  await there?.stop();
  await here?.stop();
});

async function used(kind: BudgetKind, browser: TestBrowser): Promise<number | undefined> {
  const { body } = await browser.call<{ data: Budget[] }>('GET', `/companies/${account.company_id}/budgets`);
  return body.data.find(one => one.kind === kind)?.used;
}

const s2s = (url: string, method: string, path: string, body: object): Promise<Response> =>
  fetch(`${url}/s2s/v1${path}`, {
    method,
    headers: { authorization: `Bearer ${account.sandbox.s2s_key}`, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });

describe('the budgets of a company over two processes (row 182)', () => {
  test('open streams: the fourth is refused at either, and both show what is open', async () => {
    const [first, second] = browsers;
    const open = (browser: TestBrowser) => browser.fetch('GET', `/games/${account.game_id}/sandbox/changes`);
    const streams = [await open(first), await open(second), await open(first)];
    expect(streams.map(({ status }) => status)).toEqual([200, 200, 200]);
    for (const browser of browsers) {
      const refused = await open(browser);
      expect([refused.status, refused.headers.get('retry-after')]).toEqual([429, '30']);
      await refused.body?.cancel();
      expect(await used('streams', browser)).toBe(3);
    }
    await streams[0]!.body?.cancel();
    await expect.poll(() => used('streams', second), patience).toBe(2);
    const next = await open(second);
    expect(next.status).toBe(200);
    for (const stream of [...streams.slice(1), next]) await stream.body?.cancel();
  });

  test('sandbox orders: each process alone would take forty', async () => {
    const statuses: number[] = [];
    for (let n = 0; n < 25; n++)
      for (const url of [here.url, there.url]) {
        const { status } = await s2s(url, 'POST', '/orders', { player_id: 'p', items: [{ sku: 'gems' }] });
        statuses.push(status);
      }
    expect(new Set(statuses)).toEqual(new Set([201, 429]));
    const taken = statuses.filter(status => status === 201).length;
    expect(taken).toBeGreaterThanOrEqual(40);
    expect(taken).toBeLessThan(50);
    for (const browser of browsers) await expect.poll(() => used('sandbox_orders', browser), patience).toBe(40);
  });

  test('storage: what one has written is missing at the other', async () => {
    const item = { name: 'x'.repeat(200_000), price_decimal: 1, currency: 'USD' };
    const write = (url: string) => s2s(url, 'PUT', '/items/big', item);
    let written = 0;
    for (let answer = await write(here.url); answer.status !== 429; answer = await write(here.url)) {
      expect(answer.status).toBe(422);
      expect(++written).toBeLessThan(10);
    }
    const refused = async () => {
      const answer = await write(there.url);
      return [answer.status, Number(answer.headers.get('retry-after')) > 0];
    };
    await expect.poll(refused, patience).toEqual([429, true]);
    for (const browser of browsers) expect(await used('storage_mb', browser)).toBe(1);
  });
});
