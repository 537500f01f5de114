import { signedInMember, type TestMember } from '@coinslot/testing/dashboard';
import { startProgram, type TestProgram } from '@coinslot/testing/program';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

/** No server listens there. */
const AWAY = 'postgresql://coinslot@127.0.0.1:1/coinslot';

let shop: TestProgram;
let member: TestMember;
let at: string;
let readsOfReplica = 0;

beforeAll(async () => {
  shop = await startProgram({
    workers: false,
    env: { DATABASE_READ_URL: AWAY },
    replace(parts) {
      const { reportDb, replica } = parts;
      const reader: typeof reportDb = {
        ...reportDb,
        query(statement) {
          readsOfReplica += 1;
          return replica!.reader.query(statement);
        },
        transaction(work) {
          readsOfReplica += 1;
          return replica!.reader.transaction(work);
        },
      };
      return { ...parts, replica: { ...replica!, reader } };
    },
  });
  member = await signedInMember(shop, 'owner');
  await member.browser.open();
  at = `/games/${shop.account.gameId}/sandbox`;
});

afterAll(() => shop?.close());

async function readsFor(path: string, cookies = ''): Promise<number> {
  const before = readsOfReplica;
  const headers = { cookie: `coinslot=${member.browser.cookie}${cookies}` };
  const answer = await member.browser.call('GET', `${at}${path}`, undefined, { headers });
  expect(answer.status).toBe(200);
  return readsOfReplica - before;
}

const LISTS = ['/transactions', '/transactions/count', '/orders', '/deliveries', '/players', '/home'];

describe('with a replica', () => {
  it.each(LISTS)('%s is read from it, and is answered although it is away', async path => {
    expect(await readsFor(path)).toBeGreaterThan(0);
  });

  it('what a member decides by is not', async () => {
    expect(await readsFor('/attention')).toBe(0);
    const { order_id } = await shop.createOrder();
    expect(await readsFor(`/orders/${order_id}`)).toBe(0);
  });

  it('a browser that has just changed something reads its lists from the main database', async () => {
    const answer = await member.browser.call('POST', `${at}/test_orders`, {});
    const cookie = answer.headers.getSetCookie().find(one => one.startsWith('coinslot-wrote='));
    expect(cookie).toMatch(/Max-Age=15;.*HttpOnly/);
    expect(await readsFor('/orders', '; coinslot-wrote=1')).toBe(0);
  });
});
