import { type Game, startGame } from '@coinslot/testing/game-receiver';
import { CARDS, startProgram, type TestProgram } from '@coinslot/testing/program';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

let shop: TestProgram;
let game: Game;
let orders: string[] = [];
let webhookId: string;

interface Page {
  data: Record<string, unknown>[];
  next_cursor: string | null;
}

const list = async (path: string): Promise<Page> => {
  const answer = await shop.call<Page & { detail?: string }>('GET', path);
  expect(answer).toMatchObject({ status: 200 });
  return answer.body;
};

async function readAll(
  path: string,
  key: string,
  between: () => Promise<unknown> = async () => {},
): Promise<unknown[]> {
  const found: unknown[] = [];
  const sign = path.includes('?') ? '&' : '?';
  for (let cursor: string | null = ''; cursor !== null; ) {
    const page: Page = await list(`${path}${sign}limit=2${cursor && `&cursor=${cursor}`}`);
    expect(page.data.length).toBeLessThanOrEqual(2);
    found.push(...page.data.map(entry => entry[key]));
    cursor = page.next_cursor;
    await between();
  }
  return found;
}

beforeAll(async () => {
  shop = await startProgram();
  game = await startGame({ secret: shop.account.sandbox.s2sKey });
  const made = await shop.call('POST', '/s2s/v1/webhooks', { url: game.url, events: ['item.add', 'item.remove'] });
  webhookId = String(made.body.id);
  for (let i = 0; i < 5; i++) {
    const order = await shop.createOrder({ player_id: `player_${i % 2}`, items: [{ sku: `sku_${i}` }] });
    orders = [order.order_id, ...orders];
    if (i < 3) await shop.pay(order.checkout_url, i === 0 ? CARDS.decline : CARDS.success);
  }
  await Promise.all(orders.slice(2, 4).map(id => shop.until(id, 'paid')));
});

afterAll(async () => {
  await game?.close();
  await shop?.close();
});

describe('a list', () => {
  it('is read in pages, newest first, each entry once, although new ones arrive', async () => {
    const arrive = () => shop.createOrder({ player_id: 'late', items: [{ sku: `late_${game.requests.length}` }] });
    expect(await readAll('/s2s/v1/orders', 'order_id', arrive)).toEqual(orders);
    expect(await readAll('/s2s/v1/items', 'sku', arrive)).toEqual(
      expect.arrayContaining(['sku_4', 'sku_3', 'sku_2', 'sku_1', 'sku_0']),
    );
    const payments = await readAll('/s2s/v1/payments', 'order_id', arrive);
    expect(payments).toEqual(orders.slice(2));
    const deliveries = await readAll(`/s2s/v1/webhooks/${webhookId}/deliveries`, 'order_id', arrive);
    expect(deliveries).toEqual(orders.slice(2, 4));
    expect(await readAll('/s2s/v1/webhooks', 'id')).toEqual([webhookId]);
  });

  it('has 20 entries unless told, and says where to go on only when there is more', async () => {
    for (let i = 0; i < 21; i++) await shop.createOrder({ player_id: 'many' });
    const first = await list('/s2s/v1/orders?player_id=many');
    expect([first.data.length, typeof first.next_cursor]).toEqual([20, 'string']);
    expect(await list(`/s2s/v1/orders?player_id=many&cursor=${first.next_cursor}`)).toMatchObject({
      next_cursor: null,
    });
    expect(await list('/s2s/v1/orders?player_id=many&limit=21')).toMatchObject({ next_cursor: null });
    expect(await list('/s2s/v1/orders?player_id=stranger')).toEqual({ data: [], next_cursor: null });
  });

  it('does not take the cursor of another list', async () => {
    const { next_cursor } = await list('/s2s/v1/orders?limit=1');
    const answer = await shop.call('GET', `/s2s/v1/items?cursor=${next_cursor}`);
    expect(answer).toMatchObject({ status: 422, body: { errors: [{ pointer: '/cursor', code: 'cursor' }] } });
  });
});

describe('a filter', () => {
  it.each(['orders', 'payments', 'items', 'webhooks'])('names one it does not know: %s', async name => {
    const page = await list(`/s2s/v1/${name}?limit=1&staus=paid&a%2Fb=1`);
    expect(page).toMatchObject({ warnings: ['/staus', '/a~1b'] });
    expect(await list(`/s2s/v1/${name}?limit=1`)).not.toHaveProperty('warnings');
  });

  it('by status', async () => {
    expect(await readAll('/s2s/v1/orders?status=paid', 'order_id')).toEqual(orders.slice(2, 4));
    expect(await readAll('/s2s/v1/payments?status=declined', 'order_id')).toEqual([orders[4]]);
    expect(await readAll('/s2s/v1/orders?status=refunded', 'order_id')).toEqual([]);
    const created = await readAll('/s2s/v1/orders?status=created&player_id=player_0', 'order_id');
    expect(created).toEqual([orders[0], orders[4]]);
  });

  it('by player and order', async () => {
    expect(await readAll('/s2s/v1/orders?player_id=player_1', 'order_id')).toEqual([orders[1], orders[3]]);
    expect(await readAll('/s2s/v1/payments?player_id=player_1', 'order_id')).toEqual([orders[3]]);
    expect(await readAll(`/s2s/v1/payments?order_id=${orders[2]}`, 'order_id')).toEqual([orders[2]]);
    expect(await readAll('/s2s/v1/payments?order_id=nothing', 'order_id')).toEqual([]);
  });

  it('by time: from is included, to is not', async () => {
    const { created_at } = await shop.readOrder(String(orders[0]));
    for (const path of ['/s2s/v1/orders?player_id=player_0', '/s2s/v1/payments?player_id=player_0']) {
      expect(await readAll(`${path}&created_from=${created_at + 1}`, 'order_id')).toEqual([]);
      expect(await readAll(`${path}&created_to=${created_at - 60}`, 'order_id')).toEqual([]);
      const all = await readAll(path, 'order_id');
      expect(await readAll(`${path}&created_from=${created_at - 60}&created_to=${created_at + 1}`, 'order_id')).toEqual(
        all,
      );
    }
  });

  it('by status and kind of delivery', async () => {
    const path = `/s2s/v1/webhooks/${webhookId}/deliveries`;
    expect(await readAll(`${path}?status=succeeded&event_type=item.add`, 'order_id')).toEqual(orders.slice(2, 4));
    expect(await readAll(`${path}?status=pending`, 'order_id')).toEqual([]);
    expect(await readAll(`${path}?event_type=item.remove`, 'order_id')).toEqual([]);
    const wrong = await shop.call('GET', `${path}?event_type=item.unknown`);
    expect(wrong).toMatchObject({ status: 422, body: { errors: [{ pointer: '/event_type' }] } });
  });

  it('by the status that the clock has made', async () => {
    const { order_id } = await shop.createOrder({ player_id: 'late', expires_at: Math.floor(Date.now() / 1000) + 60 });
    await shop.database.advance(120);
    expect(await shop.readOrder(order_id)).toMatchObject({ status: 'expired' });
    expect(await readAll('/s2s/v1/orders?status=expired', 'order_id')).toEqual([order_id]);
    expect(await readAll('/s2s/v1/orders?player_id=late&status=created', 'order_id')).not.toContain(order_id);
  });
});
