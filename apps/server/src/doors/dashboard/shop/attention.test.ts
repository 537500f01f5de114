import type { AttentionItem } from '@coinslot/contract';
import { signedInMember } from '@coinslot/testing/dashboard';
import { type Game, startGame } from '@coinslot/testing/game-receiver';
import { badLine } from '@coinslot/testing/order-rows';
import { startProgram, type TestProgram } from '@coinslot/testing/program';
import { refusal } from '@coinslot/testing/unreliable-gateway';
import { afterAll, beforeAll, expect, it } from 'vitest';

let shop: TestProgram;
let game: Game;
const line = badLine();

beforeAll(async () => {
  shop = await startProgram({ workers: false, replace: line.replace });
  game = await startGame({ secret: shop.account.sandbox.s2sKey });
  await shop.call('POST', '/s2s/v1/webhooks', { url: game.url, events: ['item.add', 'item.remove'] });
});

afterAll(async () => {
  await game?.close();
  await shop?.close();
});

it('the list says what happened, what happens next and what can be done, and a member does it', async () => {
  const support = (await signedInMember(shop, 'support')).browser;
  const viewer = (await signedInMember(shop, 'viewer')).browser;
  const path = `/games/${shop.account.gameId}/sandbox/attention`;
  const list = async (browser = support) => {
    const { body } = await browser.call<{ data: AttentionItem[]; count: number }>('GET', path);
    expect(body.count).toBe(body.data.length);
    return body.data;
  };
  expect(await list()).toEqual([]);
  line.gateway().misbehave('capture', { kind: 'refuse', refusal: refusal({ code: 'expired_reservation' }) });
  const order = await shop.createOrder();
  await shop.pay(order.checkout_url);
  const [item] = await list();
  expect(item).toMatchObject({
    order_id: order.order_id,
    order_status: 'authorized',
    attention: { code: 'capture_refused', detail: expect.stringContaining('expired_reservation') },
    actions: ['ask_again', 'refund', 'void'],
  });
  expect((await list(viewer))[0]!.actions).toEqual([]);
  const base = `/games/${shop.account.gameId}/sandbox`;
  for (const name of ['orders', 'transactions']) {
    const ids = async (query: string) =>
      (await viewer.call<{ data: { order_id: string }[] }>('GET', `${base}/${name}?${query}`)).body.data.map(
        ({ order_id }) => order_id,
      );
    expect(await ids('attention=true')).toEqual([order.order_id]);
    expect(await ids('attention=true&status=refunded')).toEqual([]);
    expect(await ids(`attention=true&player_id=player_1`)).toEqual([order.order_id]);
    expect(await ids(`attention=true&q=${order.order_id}`)).toEqual([order.order_id]);
  }
  for (const [at, browser, actions] of [
    [`orders/${order.order_id}`, support, item!.actions],
    [`transactions/${item!.payment_id}`, support, item!.actions],
    [`transactions/${item!.payment_id}`, viewer, []],
  ] as const) {
    expect((await browser.call('GET', `${base}/${at}`)).body).toMatchObject({
      needs_attention: [{ payment_id: item!.payment_id, actions }],
      timeline: expect.arrayContaining([
        expect.objectContaining({ kind: 'payment.attention', code: null, detail: item!.attention!.detail }),
      ]),
    });
  }
  const german = { headers: { 'accept-language': 'de' } };
  const page = await support.call<{ data: AttentionItem[] }>('GET', path, undefined, german);
  const detail = page.body.data[0]!.attention!.detail;
  expect(detail).toMatch(/^Der Anbieter hat den Einzug abgelehnt: .*expired_reservation/);
  const inGerman = await support.call('GET', `${base}/transactions/${item!.payment_id}`, undefined, german);
  expect(inGerman.body).toMatchObject({
    payment: { problem: detail, attention: { detail } },
    needs_attention: [{ attention: { detail } }],
    timeline: expect.arrayContaining([expect.objectContaining({ kind: 'payment.attention', detail })]),
  });
  const one = `${path}/${item!.payment_id}`;
  expect((await viewer.call('POST', one, { action: 'ask_again' })).status).toBe(403);
  expect(await support.call('POST', one, { action: 'accept' })).toMatchObject({
    status: 409,
    body: { code: 'payment_not_in_review' },
  });
  expect(await support.call('POST', one, { action: 'ask_again' })).toMatchObject({
    status: 200,
    body: { status: 'succeeded', order_status: 'paid', attention: null, actions: [] },
  });
  expect(await list()).toEqual([]);
});

it('a game that has not answered is asked again by the same button', async () => {
  const support = (await signedInMember(shop, 'support')).browser;
  const path = `/games/${shop.account.gameId}/sandbox/attention`;
  game.answerAlways({ status: 500 });
  const order = await shop.createOrder();
  await shop.pay(order.checkout_url);
  for (const step of [2, 5, 10, 27]) await shop.later(step + 3);
  const [item] = (await support.call<{ data: AttentionItem[] }>('GET', path)).body.data;
  expect(item).toMatchObject({ order_id: order.order_id, actions: ['ask_again', 'refund'] });
  const asked = game.requests.length;
  game.answerAlways(null);
  const ask = () => support.call('POST', `${path}/${item!.payment_id}`, { action: 'ask_again' });
  expect((await ask()).status).toBe(200);
  await shop.later(1);
  expect(game.requests).toHaveLength(asked + 1);
  expect(await shop.readOrder(order.order_id)).toMatchObject({ status: 'paid', attention: null });
  expect(await ask()).toMatchObject({ status: 409, body: { code: 'payment_not_in_review' } });
});
