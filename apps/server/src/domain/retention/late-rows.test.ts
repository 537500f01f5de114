import type { Delivery } from '@coinslot/contract';
import { type Game, startGame } from '@coinslot/testing/game-receiver';
import { startProgram, type TestProgram } from '@coinslot/testing/program';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

const DAY = 86_400;
const PARENTS = ['events', 'deliveries_observer', 'delivery_attempts'];

let shop: TestProgram;
let game: Game;

const count = async (from: string): Promise<number> => {
  const text = `select count(1)::int as count from ${from}`;
  const [row] = await shop.database.db.query<{ count: number }>({ name: '', text, values: [] });
  return row!.count;
};

const restRows = () => Promise.all(PARENTS.map(parent => count(`${parent}_rest`)));

/** Of this month and the next. */
const monthsMade = (parent: string): Promise<number> =>
  count(`generate_series(0, 1) n where to_regclass('${parent}_' || to_char(
    (app_now() at time zone 'utc') + n * interval '1 month', 'YYYYMM')) is not null`);

const attemptsOf = async (orderId: string): Promise<Delivery['attempts']> => {
  const { body } = await shop.call<{ data: Delivery[] }>('GET', `/s2s/v1/deliveries?order_id=${orderId}`);
  return body.data.find(one => one.event_type === 'item.add')!.attempts;
};

const buy = async (): Promise<string> => {
  const { order_id, checkout_url } = await shop.createOrder();
  await shop.pay(checkout_url);
  await shop.until(order_id, 'paid');
  return order_id;
};

beforeAll(async () => {
  shop = await startProgram({ workers: false });
  game = await startGame();
  game.answerAlways({ status: 200 });
  const body = { url: game.url, events: ['item.add', 'order.*'], description: 'all', method: 'POST' };
  await shop.call('POST', '/s2s/v1/webhooks', body);
}, 120_000);

afterAll(async () => {
  await shop?.close();
  await game?.close();
});

describe('what has no month of its own', { timeout: 120_000 }, () => {
  it('is moved into its month as soon as there is one, and every later month is made (row 128)', async () => {
    // No worker ran for months, so this month is not made when its first order comes.
    await shop.database.advance(100 * DAY);
    await shop.program.parts.clock.refresh();
    const orderId = await buy();
    expect((await restRows())[0]).toBeGreaterThan(0);
    const before = await count('events');

    await shop.later(1);
    expect(await restRows()).toEqual([0, 0, 0]);
    expect(await count('events')).toBe(before);
    const { body } = await shop.call<{ data: unknown[] }>('GET', `/s2s/v1/deliveries?order_id=${orderId}`);
    expect(body.data).toHaveLength(3);

    await shop.later(25 * DAY);
    expect(await Promise.all(PARENTS.map(monthsMade))).toEqual([2, 2, 2]);
  });

  it('goes after its time like the rest: an item that was sent long after its month is no attempt for ever', async () => {
    await shop.later(130 * DAY);
    // Ids are made by the machine's own clock, whose month is gone by now.
    const orderId = await buy();
    await shop.later(1);
    expect((await attemptsOf(orderId))[0]).toMatchObject({ status: 200 });
    const late = (await restRows())[2];
    expect(late).toBeGreaterThan(0);
    await shop.later(80 * DAY);
    expect((await restRows())[2]).toBe(late);
    await shop.later(20 * DAY);
    expect((await restRows())[2]).toBe(0);
  });
});
