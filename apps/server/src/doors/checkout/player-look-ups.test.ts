import { type StripeShop, startStripeShop } from '@coinslot/testing/stripe-shop';
import { afterAll, beforeAll, expect, it } from 'vitest';

const CALLS = 60;
const CHALLENGE = 'pm_card_threeDSecure2Required';

let shop: StripeShop;
beforeAll(async () => {
  shop = await startStripeShop();
});
afterAll(() => shop?.close());

const pathOf = async (order: string): Promise<string> => {
  const { checkout_url: url } = await shop.read(order);
  return shop.url + new URL(url).pathname;
};

const send = (url: string, method: string): Promise<Response> => fetch(url, { method, redirect: 'manual' });

const askedSince = (before: number): number => shop.stripe.requests.length - before;

it('many calls of a player’s page are one question to the provider (row 157)', async () => {
  const order = await shop.order();
  await shop.payBy(order, CHALLENGE);
  const page = await pathOf(order);
  const before = shop.stripe.requests.length;
  for (let n = 0; n < CALLS / 3; n++) {
    const answers = await Promise.all([
      send(`${page}/return`, 'GET'),
      send(`${page}/return`, 'POST'),
      send(`${page}/action`, 'POST'),
    ]);
    expect(answers.map(({ status }) => status).every(status => status < 400)).toBe(true);
  }
  // A slow machine may take longer than the seconds after which it may be asked again.
  expect(askedSince(before)).toBeLessThan(CALLS / 3);
});

it('the page that may not ask again still knows what the player has to do', async () => {
  const order = await shop.order();
  await shop.payBy(order, CHALLENGE);
  const page = await pathOf(order);
  const action = async () => (await (await send(`${page}/action`, 'POST')).json()) as { action: unknown };
  const first = await action();
  expect(first.action).toMatchObject({ client_secret: expect.stringMatching(/_secret_/) });
  expect(await action()).toEqual(first);
});

it('a player who comes back a moment after a look is not left waiting: a worker looks', async () => {
  const order = await shop.order();
  await shop.payBy(order, CHALLENGE);
  const page = await pathOf(order);
  await send(`${page}/action`, 'POST');
  shop.stripe.authenticate(shop.stripe.intentOf(await shop.lastPayment(order)), true);
  await send(`${page}/return`, 'GET');
  await shop.later(4);
  expect(await shop.read(order)).toMatchObject({ status: 'paid' });
});

it('many clicks on another way to pay end the attempt once, and every attempt that was begun counts (row 157)', async () => {
  const order = await shop.order();
  const page = await pathOf(order);
  const giveUp = async (): Promise<void> => {
    await shop.payBy(order, CHALLENGE);
    await send(`${page}/give-up`, 'POST');
  };
  await shop.payBy(order, CHALLENGE);
  const before = shop.stripe.requests.length;
  await Promise.all(Array.from({ length: CALLS }, () => send(`${page}/give-up`, 'POST')));
  expect(askedSince(before)).toBeLessThan(CALLS / 3);
  for (let n = 1; n < 10; n++) await giveUp();
  expect((await shop.paymentsOf(order)).map(({ status }) => status)).toEqual(Array<string>(10).fill('abandoned'));
  await expect(giveUp()).rejects.toMatchObject({ code: 'too_many_attempts' });
});
