import { type Game, startGame } from '@coinslot/testing/game-receiver';
import { itemDeliveries, moneyMoved, paymentRows } from '@coinslot/testing/order-rows';
import { startProgram, type TestProgram } from '@coinslot/testing/program';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { LEASE_SECONDS } from '../table/purchase-table.ts';
import { DELIVERY_LEASE_SECONDS } from './queue-item-event.ts';

let shop: TestProgram;
let game: Game;

const asked = (orderId: string) => game.requests.filter(request => request.body?.event_data.order_id === orderId);
const statement = (text: string) => shop.database.db.query({ name: '', text, values: [] });

/** Every insert into the table fails, as on a full disk. */
async function whileFull(table: string, work: () => Promise<unknown>): Promise<void> {
  await statement(`create trigger no_room before insert on ${table} for each row execute function no_room()`);
  try {
    await work();
  } finally {
    await statement(`drop trigger no_room on ${table}`);
  }
}

beforeAll(async () => {
  shop = await startProgram({ workers: false });
  game = await startGame({ secret: shop.account.sandbox.s2sKey });
  await shop.call('POST', '/s2s/v1/webhooks', { url: game.url, events: ['item.add', 'item.remove'] });
  await statement(`create function no_room() returns trigger language plpgsql as
    'begin raise exception using errcode = ''53100'', message = ''could not extend file''; end'`);
});

afterEach(() => game.answerAlways(null));

afterAll(async () => {
  await game?.close();
  await shop?.close();
});

describe('a reservation whose question to the game cannot be written', () => {
  it('is not recorded either, and both are made good when there is room again (row 4)', async () => {
    const { db } = shop.database;
    const { order_id: orderId, checkout_url: url } = await shop.createOrder();
    await whileFull('deliveries', () => shop.pay(url));
    expect(await shop.readOrder(orderId)).toMatchObject({ status: 'pending' });
    expect(await paymentRows(db, orderId)).toMatchObject([{ status: 'pending' }]);
    expect([await itemDeliveries(db, orderId), await moneyMoved(db, orderId)]).toEqual([[], ['authorized']]);
    await shop.later(LEASE_SECONDS + 1);
    expect(await shop.readOrder(orderId)).toMatchObject({ status: 'paid' });
    expect(await moneyMoved(db, orderId)).toEqual(['authorized', 'captured']);
    expect(asked(orderId)).toHaveLength(1);
  });
});

describe('an attempt that cannot be written', () => {
  it.each([200, 500])(
    'leaves no trace of its outcome (%i): the same question goes out when the lease is over (row 16)',
    async status => {
      const { db } = shop.database;
      const { order_id: orderId, checkout_url: url } = await shop.createOrder();
      game.answer({ status });
      await whileFull('delivery_attempts', () => shop.pay(url));
      expect(await shop.readOrder(orderId)).toMatchObject({ status: 'authorized', granted_at: null });
      const [delivery] = await itemDeliveries(db, orderId);
      expect(delivery).toMatchObject({ status: 'pending', lastError: null });
      expect(delivery!.dueInSeconds).toBeGreaterThan(DELIVERY_LEASE_SECONDS / 2);
      await shop.later(DELIVERY_LEASE_SECONDS + 1);
      expect(await shop.readOrder(orderId)).toMatchObject({ status: 'paid' });
      expect(await moneyMoved(db, orderId)).toEqual(['authorized', 'captured']);
      expect(new Set(asked(orderId).map(request => request.rawBody)).size).toBe(1);
      expect(asked(orderId)).toHaveLength(2);
    },
  );
});
