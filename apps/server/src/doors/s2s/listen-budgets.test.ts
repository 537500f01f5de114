import type { Budget } from '@coinslot/contract';
import { signedInMember, type TestMember } from '@coinslot/testing/dashboard';
import { openLaptop, refusedListen } from '@coinslot/testing/laptop';
import { startProgram, type TestProgram } from '@coinslot/testing/program';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

let shop: TestProgram;
let owner: TestMember;
const patience = { timeout: 60_000 };

beforeAll(async () => {
  shop = await startProgram({
    workers: false,
    env: { BUDGET_STREAMS: '2', BUDGET_REQUESTS_PER_MINUTE: '60', RATE_LIMIT_PER_MINUTE: '0' },
  });
  owner = await signedInMember(shop, 'owner');
});

afterAll(() => shop?.close());

const open = (query = '') => openLaptop(shop.url, shop.account.sandbox.s2sKey, query);
const refused = () => refusedListen(shop.url, shop.account.sandbox.s2sKey);

async function streams(): Promise<number | undefined> {
  const path = `/companies/${shop.account.companyId}/budgets`;
  const { body } = await owner.browser.call<{ data: Budget[] }>('GET', path);
  return body.data.find(({ kind }) => kind === 'streams')?.used;
}

describe('a listener is paid from the budgets of its company (row 239)', () => {
  it('it is an open stream beside the pages of the dashboard, and gives its place back', async () => {
    const laptop = await open('?mode=tail');
    const page = await owner.browser.fetch('GET', `/games/${shop.account.gameId}/sandbox/changes`);
    expect([page.status, await streams()]).toEqual([200, 2]);
    expect(await refused()).toMatchObject({ status: 429, body: { code: 'rate_limited' } });
    expect(await streams()).toBe(2);
    await laptop.close();
    await expect.poll(streams, patience).toBe(1);
    await (await open()).close();
    await expect.poll(streams, patience).toBe(1);
    await page.body?.cancel();
  });

  it('each handshake is a request, whatever came of it', async () => {
    const statuses: number[] = [];
    for (let n = 0; n < 130 && statuses.at(-1) !== 429; n++) {
      const { status } = await refusedListen(shop.url, shop.account.sandbox.s2sKey, '?mode=neither');
      statuses.push(status);
    }
    // At most two minutes' worth, where one ended in between.
    expect(new Set(statuses)).toEqual(new Set([422, 429]));
  });
});
