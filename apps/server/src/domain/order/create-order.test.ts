import type { CreatedOrder, Item, Player } from '@coinslot/contract';
import { startProgram, type TestProgram } from '@coinslot/testing/program';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { sql } from '../../db/sql.ts';
import { newId } from '../../kit/ids.ts';

let shop: TestProgram;

const DAY_SECONDS = 86_400;
const BODY = { player_id: 'player_1', items: [{ sku: 'crystals_100' }] };

const create = (body: unknown, idempotencyKey?: string, key?: string) =>
  shop.call<CreatedOrder & { code?: string; errors?: { pointer: string; code: string }[] }>(
    'POST',
    '/s2s/v1/orders',
    body,
    {
      ...(key && { key }),
      ...(idempotencyKey && { headers: { 'idempotency-key': idempotencyKey } }),
    },
  );
const item = async (sku: string) => (await shop.call<Item>('GET', `/s2s/v1/items/${sku}`)).body;
const player = async (id: string) => (await shop.call<Player>('GET', `/s2s/v1/players/${id}`)).body;

async function countOrders(playerId: string): Promise<number> {
  const [row] = await shop.database.db.query<{ count: number }>(sql('test_count_orders')`
    select count(*)::int as count from orders where player_id = ${playerId}`);
  return row!.count;
}

beforeAll(async () => {
  shop = await startProgram({ workers: false });
});

afterAll(() => shop?.close());

describe('an order', () => {
  it('with only a player and skus is created in sandbox for the default price', async () => {
    const { status, body } = await create(BODY);
    expect(status).toBe(201);
    expect(body).toMatchObject({ status: 'created', amount: 100, currency: 'USD', price_decimal: 1, sandbox: true });
    expect(body.order_id).toMatch(/^ord_[0-9a-z]{26}$/);
    expect(body.expires_at - body.created_at).toBe(DAY_SECONDS);
  });

  it('without a price is refused in live, and says how to set one', async () => {
    const { status, body } = await create(BODY, undefined, shop.account.live.s2sKey);
    expect([status, body.code]).toEqual([422, 'price_unknown']);
    expect(JSON.stringify(body)).toContain('PUT /s2s/v1/items');
  });

  it('has its id filled into both back URLs', async () => {
    const { body } = await create({
      ...BODY,
      back_to_game_url: 'mygame://done/{order_id}?again={order_id}',
      back_to_store_url: 'https://shop.example.com/{order_id}',
    });
    expect(await shop.readOrder(body.order_id)).toMatchObject({
      back_to_game_url: `mygame://done/${body.order_id}?again=${body.order_id}`,
      back_to_store_url: `https://shop.example.com/${body.order_id}`,
    });
  });

  it('lapses when it says, but never later than 24 h, and not in the past', async () => {
    const now = (await create(BODY)).body.created_at;
    expect((await create({ ...BODY, expires_at: now + 600 })).body.expires_at).toBe(now + 600);
    const long = (await create({ ...BODY, expires_at: now + 9 * DAY_SECONDS })).body;
    expect(long.expires_at - long.created_at).toBe(DAY_SECONDS);
    const past = await create({ ...BODY, expires_at: now - 10 });
    expect(past.body).toMatchObject({ code: 'validation_failed', errors: [{ pointer: '/expires_at' }] });
  });

  it('with the same sku twice has two lines (row 63)', async () => {
    const { body } = await create({ ...BODY, items: [{ sku: 'twin' }, { sku: 'twin', quantity: 2 }] });
    expect(body.amount).toBe(300);
    expect((await shop.readOrder(body.order_id)).items).toMatchObject([
      { sku: 'twin', quantity: 1 },
      { sku: 'twin', quantity: 2 },
    ]);
  });

  it('names unknown fields as warnings and is created all the same', async () => {
    const { status, body } = await create({ ...BODY, prize_decimal: 3, items: [{ sku: 'a', qty: 1 }] });
    expect(status).toBe(201);
    expect(body.warnings).toHaveLength(2);
    expect(JSON.stringify(body.warnings)).toContain('prize_decimal');
  });

  it('keeps every text as it was given (row 60)', async () => {
    const odd = ' 🎮 e\u0301 \u202eevil\u202c ';
    const { body } = await create({ player_id: odd, items: [{ sku: odd, name: odd }], metadata: { note: odd } });
    expect(await shop.readOrder(body.order_id)).toMatchObject({
      player_id: odd,
      items: [{ sku: odd, name: odd }],
      metadata: { note: odd },
    });
  });

  it('keeps what means something to JSON or to the database as it was given', async () => {
    const odd = `"quoted" \\ \\" {"a":1} null {} $1 ' ; \\u0041 \u0001\u2028`;
    const { body } = await create({
      player_id: odd,
      items: [{ sku: odd, name: odd }],
      metadata: { note: odd, [odd.slice(0, 20)]: 'null' },
      player: { name: odd, attributes: { note: odd, level: 1.5, isNew: true } },
    });
    expect(await shop.readOrder(body.order_id)).toMatchObject({
      player_id: odd,
      items: [{ sku: odd, name: odd }],
      metadata: { note: odd, [odd.slice(0, 20)]: 'null' },
    });
    const attributes = { note: odd, level: 1.5, isNew: true };
    expect(await player(encodeURIComponent(odd))).toMatchObject({ name: odd, attributes });
  });
});

