import { type Game, startGame } from '@coinslot/testing/game-receiver';
import { gate } from '@coinslot/testing/gate';
import { badLine, moneyMoved } from '@coinslot/testing/order-rows';
import { CARDS, startProgram, type TestProgram } from '@coinslot/testing/program';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Db } from '../../../db/db.ts';
import { sql } from '../../../db/sql.ts';
import type { Parts } from '../../../program/parts.ts';

let shop: TestProgram;
let game: Game;
const line = badLine();
/** Runs once, between the first look at a payment and whatever is read next. */
let afterLook: (() => Promise<void>) | null = null;

async function interrupt(name: string): Promise<void> {
  if (name !== 'payment_find' || !afterLook) return;
  const work = afterLook;
  afterLook = null;
  await work();
}

const interrupted = (db: Db): Db => ({
  ...db,
  async query(statement) {
    const rows = await db.query<never>(statement);
    await interrupt(statement.name);
    return rows;
  },
  transaction: work =>
    db.transaction(tx =>
      work({
        ...tx,
        async query(statement) {
          const rows = await tx.query<never>(statement);
          await interrupt(statement.name);
          return rows;
        },
      }),
    ),
});

beforeAll(async () => {
  const replace = (parts: Parts): Parts => line.replace({ ...parts, moneyDb: interrupted(parts.moneyDb) });
  shop = await startProgram({ workers: false, replace });
  game = await startGame({ secret: shop.account.sandbox.s2sKey });
  await shop.call('POST', '/s2s/v1/webhooks', { url: game.url, events: ['item.add', 'item.remove'] });
});
afterAll(async () => {
  await game?.close();
  await shop?.close();
});

it('a payment that is captured while a worker looks at it is not refunded', async () => {
  const answer = gate();
  line.gateway().misbehave('capture', { kind: 'slow_after', until: answer.opened });
  const { order_id: orderId, checkout_url: url } = await shop.createOrder();
  const paying = shop.pay(url);
  await expect.poll(() => moneyMoved(shop.database.db, orderId)).toContain('captured');
  // The lease of the slow process is over; as a worker reads the payment, the answer comes after all.
  afterLook = async () => {
    answer.open();
    await paying;
    expect(await shop.readOrder(orderId)).toMatchObject({ status: 'paid' });
  };
  await shop.later(60);
  expect(afterLook).toBeNull();
  expect(await moneyMoved(shop.database.db, orderId)).toEqual(['authorized', 'captured']);
  expect(await shop.readOrder(orderId)).toMatchObject({ status: 'paid' });
});

it('a payment for which nothing is due any more is not looked at again', async () => {
  const { order_id: orderId, checkout_url: url } = await shop.createOrder();
  await shop.pay(url, CARDS.decline);
  // What a worker leaves behind that failed after the end was on record.
  const { db } = shop.database;
  await db.query(sql('test_check_now')`update payments set next_check_at = app_now() where order_id = ${orderId}`);
  await shop.later(0);
  const due = await db.query(
    sql('test_due')`select id from payments where order_id = ${orderId} and next_check_at is not null`,
  );
  expect(due).toEqual([]);
});
