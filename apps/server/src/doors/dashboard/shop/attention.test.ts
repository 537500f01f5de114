import type { AttentionItem } from '@coinslot/contract';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { signedInMember } from '../../../testing/dashboard.ts';
import { type Game, startGame } from '../../../testing/game-receiver.ts';
import { badLine } from '../../../testing/order-rows.ts';
import { startProgram, type TestProgram } from '../../../testing/program.ts';
import { refusal } from '../../../testing/unreliable-gateway.ts';

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
  const list = async (browser = support) => (await browser.call<{ data: AttentionItem[] }>('GET', path)).body.data;
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
