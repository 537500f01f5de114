import type { DashboardAnswer, dashboardEndpoints, PlayerLine } from '@coinslot/contract';
import { signedInMember, type TestBrowser } from '@coinslot/testing/dashboard';
import { type Game, startGame } from '@coinslot/testing/game-receiver';
import { CARDS, startProgram, type TestProgram } from '@coinslot/testing/program';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { rebuildFigures } from '../../../domain/reporting/roll-ups/roll-up.ts';

/** The search box is the same everywhere: each list is asked with `q`. */

type Payments = DashboardAnswer<typeof dashboardEndpoints.listTransactions>;
type Orders = DashboardAnswer<typeof dashboardEndpoints.listDashboardOrders>;

/** Search entries are written after the orders, once no older transaction is under way. */
const WRITTEN = { timeout: 60_000, interval: 50 };

let shop: TestProgram;
let game: Game;
let viewer: TestBrowser;
let at: string;

beforeAll(async () => {
  shop = await startProgram();
  game = await startGame({ secret: shop.account.sandbox.s2sKey });
  await shop.call('POST', '/s2s/v1/webhooks', { url: game.url, events: ['item.add', 'item.remove'] });
  viewer = (await signedInMember(shop, 'viewer')).browser;
  at = `/games/${shop.account.gameId}/sandbox`;
});

afterAll(async () => {
  await game?.close();
  await shop?.close();
});

const bought = async (body: Record<string, unknown>, card: string = CARDS.success, email = 'someone@example.com') => {
  const order = await shop.createOrder(body);
  await shop.pay(order.checkout_url, card, { email });
  if (card === CARDS.success) await shop.until(order.order_id, 'paid');
  return order.order_id;
};

const payments = async (q: string): Promise<string[]> =>
  (await viewer.call<Payments>('GET', `${at}/transactions?q=${encodeURIComponent(q)}`)).body.data.map(
    ({ order_id }) => order_id,
  );
const orders = async (q: string): Promise<string[]> =>
  (await viewer.call<Orders>('GET', `${at}/orders?q=${encodeURIComponent(q)}`)).body.data.map(
    ({ order_id }) => order_id,
  );
const players = async (query: string): Promise<PlayerLine[]> =>
  (await viewer.call<{ data: PlayerLine[] }>('GET', `${at}/players?${query}`)).body.data;
const playerIds = async (q: string): Promise<string[]> =>
  (await players(`q=${encodeURIComponent(q)}`)).map(({ player_id }) => player_id);

it('finds players by name, one of its words and e-mail, payments by digits and amount, orders by item name', async () => {
  const sword = { sku: 'sword_1', name: 'Golden Sword', price_decimal: 7.25 };
  const ada = { player_id: 'u_1', email: 'ada@game.example', player: { name: 'Ada Lovelace' } };
  const first = await bought({ ...ada, items: [sword], currency: 'USD' }, CARDS.success, 'Ada.Private@example.com');
  const second = await bought({ player_id: 'u_2', price_decimal: 7.25, currency: 'EUR' });
  const declined = await bought({ player_id: 'u_2', price_decimal: 1200, currency: 'JPY' }, CARDS.decline);
  const unpaid = (await shop.createOrder({ player_id: 'u_3', items: [sword], currency: 'USD' })).order_id;

  await expect.poll(() => orders('golden sw'), WRITTEN).toEqual([unpaid, first]);
  expect(await orders('SWORD_1')).toEqual([unpaid, first]);
  expect(await orders('u_2')).toEqual([declined, second]);
  expect(await orders('nothing of this')).toEqual([]);

  await expect.poll(() => payments('4242'), WRITTEN).toEqual([second, first]);
  await expect.poll(() => payments('9015'), WRITTEN).toEqual([declined]);
  expect(await payments('7.25')).toEqual([second, first]);
  expect(await payments('7,25')).toEqual([second, first]);
  expect(await payments('1200')).toEqual([declined]);
  expect(await payments('7.26')).toEqual([]);
  expect(await payments('ada.private')).toEqual([first]);

  for (const q of ['ada', 'ADA LOVE', 'lovelace', 'ada@game', 'ada.private@', 'u_1']) {
    await expect.poll(async () => [q, ...(await playerIds(q))], WRITTEN).toEqual([q, 'u_1']);
  }
  expect(await playerIds('lace')).toEqual([]);
});

