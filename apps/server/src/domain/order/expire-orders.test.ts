import { startGame } from '@coinslot/testing/game-receiver';
import { startProgram, type TestProgram } from '@coinslot/testing/program';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { sql } from '../../db/sql.ts';

let shop: TestProgram;

const DAY_SECONDS = 86_400;
const storedStatus = async (orderId: string) => {
  const [row] = await shop.database.db.query<{ status: string }>(sql('test_stored_status')`
    select status from orders where id = ${orderId}`);
  return row!.status;
};
const cancel = (orderId: string) => shop.call('POST', `/s2s/v1/orders/${orderId}/cancel`, {});

beforeAll(async () => {
  shop = await startProgram({ workers: false });
});

afterAll(() => shop?.close());

describe('an order whose time is over', () => {
  it('reads as expired everywhere before the sweep has come by', async () => {
    const { order_id: orderId, checkout_url: url } = await shop.createOrder({ player_id: 'reader' });
    await shop.database.advance(DAY_SECONDS);
    expect(await storedStatus(orderId)).toBe('created');
    expect(await shop.readOrder(orderId)).toMatchObject({ status: 'expired' });
    const listed = await shop.call<{ data: { order_id: string }[] }>(
      'GET',
      '/s2s/v1/orders?player_id=reader&status=expired',
    );
    expect(listed.body.data).toMatchObject([{ order_id: orderId, status: 'expired' }]);
    const created = await shop.call('GET', '/s2s/v1/orders?player_id=reader&status=created');
    expect(created.body.data).toEqual([]);
    expect((await cancel(orderId)).body).toMatchObject({ code: 'order_wrong_status' });
    const status = await fetch(`${url}/status?version=-1`);
    expect(await status.json()).toMatchObject({ state: 'expired' });
  });

  it('stays expired when the clock is set back (row 84)', async () => {
    const { order_id: orderId, checkout_url: url } = await shop.createOrder({ player_id: 'traveler' });
    await shop.later(DAY_SECONDS);
    await shop.later(-DAY_SECONDS);
    expect(await shop.readOrder(orderId)).toMatchObject({ status: 'expired' });
    await shop.pay(url);
    expect(await shop.readOrder(orderId)).toMatchObject({ status: 'expired', payment_id: null });
  });

  it('is swept by the database’s clock, however many there are, and emitted once', async () => {
    const game = await startGame();
    game.answerAlways({ status: 200 });
    const hook = await shop.call<{ id: string }>('POST', '/s2s/v1/webhooks', {
      url: game.url,
      events: ['order.expired'],
    });
    expect(hook.status).toBe(201);
    const orders = await Promise.all(Array.from({ length: 205 }, () => shop.createOrder({ player_id: 'crowd' })));
    await shop.later(DAY_SECONDS - 60);
    expect(await storedStatus(orders[0]!.order_id)).toBe('created');
    await shop.later(61);
    const [rows] = await shop.database.db.query<{ expired: number; events: number }>(sql('test_expired')`
      select (select count(*)::int from orders where player_id = 'crowd' and status = 'expired') as expired,
             (select count(*)::int from deliveries d join orders o on o.environment_id = d.environment_id and o.id = d.order_id
              where d.subscription_id = ${hook.body.id} and o.player_id = 'crowd') as events`);
    expect(rows).toEqual({ expired: 205, events: 205 });
    await shop.later(DAY_SECONDS);
    const received = game.requests.filter(request => request.body?.event_data.player_id === 'crowd');
    expect(received).toHaveLength(205);
    await shop.call('DELETE', `/s2s/v1/webhooks/${hook.body.id}`);
    await game.close();
  });

  it('by its own wish lapses then, not a day later', async () => {
    const now = shop.program.parts.clock.nowSeconds();
    const { order_id: orderId } = await shop.createOrder({ expires_at: now + 600 });
    await shop.later(590);
    expect(await shop.readOrder(orderId)).toMatchObject({ status: 'created' });
    await shop.later(20);
    expect(await storedStatus(orderId)).toBe('expired');
  });
});

describe('the sweep', () => {
  it('reads the index of what lapses next and no live order', async () => {
    await Promise.all(Array.from({ length: 50 }, () => shop.createOrder()));
    const plan = await shop.database.db.transaction(async tx => {
      await tx.query({ name: '', text: 'analyze orders', values: [] });
      // On a table this small the planner may as well read all of it and sort.
      for (const way of ['seqscan', 'bitmapscan', 'sort'])
        await tx.query({ name: '', text: `set local enable_${way} = off`, values: [] });
      return tx.query<{ 'QUERY PLAN': string }>({
        name: '',
        text: `explain (analyze, costs off, timing off, summary off) select id from orders
               where stage = 'open' and status = 'created' and expires_at <= app_now() order by expires_at limit 200 for update skip locked`,
        values: [],
      });
    });
    const text = plan.map(row => row['QUERY PLAN']).join('\n');
    expect(text).toContain('Index Scan using orders_by_expiry');
    expect(text).not.toContain('Rows Removed');
    expect(text).not.toContain('Sort');
  });
});

describe('a cancel', () => {
  it('ends an order that waits for its player; a second one changes nothing', async () => {
    const { order_id: orderId, checkout_url: url } = await shop.createOrder();
    expect((await cancel(orderId)).body).toMatchObject({ status: 'canceled' });
    expect((await cancel(orderId)).status).toBe(200);
    await shop.pay(url);
    expect(await shop.readOrder(orderId)).toMatchObject({ status: 'canceled' });
    await shop.later(2 * DAY_SECONDS);
    expect(await shop.readOrder(orderId)).toMatchObject({ status: 'canceled' });
  });

  it('and a payment at the same time: one wins, never both', async () => {
    for (let i = 0; i < 5; i++) {
      const { order_id: orderId, checkout_url: url } = await shop.createOrder();
      const [canceled] = await Promise.all([cancel(orderId), shop.pay(url)]);
      const order = await shop.readOrder(orderId);
      expect(order.status).toBe(canceled.status === 200 ? 'canceled' : 'authorized');
      expect(order.payment_id === null).toBe(canceled.status === 200);
    }
  });

  it('of an order that is being paid or is not there is refused', async () => {
    const { order_id: orderId, checkout_url: url } = await shop.createOrder();
    await shop.pay(url);
    expect((await cancel(orderId)).body).toMatchObject({ code: 'order_wrong_status' });
    expect((await cancel('ord_00000000000000000000000000')).body).toMatchObject({ code: 'order_not_found' });
  });
});
