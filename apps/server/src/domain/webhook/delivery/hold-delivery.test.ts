import type { Webhook } from '@coinslot/contract';
import { type Game, startGame } from '@coinslot/testing/game-receiver';
import { gate } from '@coinslot/testing/gate';
import { type Laptop, openLaptop } from '@coinslot/testing/laptop';
import { startProgram, type TestProgram } from '@coinslot/testing/program';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import type { Db } from '../../../db/db.ts';
import { type Statement, sql } from '../../../db/sql.ts';
import { findTarget } from '../endpoints/delivery-target.sql.ts';
import { fanOut } from '../fan-out/fan-out.ts';
import { claimDeliveries } from './claim-deliveries.sql.ts';
import { createOutcomeRecorder, deliverObserver } from './deliver-observer.ts';
import type { Delivery } from './delivery.sql.ts';

const PAID = ['order.created', 'payment.pending', 'payment.authorized', 'payment.succeeded', 'order.paid'];
const ITEMS = ['item.add', 'item.remove'];
const CAPACITY = { limit: 64, perEndpoint: 64, inFlight: new Map<string, number>(), from: '' };

let shop: TestProgram;
let items: Game;
let watcher: Game;
let itemsHook: string;
let hookId: string;
const opened: (Game | Laptop)[] = [];

beforeAll(async () => {
  shop = await startProgram({ workers: false, replace: parts => ({ ...parts, random: () => 0.5 }) });
  [items, watcher] = [await startGame(), await startGame()];
  items.answerAlways({ status: 200 });
  watcher.answerAlways({ status: 200 });
  itemsHook = await subscribe(items.url, ITEMS);
  hookId = await subscribe(watcher.url, ['order.*', 'payment.*']);
});

afterEach(async () => {
  for (const one of opened.splice(0)) await one.close();
  await patch(itemsHook, { enabled: true, url: items.url });
  await patch(hookId, { enabled: true, url: watcher.url });
  await shop.later(0);
});

afterAll(async () => {
  await items?.close();
  await watcher?.close();
  await shop?.close();
});

const subscribe = async (url: string, events: string[]) =>
  (await shop.call<Webhook>('POST', '/s2s/v1/webhooks', { url, events })).body.id;
const patch = (id: string, changes: object) => shop.call<Webhook>('PATCH', `/s2s/v1/webhooks/${id}`, changes);
const read = async (id: string) => (await shop.call<Webhook>('GET', `/s2s/v1/webhooks/${id}`)).body;
const kindsAt = (game: Game, orderId: string) =>
  game.requests.filter(({ body }) => body?.event_data.order_id === orderId).map(({ body }) => body!.event_type);

async function payAnOrder(): Promise<string> {
  const order = await shop.createOrder();
  await shop.pay(order.checkout_url);
  return order.order_id;
}

async function otherGame(): Promise<Game> {
  const other = await startGame();
  other.answerAlways({ status: 200 });
  opened.push(other);
  return other;
}

const heldBy = (id: string): Promise<{ id: string }[]> =>
  shop.database.db.query(sql('test_held')`select id from deliveries where subscription_id = ${id} and status = 'held'`);

async function waitsForALock(): Promise<void> {
  const waiting = (): Promise<unknown[]> =>
    shop.database.db.query(sql('test_waiting')`
      select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`);
  await expect.poll(async () => (await waiting()).length, { interval: 10 }).toBeGreaterThan(0);
}

/** The fan-out, and in its midst, when it has read the subscriptions, a call that changes one of them. */
async function fanOutDuring(change: () => Promise<unknown>): Promise<void> {
  const { db, signals } = shop.program.parts;
  let changing: Promise<unknown> | undefined;
  const transaction: Db['transaction'] = work =>
    db.transaction(tx =>
      work({
        ...tx,
        async query<Row>(statement: Statement) {
          const rows = await tx.query<Row>(statement);
          if (statement.name !== 'webhook_list_observers' || changing) return rows;
          changing = change();
          await Promise.race([changing, waitsForALock()]);
          return rows;
        },
      }),
    );
  await fanOut({ db: { ...db, transaction }, signals });
  await changing;
}

describe('a subscription that changes while its events are fanned out', () => {
  it('and is enabled gets all of them, in order (row 101)', async () => {
    await patch(hookId, { enabled: false });
    const orderId = await payAnOrder();
    await fanOutDuring(() => patch(hookId, { enabled: true }));
    await shop.later(0);
    expect(await heldBy(hookId)).toEqual([]);
    expect(kindsAt(watcher, orderId)).toEqual(PAID);
  });

  it('and is deleted leaves no delivery that waits for it', async () => {
    const id = await subscribe(watcher.url, ['order.paid']);
    await patch(id, { enabled: false });
    await payAnOrder();
    await fanOutDuring(() => shop.call('DELETE', `/s2s/v1/webhooks/${id}`));
    expect(await heldBy(id)).toEqual([]);
  });
});

