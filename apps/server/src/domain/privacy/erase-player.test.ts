import type { ErasedPlayer, Order } from '@coinslot/contract';
import type { Game } from '@coinslot/testing/game-receiver';
import { badLine, itemDeliveries, paymentRows } from '@coinslot/testing/order-rows';
import type { TestProgram } from '@coinslot/testing/program';
import { disputeIn } from '@coinslot/testing/purchase-samples';
import { kindsAsked, type ShopOnBadLine, startOnBadLine } from '@coinslot/testing/shop-on-bad-line';
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest';
import { lockPosition } from '../../db/read-numbered.sql.ts';
import { sql } from '../../db/statement.ts';
import { syncPayment } from '../purchase/engine/sync-payment.ts';
import { PLAYERS_READER } from '../reporting/roll-ups/roll-up-players.ts';

/** The sessions that wait for the end of the transaction that asks. */
const WAITING = `select pid from pg_locks
  where not granted and locktype = 'transactionid' and transactionid = pg_current_xact_id()::xid`;

let shop: TestProgram;
let game: Game;
let hook: ShopOnBadLine['hook'];
const line = badLine();

const erase = (player: string) =>
  shop.call<ErasedPlayer & { detail: string }>('DELETE', `/s2s/v1/players/${encodeURIComponent(player)}`);
const query = (text: string): Promise<{ line: string }[]> => shop.database.db.query({ name: '', text, values: [] });

async function buy(player: string): Promise<string> {
  const order = await shop.createOrder({ player_id: player });
  await shop.pay(order.checkout_url);
  // While the game of other tests fails, what is new goes to it by a worker.
  await shop.later(0);
  return order.order_id;
}

beforeAll(async () => {
  ({ shop, game, hook } = await startOnBadLine(line));
});

afterEach(async () => {
  game.answerAlways(null);
  line.gateway().behave();
  await hook({ enabled: true });
});

afterAll(async () => {
  await game?.close();
  await shop?.close();
});

it('erasing a player cancels what waits for the player, and a creation that is repeated finds it (row 150)', async () => {
  const body = { player_id: 'leaver', items: [{ sku: 'sword' }] };
  const headers = { 'idempotency-key': 'leaver-1' };
  const create = () => shop.call<Order>('POST', '/s2s/v1/orders', body, { headers });
  const { order_id: orderId } = (await create()).body;
  expect(await erase('leaver')).toMatchObject({ status: 200, body: { orders: 1, canceled_orders: 1 } });
  expect(await shop.readOrder(orderId)).toMatchObject({ status: 'canceled' });
  expect((await create()).body.order_id).toBe(orderId);
  const emitted = await query(`select data::text as line from events where order_id = '${orderId}'`);
  expect(emitted.filter(({ line: data }) => data.includes('leaver'))).toEqual([]);
});

it('waits for what is under way, and says what that is and by when it ends (row 150)', async () => {
  game.answerAlways({ status: 500 });
  const first = await buy('busy');
  const second = await buy('busy');
  const refused = await erase('busy');
  expect(refused).toMatchObject({ status: 409, body: { code: 'order_wrong_status' } });
  for (const id of [first, second]) expect(refused.body.detail).toContain(`order ${id} (authorized, ends by 20`);
});

it('waits for a bank that questions what was refunded (row 150)', async () => {
  const orderId = await buy('questioned');
  await shop.call('POST', `/s2s/v1/orders/${orderId}/refund`, {});
  await shop.program.parts.background.settle();
  const { environmentId } = shop.account.sandbox;
  const paymentId = (await paymentRows(shop.database.db, orderId)).at(-1)!.id;
  line.gateway().pretend(paymentId, { disputes: [disputeIn('open')] });
  await syncPayment(shop.program.purchasing, { environmentId, paymentId });
  expect((await erase('questioned')).body.detail).toContain(`payment ${paymentId} (questioned by the bank`);
  line.gateway().pretend(paymentId, { disputes: [disputeIn('won')] });
  await syncPayment(shop.program.purchasing, { environmentId, paymentId });
  expect((await erase('questioned')).status).toBe(200);
});

it('leaves a waiting `item.remove` the player’s id until the game has accepted it (row 150)', async () => {
  const orderId = await buy('refunded-hero');
  await hook({ enabled: false });
  await shop.call('POST', `/s2s/v1/orders/${orderId}/refund`, {});
  await shop.program.parts.background.settle();
  expect((await itemDeliveries(shop.database.db, orderId)).at(-1)).toMatchObject({ status: 'held' });
  expect(await erase('refunded-hero')).toMatchObject({ status: 200, body: { orders: 1, waiting_deliveries: 1 } });
  const traces = () => query(`select row_to_json(d)::text as line from deliveries d where body like '%refunded-hero%'`);
  expect(await traces()).toHaveLength(1);
  // Orders of other tests may be asked about at the same time.
  game.answerAlways({ status: 503 });
  await hook({ enabled: true });
  await shop.later(0);
  expect(await traces()).toHaveLength(1);
  game.answerAlways(null);
  await shop.later(10);
  const removal = game.requests.findLast(
    ({ body }) => body?.event_type === 'item.remove' && body.event_data.order_id === orderId,
  );
  expect(removal?.body).toMatchObject({ event_data: { player_id: 'refunded-hero', grant: 'confirmed' } });
  expect((await itemDeliveries(shop.database.db, orderId)).at(-1)).toMatchObject({ status: 'succeeded' });
  expect(await traces()).toEqual([]);
});

it('sends nothing again of an erased player: neither a replay nor a retry could send what the game knows (row 164)', async () => {
  const orderId = await buy('replayed');
  expect((await erase('replayed')).status).toBe(200);
  const { data } = (await shop.call<{ data: { id: string }[] }>('GET', '/s2s/v1/webhooks')).body;
  expect((await shop.call('POST', `/s2s/v1/webhooks/${data[0]!.id}/replay`, { since: 0 })).status).toBe(202);
  await shop.later(10);
  expect(kindsAsked(game, orderId)).toEqual(['item.add']);
  const sent = await shop.call<{ data: { id: string }[] }>('GET', `/s2s/v1/deliveries?order_id=${orderId}`);
  const { id } = sent.body.data.at(-1)!;
  const retried = await shop.call('POST', `/s2s/v1/deliveries/${id}/retry`, {});
  expect(retried).toMatchObject({ status: 409, body: { code: 'delivery_not_retryable' } });
  expect(await shop.readOrder(orderId)).toMatchObject({ status: 'paid' });
});

it('leaves nothing to find the player by that a reader had read before and wrote after (row 191)', async () => {
  await buy('found');
  const { environmentId } = shop.account.sandbox;
  let erasing: Promise<unknown> | undefined;
  await shop.database.db.transaction(async tx => {
    // As the reader does: it has its position, has read the player's name, and has not committed yet.
    await lockPosition(tx, PLAYERS_READER);
    await tx.execute(sql('t_found')`
      insert into search_entries (environment_id, kind, term, id) values (${environmentId}, 'name', 'sir found', 'found')`);
    erasing = erase('found');
    await expect.poll(() => tx.query({ name: '', text: WAITING, values: [] })).not.toEqual([]);
  });
  expect(await erasing).toMatchObject({ status: 200 });
  expect(await query(`select term as line from search_entries where id = 'found'`)).toEqual([]);
});
