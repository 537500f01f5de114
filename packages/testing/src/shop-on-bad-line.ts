import { type Game, startGame } from './game-receiver.ts';
import type { badLine } from './order-rows.ts';
import { startProgram, type TestProgram } from './program.ts';

export interface ShopOnBadLine {
  shop: TestProgram;
  game: Game;
  /** Changes the webhook through which the game is asked. */
  hook(changes: object): ReturnType<TestProgram['call']>;
}

/** Nothing happens by itself, the line to the provider can misbehave, and the game is asked by one webhook. */
export async function startOnBadLine(line: ReturnType<typeof badLine>): Promise<ShopOnBadLine> {
  const shop = await startProgram({ workers: false, replace: line.replace });
  const game = await startGame({ secret: shop.account.sandbox.s2sKey });
  const events = ['item.add', 'item.remove'];
  const made = await shop.call<{ id: string }>('POST', '/s2s/v1/webhooks', { url: game.url, events });
  return { shop, game, hook: changes => shop.call('PATCH', `/s2s/v1/webhooks/${made.body.id}`, changes) };
}

export async function payAnOrder(shop: TestProgram, card?: string): Promise<string> {
  const order = await shop.createOrder();
  await shop.pay(order.checkout_url, card);
  return order.order_id;
}

/** What the game was asked for an order, in order of arrival. */
export const kindsAsked = (game: Game, orderId: string): string[] =>
  game.requests
    .filter(request => request.body?.event_data.order_id === orderId)
    .map(request => request.body!.event_type);