describe('a 410', () => {
  it('is recorded with what it disables: enabled at once again, the subscription gets its event (row 101)', async () => {
    const order = await shop.createOrder();
    const { db, signals, sender } = shop.program.parts;
    await fanOut({ db, signals });
    const claimed = await claimDeliveries(db, 'observer', 'job_1', 30, CAPACITY);
    const [delivery] = claimed.filter(({ orderId }) => orderId === order.order_id);
    watcher.answer({ status: 410 });
    const transaction: Db['transaction'] = async work => {
      const result = await db.transaction(work);
      await patch(hookId, { enabled: true });
      return result;
    };
    const given = { ...shop.program.purchasing, sender, db: { ...db, transaction } };
    const recordOutcome = createOutcomeRecorder({ db, signals });
    const readTarget = (environmentId: string, id: string) => findTarget(db, environmentId, id);
    await deliverObserver({ ...given, recordOutcome, readTarget }, delivery as Delivery, () => {});
    expect(await read(hookId)).toMatchObject({ enabled: true });
    await shop.later(0);
    expect(await heldBy(hookId)).toEqual([]);
    expect(kindsAt(watcher, order.order_id)).toEqual(['order.created', 'order.created']);
  });

  it('from an observer’s address that was replaced meanwhile disables nothing (row 102)', async () => {
    const [other, wire] = [await otherGame(), gate()];
    watcher.answer((_, response) => void wire.opened.then(() => response.writeHead(410).end()));
    const order = await shop.createOrder();
    const before = watcher.requests.length;
    const sending = shop.later(0);
    await watcher.waitFor(({ requests }) => requests.length > before);
    await patch(hookId, { url: other.url });
    wire.open();
    await sending;
    await shop.later(0);
    expect(await read(hookId)).toMatchObject({ enabled: true, disabled_reason: null });
    expect(kindsAt(other, order.order_id)).toEqual(['order.created']);
  });

  it('from an item endpoint’s address that was replaced meanwhile disables nothing (row 102)', async () => {
    const [other, wire] = [await otherGame(), gate()];
    items.answer((_, response) => void wire.opened.then(() => response.writeHead(410).end()));
    const order = await shop.createOrder();
    const before = items.requests.length;
    const paying = shop.pay(order.checkout_url);
    await items.waitFor(({ requests }) => requests.length > before);
    await patch(itemsHook, { url: other.url });
    wire.open();
    await paying;
    await shop.later(0);
    expect(await read(itemsHook)).toMatchObject({ enabled: true, disabled_reason: null });
    expect(kindsAt(other, order.order_id)).toEqual(['item.add']);
    expect(await shop.readOrder(order.order_id)).toMatchObject({ status: 'paid' });
  });

  it('from an attempt that began before the webhook was enabled again disables nothing (row 102)', async () => {
    const wire = gate();
    watcher.answer((_, response) => void wire.opened.then(() => response.writeHead(410).end()));
    const order = await shop.createOrder();
    const before = watcher.requests.length;
    const sending = shop.later(0);
    await watcher.waitFor(({ requests }) => requests.length > before);
    await patch(hookId, { enabled: false });
    await patch(hookId, { enabled: true });
    wire.open();
    await sending;
    await shop.later(0);
    expect(await read(hookId)).toMatchObject({ enabled: true, disabled_reason: null });
    expect(kindsAt(watcher, order.order_id)).toEqual(['order.created', 'order.created']);
  });

  it('of an item endpoint from before it was enabled again disables nothing (row 102)', async () => {
    const wire = gate();
    items.answer((_, response) => void wire.opened.then(() => response.writeHead(410).end()));
    const order = await shop.createOrder();
    const before = items.requests.length;
    const paying = shop.pay(order.checkout_url);
    await items.waitFor(({ requests }) => requests.length > before);
    await patch(itemsHook, { enabled: false });
    await patch(itemsHook, { enabled: true });
    wire.open();
    await paying;
    await shop.later(0);
    expect(await read(itemsHook)).toMatchObject({ enabled: true, disabled_reason: null });
    expect(await shop.readOrder(order.order_id)).toMatchObject({ status: 'paid', attention: null });
  });

  it('from a listener sends the items to the registered endpoint', async () => {
    const laptop = await openLaptop(shop.url, shop.account.sandbox.s2sKey);
    opened.push(laptop);
    laptop.answer({ status: 410 });
    const orderId = await payAnOrder();
    await laptop.closed;
    await shop.later(0);
    expect(kindsAt(items, orderId)).toEqual(['item.add']);
    expect(await shop.readOrder(orderId)).toMatchObject({ status: 'paid' });
  });

  it('from the address that is still the subscription’s disables it and holds the event (row 102)', async () => {
    items.answer({ status: 410 });
    const orderId = await payAnOrder();
    expect(await read(itemsHook)).toMatchObject({
      enabled: false,
      disabled_reason: 'The endpoint answered 410 Gone.',
    });
    expect(await shop.readOrder(orderId)).toMatchObject({ status: 'authorized' });
    await patch(itemsHook, { enabled: true });
    await shop.later(0);
    expect(await shop.readOrder(orderId)).toMatchObject({ status: 'paid' });
  });
});
