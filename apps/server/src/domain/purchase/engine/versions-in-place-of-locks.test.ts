import { type Game, startGame } from '@coinslot/testing/game-receiver';
import { moneyMoved } from '@coinslot/testing/order-rows';
import { startProgram, type TestProgram } from '@coinslot/testing/program';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { sql } from '../../../db/sql.ts';
import { LEASE_SECONDS } from '../table/purchase-table.ts';

let shop: TestProgram;
let game: Game;
/** Runs when the provider has the money and has not said so yet. */
let onAuthorized: () => Promise<void>;
/** Runs before the provider is asked to capture. */
let onCapture: () => void = () => {};

beforeAll(async () => {
  shop = await startProgram({
    replace: parts => ({
      ...parts,
      simulator: {
        ...parts.simulator,
        authorize: async request => {
          const charge = await parts.simulator.authorize(request);
          await onAuthorized();
          return charge;
        },
        capture: async charge => {
          onCapture();
          return parts.simulator.capture(charge);
        },
      },
    }),
  });
  game = await startGame();
  await shop.call('POST', '/s2s/v1/webhooks', { url: game.url, events: ['item.add', 'item.remove'] });
});

afterAll(async () => {
  await shop?.close();
  await game?.close();
});

const sentFor = (orderId: string) => game.requests.filter(({ body }) => body?.event_data.order_id === orderId);

describe('a step that found its purchase changed since it was saved', () => {
  it('writes nothing, and is done again under the lock (row 217)', async () => {
    const { order_id, checkout_url } = await shop.createOrder();
    onAuthorized = () =>
      shop.database.db.execute(sql('t_touch')`update orders set version = version + 1 where id = ${order_id}`);
    await shop.pay(checkout_url);
    await shop.later(0);
    expect(await shop.readOrder(order_id)).toMatchObject({ status: 'paid' });
    expect(await moneyMoved(shop.database.db, order_id)).toEqual(['authorized', 'captured']);
    expect(sentFor(order_id)).toHaveLength(1);
  });

  it('and where another process has the delivery, its answer changes nothing (row 217)', async () => {
    const { order_id, checkout_url } = await shop.createOrder();
    onAuthorized = async () => {};
    const take = sql('t_take')`update deliveries set claim_id = 'another',
      claimed_until = app_now() + interval '20 seconds' where order_id = ${order_id}`;
    game.answer((_request, response) => {
      void shop.database.db.execute(take).then(() => response.writeHead(200).end());
    });
    await shop.pay(checkout_url);
    expect(await shop.readOrder(order_id)).toMatchObject({ status: 'authorized' });
    await shop.later(60);
    expect(await shop.readOrder(order_id)).toMatchObject({ status: 'paid' });
    expect(sentFor(order_id)).toHaveLength(2);
    expect(await moneyMoved(shop.database.db, order_id)).toEqual(['authorized', 'captured']);
  });

  it('and one whose payment was looked at while the game was asked leaves a date, so that a worker captures if its process dies (row 293)', async () => {
    const { order_id, checkout_url } = await shop.createOrder();
    onAuthorized = async () => {};
    // As a worker does that finds the payment due and nothing to do before the game has answered.
    const look = sql('t_look')`update payments set next_check_at = null where order_id = ${order_id}`;
    game.answer((_request, response) => {
      void shop.database.db.execute(look).then(() => response.writeHead(200).end());
    });
    onCapture = () => {
      onCapture = () => {};
      throw new Error('the process is gone');
    };
    await shop.pay(checkout_url);
    expect(await shop.readOrder(order_id)).toMatchObject({ status: 'authorized', granted_at: expect.any(Number) });
    await shop.later(LEASE_SECONDS + 1);
    expect(await shop.readOrder(order_id)).toMatchObject({ status: 'paid' });
    expect(await moneyMoved(shop.database.db, order_id)).toEqual(['authorized', 'captured']);
    expect(sentFor(order_id)).toHaveLength(1);
  });
});