describe('an idempotency key', () => {
  it('gives the same body the same answer, warnings and all, whatever became of the order (row 62)', async () => {
    const key = newId('req');
    const body = { ...BODY, player_id: key, color: 'red' };
    const first = await create(body, key);
    expect(first.headers.get('idempotency-replayed')).toBeNull();
    await shop.call('POST', `/s2s/v1/orders/${first.body.order_id}/cancel`, {});
    const second = await create(body, key);
    expect(second.status).toBe(201);
    expect(second.body).toEqual(first.body);
    expect(second.headers.get('idempotency-replayed')).toBe('true');
    expect(await countOrders(key)).toBe(1);
  });

  it('with another body is a conflict, and the first order stands (row 61)', async () => {
    const key = newId('req');
    await create({ ...BODY, player_id: key }, key);
    const other = await create({ ...BODY, player_id: key, price_decimal: 5, currency: 'USD' }, key);
    expect([other.status, other.body.code]).toEqual([409, 'idempotency_key_reused']);
    expect(await countOrders(key)).toBe(1);
  });

  it('used by fifty at once makes one order', async () => {
    const key = newId('req');
    const body = { ...BODY, player_id: key };
    const answers = await Promise.all(Array.from({ length: 50 }, () => create(body, key)));
    expect(new Set(answers.map(answer => answer.body.order_id)).size).toBe(1);
    expect(answers.filter(answer => answer.headers.get('idempotency-replayed') === null)).toHaveLength(1);
    expect(await countOrders(key)).toBe(1);
  });

  it('still gets its answer when the same request would now be refused', async () => {
    const key = newId('req');
    const body = { ...BODY, items: [{ sku: 'dear' }] };
    await shop.call(
      'PUT',
      '/s2s/v1/items/dear',
      { price_decimal: 2, currency: 'USD' },
      { key: shop.account.live.s2sKey },
    );
    const first = await create(body, key, shop.account.live.s2sKey);
    expect(first.body.amount).toBe(200);
    await shop.call('DELETE', '/s2s/v1/items/dear', undefined, { key: shop.account.live.s2sKey });
    expect((await create(body, key, shop.account.live.s2sKey)).body).toEqual(first.body);
  });

  it('of another environment is another key', async () => {
    const key = newId('req');
    const body = { ...BODY, player_id: key, price_decimal: 1, currency: 'USD' };
    const one = await create(body, key);
    const two = await create(body, key, shop.account.live.s2sKey);
    expect(two.status).toBe(201);
    expect(two.body.order_id).not.toBe(one.body.order_id);
  });

  it('that made no order because it was refused is free', async () => {
    const key = newId('req');
    expect((await create({ ...BODY, player_id: key, items: [] }, key)).status).toBe(422);
    expect((await create({ ...BODY, player_id: key }, key)).status).toBe(201);
  });

  it('is free again after 24 h, swept or not', async () => {
    const swept = newId('req');
    const unswept = newId('req');
    const first = await create({ ...BODY, player_id: swept }, swept);
    await create({ ...BODY, player_id: unswept }, unswept);
    await shop.database.advance(DAY_SECONDS + 1);
    expect((await create({ ...BODY, player_id: unswept, email: 'other@example.com' }, unswept)).status).toBe(201);
    await shop.later(0);
    const again = await create({ ...BODY, player_id: swept }, swept);
    expect(again.body.order_id).not.toBe(first.body.order_id);
    expect(await countOrders(swept)).toBe(2);
  });
});

