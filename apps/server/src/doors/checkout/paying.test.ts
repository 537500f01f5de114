import { type Game, startGame } from '@coinslot/testing/game-receiver';
import { paymentRows } from '@coinslot/testing/order-rows';
import { startProgram, type TestProgram } from '@coinslot/testing/program';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { sql } from '../../db/sql.ts';

const DECLINED = '4832 2850 6160 9015';
const GOOD = '4242 4242 4242 4242';

let shop: TestProgram;
let game: Game;

beforeAll(async () => {
  shop = await startProgram({ workers: false });
  game = await startGame({ secret: shop.account.sandbox.s2sKey });
  await shop.call('POST', '/s2s/v1/webhooks', { url: game.url, events: ['item.add', 'item.remove'] });
});

afterAll(async () => {
  await game?.close();
  await shop?.close();
});

const send = (url: string, card: string, attempt?: string) =>
  fetch(`${url}/pay`, {
    method: 'POST',
    redirect: 'manual',
    body: new URLSearchParams({
      email: 'mika@example.com',
      card_number: card,
      card_expiry: '12 / 40',
      card_cvc: '123',
      postal_code: '10115',
      ...(attempt && { attempt }),
    }),
  });

const statusesOf = async (orderId: string) =>
  (await paymentRows(shop.database.db, orderId)).map(({ status }) => status).toSorted();

it('a form that is sent again under its attempt key is shown what became of it, and is not tried twice (row 113)', async () => {
  const order = await shop.createOrder();
  for (let i = 0; i < 3; i++) expect((await send(order.checkout_url, DECLINED, 'one')).status).toBe(303);
  expect(await statusesOf(order.order_id)).toEqual(['declined']);
  expect(await (await fetch(order.checkout_url)).text()).toContain('declined');
});

it('another form pays the order, and so does one without a key (row 113)', async () => {
  const order = await shop.createOrder();
  await send(order.checkout_url, DECLINED, 'one');
  await send(order.checkout_url, DECLINED);
  await send(order.checkout_url, GOOD, 'two');
  expect(await statusesOf(order.order_id)).toEqual(['declined', 'declined', 'succeeded']);
});

it('a program that pays sends its key as `Idempotency-Key`, as with every other call (row 113)', async () => {
  const order = await shop.createOrder();
  const pay = (key: string) =>
    fetch(`${order.checkout_url}/pay`, {
      method: 'POST',
      redirect: 'manual',
      headers: { 'idempotency-key': key },
      body: new URLSearchParams({
        email: 'mika@example.com',
        card_number: DECLINED,
        card_expiry: '12 / 40',
        card_cvc: '123',
        postal_code: '10115',
      }),
    });
  for (const key of ['one', 'one', 'two', 'one']) expect((await pay(key)).status).toBe(303);
  expect(await statusesOf(order.order_id)).toEqual(['declined', 'declined']);
});

it('the key of one order means nothing to another', async () => {
  const orders = [await shop.createOrder(), await shop.createOrder()];
  for (const order of orders) await send(order.checkout_url, GOOD, 'shared');
  for (const order of orders) expect(await statusesOf(order.order_id)).toEqual(['succeeded']);
});

it('the player reads why the game refused, as text, and the receipt page leads back to it', async () => {
  const order = await shop.createOrder();
  const body = JSON.stringify({ code: 'declined', message: 'Your bag is full <b>now</b>.' });
  game.answer({ status: 422, body });
  await send(order.checkout_url, GOOD);
  const page = await (await fetch(order.checkout_url)).text();
  expect(page).toContain('Your bag is full &lt;b&gt;now&lt;/b&gt;.');
  const receipt = await fetch(`${order.checkout_url}/receipt`, { redirect: 'manual' });
  expect([receipt.status, receipt.headers.get('location')]).toEqual([303, new URL(order.checkout_url).pathname]);
});

it('a paid order has a receipt to print, with number, card and seller, which the mail links to', async () => {
  const order = await shop.createOrder();
  await send(order.checkout_url, GOOD);
  const done = await (await fetch(order.checkout_url)).text();
  for (const fact of [order.order_id, 'Visa •••• 4242', '/receipt"']) expect(done).toContain(fact);
  const receipt = await fetch(`${order.checkout_url}/receipt`);
  const text = await receipt.text();
  expect(receipt.headers.get('cache-control')).toBe('no-store');
  for (const fact of [order.order_id, 'Visa •••• 4242', 'id="print"', 'Sold by']) expect(text).toContain(fact);
});

it('no state of the page and no receipt shows the id of the app in its store', async () => {
  const id = 'com.northwind.castlequest';
  const link = `https://play.google.com/store/apps/details?id=${id}`;
  await shop.database.db.query(
    sql('test_game')`update games set store = 'google_play', store_app_id = ${id}, store_url = ${link}`,
  );
  const orders = await Promise.all(Array.from({ length: 4 }, () => shop.createOrder()));
  const [, declined, refused, paid] = orders.map(order => order.checkout_url) as [string, string, string, string];
  await send(declined, DECLINED);
  game.answer({ status: 422, body: '{"code":"declined"}' });
  await send(refused, GOOD);
  await send(paid, GOOD);
  const addresses = [...orders.map(order => order.checkout_url), `${paid}/receipt`];
  const shown = await Promise.all(addresses.map(async url => (await fetch(url)).text()));
  for (const html of shown) {
    // Where a link leads is no name; a page that reads it aloud is.
    const read = html.replaceAll(link, '').replaceAll(encodeURIComponent(link), '');
    expect(read).toContain('Castle Quest');
    expect(read).not.toContain(id);
  }
  expect(new Set(shown).size).toBe(addresses.length);
});

it('without script, what was typed and is no secret stands in the form again after a decline, and a reload sends nothing', async () => {
  const order = await shop.createOrder();
  const answer = await send(order.checkout_url, DECLINED);
  const address = answer.headers.get('location') ?? '';
  expect(address).toContain('?kept=');
  expect(address).not.toMatch(/10115|9015/);
  const pageAt = async (path: string) => (await fetch(new URL(path, order.checkout_url))).text();
  const page = await pageAt(address);
  expect(page).toContain('value="mika@example.com"');
  expect(page).toMatch(/id="card_expiry"[^>]*value="12 \/ 40"/);
  expect(page).toMatch(/id="postal_code"[^>]*value="10115"/);
  expect(page).not.toMatch(/value="(?:4832|123)/);
  const changed = address.slice(0, -4) + (address.endsWith('AAAA') ? 'BBBB' : 'AAAA');
  expect(await pageAt(changed)).not.toMatch(/id="postal_code"[^>]*value=/);
  const other = await shop.createOrder();
  const path = `${new URL(other.checkout_url).pathname}?${address.split('?')[1]}`;
  expect(await pageAt(path)).not.toMatch(/id="postal_code"[^>]*value=/);
  expect(await statusesOf(order.order_id)).toEqual(['declined']);
  expect((await send(order.checkout_url, DECLINED, 'by script')).headers.get('location')).not.toContain('kept');
});
