import { type Game, startGame } from '@coinslot/testing/game-receiver';
import { mailRows, moneyMoved } from '@coinslot/testing/order-rows';
import { CARDS, startProgram, type TestProgram } from '@coinslot/testing/program';
import { type SmtpReceiver, smtpReceiver } from '@coinslot/testing/smtp-receiver';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { sql } from '../../../db/sql.ts';

let shop: TestProgram;
let game: Game;
let post: SmtpReceiver;

const receiptsOf = (orderId: string) => post.mails.filter(mail => mail.text?.includes(orderId));

/** In sandbox receipts go to members alone. */
async function addMember(email: string): Promise<void> {
  const { db } = shop.database;
  await db.query(sql('add_user')`
    insert into users (id, email, email_key, password_hash, created_at) values (${email}, ${email}, ${email}, 'x', app_now())`);
  await db.query(sql('add_member')`
    insert into members (company_id, user_id, role, created_at) values (${shop.account.companyId}, ${email}, 'support', app_now())`);
}

beforeAll(async () => {
  post = await smtpReceiver();
  shop = await startProgram({ workers: false, env: { SMTP_URL: post.url } });
  for (const email of ['player@example.com', 'typed@example.com']) await addMember(email);
  game = await startGame({ secret: shop.account.sandbox.s2sKey });
  await shop.call('POST', '/s2s/v1/webhooks', { url: game.url, events: ['item.add', 'item.remove'] });
});

afterAll(async () => {
  await game?.close();
  await shop?.close();
  await post?.close();
});

describe('a receipt', () => {
  it('goes once to the address on the form, in the order’s language, after the order is paid', async () => {
    const order = await shop.createOrder({
      email: 'prefilled@example.com',
      locale: 'de',
      items: [{ sku: 'gold', name: 'Gold chest', price_decimal: 12.5, currency: 'EUR' }],
    });
    await shop.pay(order.checkout_url, CARDS.success, { email: 'typed@example.com' });
    for (let i = 0; i < 3; i++) await shop.later(3_600);
    const [mail, ...more] = receiptsOf(order.order_id);
    expect(more).toEqual([]);
    expect(mail!.recipients).toEqual(['typed@example.com']);
    expect(mail!.text).toContain('Gold chest');
    expect(mail!.text).toMatch(/12,50\s€/u);
    expect(mail!.html).toContain('lang="de"');
    expect(mail!.raw).not.toContain('4242 4242');
  });

  it('is not sent for what was declined, rejected or is still waiting (row 3)', async () => {
    const declined = await shop.createOrder();
    await shop.pay(declined.checkout_url, CARDS.decline);
    game.answer('decline');
    const rejected = await shop.createOrder();
    await shop.pay(rejected.checkout_url);
    game.answer({ status: 500 });
    const waiting = await shop.createOrder();
    await shop.pay(waiting.checkout_url);
    await shop.program.workers.drain();
    for (const order of [declined, rejected, waiting]) expect(receiptsOf(order.order_id)).toEqual([]);
    await shop.later(10);
    expect(receiptsOf(waiting.order_id)).toHaveLength(1);
  });

  it('that the mail server refuses is tried again and never undoes the order (row 43)', async () => {
    post.refuseNext('DATA', 451, 451);
    const order = await shop.createOrder();
    await shop.pay(order.checkout_url);
    await shop.later(0);
    expect(await shop.readOrder(order.order_id)).toMatchObject({ status: 'paid' });
    expect(receiptsOf(order.order_id)).toEqual([]);
    for (let i = 0; i < 3; i++) await shop.later(60);
    expect(receiptsOf(order.order_id)).toHaveLength(1);
    expect(await moneyMoved(shop.database.db, order.order_id)).toEqual(['authorized', 'captured']);
  });

  it('to an address that does not exist is given up and the order stays paid (row 43)', async () => {
    post.refuseNext('RCPT TO', 550);
    const order = await shop.createOrder();
    await shop.pay(order.checkout_url);
    for (let i = 0; i < 3; i++) await shop.later(60);
    expect(await mailRows(shop.database.db, order.order_id)).toMatchObject([{ status: 'failed' }]);
    expect(await shop.readOrder(order.order_id)).toMatchObject({ status: 'paid' });
  });
});

describe('a free order', () => {
  it('is claimed, granted and done without any money, once', async () => {
    const order = await shop.createOrder({ price_decimal: 0, currency: 'USD' });
    const claim = () =>
      fetch(`${order.checkout_url}/claim`, {
        method: 'POST',
        body: new URLSearchParams({ email: '' }),
        redirect: 'manual',
      });
    await Promise.all([claim(), claim(), claim()]);
    expect(await shop.until(order.order_id, 'paid')).toMatchObject({ amount: 0 });
    expect(game.requests.filter(request => request.body?.event_data.order_id === order.order_id)).toHaveLength(1);
    await shop.call('POST', `/s2s/v1/orders/${order.order_id}/refund`, {});
    expect(await shop.until(order.order_id, 'refunded')).toMatchObject({ status: 'refunded' });
    expect(await moneyMoved(shop.database.db, order.order_id)).toEqual([]);
  });

  it('cannot be paid for, and one with a price cannot be claimed', async () => {
    const free = await shop.createOrder({ price_decimal: 0, currency: 'USD' });
    await shop.pay(free.checkout_url);
    expect(await shop.readOrder(free.order_id)).toMatchObject({ status: 'created' });
    const priced = await shop.createOrder();
    await fetch(`${priced.checkout_url}/claim`, { method: 'POST', body: new URLSearchParams(), redirect: 'manual' });
    expect(await shop.readOrder(priced.order_id)).toMatchObject({ status: 'created' });
  });
});
