import type { ServerResponse } from 'node:http';
import type { Game } from '@coinslot/testing/game-receiver';
import { badLine, itemDeliveries } from '@coinslot/testing/order-rows';
import type { TestProgram } from '@coinslot/testing/program';
import { kindsAsked, payAnOrder, type ShopOnBadLine, startOnBadLine } from '@coinslot/testing/shop-on-bad-line';
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { sql } from '../../../db/sql.ts';

let shop: TestProgram;
let game: Game;
let hook: ShopOnBadLine['hook'];

beforeAll(async () => {
  ({ shop, game, hook } = await startOnBadLine(badLine()));
});

afterEach(() => game.answerAlways(null));

afterAll(async () => {
  await game?.close();
  await shop?.close();
});

const removalOf = (orderId: string) =>
  game.requests.find(({ body }) => body?.event_type === 'item.remove' && body.event_data.order_id === orderId)!.body!;

async function refund(orderId: string): Promise<void> {
  expect((await shop.call('POST', `/s2s/v1/orders/${orderId}/refund`, {})).status).toBe(200);
}

async function settled(): Promise<void> {
  await shop.program.parts.background.settle();
  await shop.later(0);
}

describe('an `item.remove` says whether the game ever said yes', () => {
  it('when it did (row 161)', async () => {
    const orderId = await payAnOrder(shop);
    await refund(orderId);
    await settled();
    expect(removalOf(orderId).event_data).toMatchObject({ grant: 'confirmed' });
  });

  it('when it failed (row 161)', async () => {
    game.answer({ status: 503 });
    const orderId = await payAnOrder(shop);
    await refund(orderId);
    await settled();
    expect(removalOf(orderId).event_data).toMatchObject({ grant: 'unknown' });
  });

  it.each([
    [200, 'confirmed', false],
    [200, 'confirmed', true],
    [500, 'unknown', false],
  ])(
    'when it answered %i after the refund was asked for: %s (row 161)',
    async (status, grant, player_context_enabled) => {
      await hook({ player_context_enabled });
      const waiting: ServerResponse[] = [];
      game.answerAlways((_, response) => void waiting.push(response));
      const order = await shop.createOrder({ metadata: { grant: 'unknown' } });
      const paying = shop.pay(order.checkout_url);
      await vi.waitFor(() => expect(waiting).toHaveLength(1), { timeout: 60_000 });
      await refund(order.order_id);
      game.answerAlways(null);
      waiting[0]!.writeHead(status).end();
      await paying;
      await settled();
      expect(kindsAsked(game, order.order_id)).toEqual(['item.add', 'item.remove']);
      expect(removalOf(order.order_id).event_data).toMatchObject({ grant, metadata: { grant: 'unknown' } });
    },
  );
});

it('a question that a worker takes at the moment of the refund is not withdrawn: the removal waits behind it (row 185)', async () => {
  game.answer({ status: 503 });
  const orderId = await payAnOrder(shop);
  await shop.program.parts.background.settle();
  let refunded: Promise<void> | undefined;
  await shop.database.db.transaction(async tx => {
    await tx.execute(sql('t_take')`
      update deliveries set claim_id = 'job_test', claimed_until = app_now() + interval '30 seconds', attempts_made = attempts_made + 1
      where order_id = ${orderId} and lane = 'items' and event_type = 'item.add'`);
    refunded = refund(orderId);
    const isWaiting = () => tx.queryAny(sql('t_waits')`select 1 from pg_locks where not granted`);
    await expect.poll(isWaiting).toBe(true);
  });
  await refunded;
  expect(await itemDeliveries(shop.database.db, orderId)).toMatchObject([
    { kind: 'item.add', status: 'pending' },
    { kind: 'item.remove', status: 'blocked' },
  ]);
  // The worker died, and its lease is over: the game is not asked again, and removes what it may have granted.
  const asked = kindsAsked(game, orderId).length;
  await shop.later(60);
  expect(kindsAsked(game, orderId).slice(asked)).toEqual(['item.remove']);
  expect(await itemDeliveries(shop.database.db, orderId)).toMatchObject([
    { kind: 'item.add', status: 'canceled' },
    { kind: 'item.remove', status: 'succeeded' },
  ]);
});