it('lists players by what they spent, how often and when they last bought, and what was refunded counts no more', async () => {
  await bought({ player_id: 'u_2', price_decimal: 1, currency: 'EUR' });
  const large = await bought({ player_id: 'u_4', price_decimal: 90, currency: 'EUR' });
  const ids = async (query: string) => (await players(query)).map(({ player_id }) => player_id);
  await expect.poll(() => ids('sort=spent&currency=EUR'), WRITTEN).toEqual(['u_4', 'u_2']);
  expect(await ids('sort=orders')).toEqual(['u_2', 'u_4', 'u_1']);
  expect((await ids('sort=last_purchase'))[2]).toBe('u_1');
  expect((await ids('sort=id')).toSorted()).toEqual(['u_1', 'u_2', 'u_3', 'u_4']);
  const [, second] = await players('sort=spent&currency=EUR');
  expect(second).toMatchObject({ orders: 2, spent: [{ currency: 'EUR', amount: 825 }] });
  expect(await players('q=u_3')).toMatchObject([{ orders: 0, spent: [], last_purchase_at: null }]);

  const page = async (cursor: string) =>
    (
      await viewer.call<{ data: PlayerLine[]; next_cursor: string | null }>(
        'GET',
        `${at}/players?sort=orders&limit=1${cursor}`,
      )
    ).body;
  const seen: string[] = [];
  for (let cursor = '', pages = 0; pages < 5; pages++) {
    const { data, next_cursor } = await page(cursor);
    seen.push(...data.map(({ player_id }) => player_id));
    if (next_cursor === null) break;
    cursor = `&cursor=${encodeURIComponent(next_cursor)}`;
  }
  expect(seen).toEqual(['u_2', 'u_4', 'u_1']);

  await shop.call('POST', `/s2s/v1/orders/${large}/refund`, {});
  await shop.until(large, 'refunded');
  await expect.poll(() => ids('sort=spent&currency=EUR'), WRITTEN).toEqual(['u_2', 'u_4']);
});

it('finds orders by item when their figures are built again, each once, and the new ones after them (row 220)', async () => {
  const before = await orders('sword_1');
  await rebuildFigures(shop.database.db);
  const sword = { sku: 'sword_1', name: 'Golden Sword', price_decimal: 7.25 };
  const { order_id: added } = await shop.createOrder({ player_id: 'u_5', items: [sword], currency: 'USD' });
  await expect.poll(() => orders('sword_1'), WRITTEN).toEqual([added, ...before]);
  const player = { player_id: 'u_5', player: { name: 'Grace Hopper' }, items: [sword], currency: 'USD' };
  const { order_id: named } = await shop.createOrder(player);
  await expect.poll(() => playerIds('hopper'), WRITTEN).toEqual(['u_5']);
  expect(await orders('sword_1')).toEqual([named, added, ...before]);
});

it('an erased player is found by nothing', async () => {
  await expect.poll(() => playerIds('lovelace'), WRITTEN).toEqual(['u_1']);
  const { db } = shop.database;
  const rows = async () =>
    (
      await db.query<{ count: number }>({
        name: '',
        text: `select (select count(*) from search_entries where id = 'u_1' or term like 'ada%')::int
                 + (select count(*) from player_figures where player_id = 'u_1')::int
                 + (select count(*) from player_spend where player_id = 'u_1')::int as count`,
        values: [],
      })
    )[0]!.count;
  const posted = async () =>
    (
      await db.query<{ count: number }>({
        name: '',
        text: `select count(*)::int as count from search_postings s cross join lateral unnest(s.ids) as i (id)
               join payments p on p.id = i.id where s.kind = 'last4' and (p.last4 is null or s.term = p.last4)`,
        values: [],
      })
    )[0]!.count;
  const ofPlayer = (await payments('u_1')).length;
  const ofAll = await posted();
  expect([ofPlayer > 0, ofAll > ofPlayer]).toEqual([true, true]);
  expect(await rows()).toBeGreaterThan(3);
  expect((await shop.call('DELETE', '/s2s/v1/players/u_1')).status).toBeLessThan(300);
  expect(await rows()).toBe(0);
  expect(await posted()).toBe(ofAll - ofPlayer);
  expect(await playerIds('lovelace')).toEqual([]);
});