describe('many orders at once', () => {
  it('are all created, each with its own answer, although they share statements', async () => {
    const orders = await Promise.all(
      Array.from({ length: 60 }, (_, i) =>
        create({
          player_id: `crowd_${i % 7}`,
          items: [{ sku: `s${i % 5}`, name: `Name ${i}` }],
          metadata: { n: String(i) },
        }),
      ),
    );
    expect(new Set(orders.map(answer => answer.body.order_id)).size).toBe(60);
    for (const [i, { body }] of orders.entries()) {
      expect(await shop.readOrder(body.order_id)).toMatchObject({
        player_id: `crowd_${i % 7}`,
        metadata: { n: String(i) },
      });
    }
  });
});

describe('what an order teaches', () => {
  it('are names and, where none is known, prices; what was put in the catalog wins', async () => {
    await create({ ...BODY, items: [{ sku: 'sword', name: 'Sword', price_decimal: 4, currency: 'USD' }] });
    expect(await item('sword')).toMatchObject({ name: 'Sword', price_decimal: 4, currency: 'USD' });
    await create({ ...BODY, items: [{ sku: 'sword', name: 'Great sword', price_decimal: 9, currency: 'USD' }] });
    expect(await item('sword')).toMatchObject({ name: 'Great sword', price_decimal: 4 });
    await shop.call('PUT', '/s2s/v1/items/sword', { name: 'Blade', price_decimal: 6, currency: 'EUR' });
    expect((await create({ ...BODY, items: [{ sku: 'sword' }] })).body).toMatchObject({ amount: 600, currency: 'EUR' });
    await create({ ...BODY, items: [{ sku: 'sword', price_decimal: 1, currency: 'USD' }] });
    expect(await item('sword')).toMatchObject({ name: 'Blade', price_decimal: 6, currency: 'EUR' });
  });

  it('is not the price of the whole order nor the sandbox default', async () => {
    await create({ ...BODY, items: [{ sku: 'unpriced' }], price_decimal: 50, currency: 'USD' });
    await create({ ...BODY, items: [{ sku: 'unpriced' }] });
    expect(await item('unpriced')).toMatchObject({ price_decimal: null, currency: null });
  });

  it('of a player adds up, and says nothing to what it leaves out', async () => {
    await create({ ...BODY, player_id: 'ada', email: 'ada@example.com', player: { name: 'Ada' } });
    await create({ ...BODY, player_id: 'ada', player: { attributes: { level: 3 } } });
    expect(await player('ada')).toMatchObject({ name: 'Ada', attributes: { level: 3 } });
    await create({ ...BODY, player_id: 'ada', player: { name: 'Ada L.' } });
    expect(await player('ada')).toMatchObject({ name: 'Ada L.', attributes: { level: 3 } });
  });

  it('in a crowd that says the same is learned once, and in each environment', async () => {
    const body = { ...BODY, price_decimal: 1, currency: 'USD', items: [{ sku: 'crowded', name: 'Crowded' }] };
    const keys = [shop.account.sandbox.s2sKey, shop.account.live.s2sKey];
    await Promise.all(
      Array.from({ length: 40 }, (_, i) => create(body, i % 5 ? undefined : newId('req'), keys[i % 2])),
    );
    for (const key of keys) {
      const { body: found } = await shop.call<Item>('GET', '/s2s/v1/items/crowded', undefined, { key });
      expect(found).toMatchObject({ name: 'Crowded' });
    }
  });

  it('is nothing when the request is a repeated one, whichever calls share its batch', async () => {
    const key = newId('req');
    const named = { ...BODY, items: [{ sku: 'renamed', name: 'Old name' }] };
    await create(named, key);
    await shop.call('PUT', '/s2s/v1/items/renamed', { name: 'New name' });
    await Promise.all([create(named, key), create({ ...BODY, items: [{ sku: 'renamed' }] }), create(named, key)]);
    expect(await item('renamed')).toMatchObject({ name: 'New name' });
  });

  it('changes at once: whatever is asked for after a price was set has that price', async () => {
    const asked = { player_id: 'p', items: [{ sku: 'moving_price' }] };
    for (const price of [1, 2, 3]) {
      await shop.call('PUT', '/s2s/v1/items/moving_price', { name: 'Moving', price_decimal: price, currency: 'EUR' });
      const made = await Promise.all(Array.from({ length: 30 }, () => create(asked)));
      expect(new Set(made.map(({ body }) => body.amount))).toEqual(new Set([price * 100]));
    }
  });

  it('stays in its environment', async () => {
    await create({ ...BODY, player_id: 'sandbox_only', items: [{ sku: 'sandbox_only' }] });
    const options = { key: shop.account.live.s2sKey };
    expect((await shop.call('GET', '/s2s/v1/items/sandbox_only', undefined, options)).status).toBe(404);
    expect((await shop.call('GET', '/s2s/v1/players/sandbox_only', undefined, options)).status).toBe(404);
  });
});
