import { readFile } from 'node:fs/promises';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import {
  type Coinslot,
  createCoinslot,
  currencyDecimals,
  isCoinslotError,
  toNodeListener,
  type Webhook,
} from '@coinslot/sdk';
import { type LanguageReceiver, startReceiver } from './language-receiver.ts';
import { OFFERS, offerOf } from './offers.ts';
import { createWebhook } from './webhook.ts';
import { createGame, type Game } from './world.ts';

export interface GameOptions {
  s2sKey: string;
  /** Where Coinslot runs. */
  coinslotUrl: string;
  /** 0 picks a free port. */
  port: number;
  /** A receiver of examples/receivers that is asked about items in place of the game itself, and its port. */
  receiver?: { name: string; port: number };
}

const FILES: Record<string, [file: string, type: string]> = {
  '/': ['index.html', 'text/html; charset=utf-8'],
  '/game.js': ['game.js', 'text/javascript; charset=utf-8'],
  '/game.css': ['game.css', 'text/css; charset=utf-8'],
};
const PAGE = new URL('../page/', import.meta.url);
const HEADERS = {
  'content-security-policy': "default-src 'self'; img-src data:; base-uri 'none'; frame-ancestors 'none'",
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
  'cache-control': 'no-cache',
};

interface Shop {
  game: Game;
  coinslot: Coinslot;
  dashboardUrl: string;
  gameUrl: string;
}

function priceText(price: number, currency: string): string {
  const digits = currencyDecimals(currency);
  const decimals = { minimumFractionDigits: digits, maximumFractionDigits: digits };
  return new Intl.NumberFormat('en', { style: 'currency', currency, ...decimals }).format(price);
}

/** The player clicked "buy": create an order and return its checkout URL. */
async function buy({ game, coinslot, gameUrl }: Shop, sku: unknown): Promise<object> {
  const offer = offerOf(sku);
  if (!offer) return { problem: 'The shop does not sell that.' };
  const { player, level } = game.world();
  const order = await coinslot.orders.create({
    player_id: player.id,
    player: { name: player.name, attributes: { level } },
    items: [{ sku: offer.sku, name: offer.name, description: offer.description }],
    price_decimal: offer.price,
    currency: offer.currency,
    back_to_game_url: `${gameUrl}/?back={order_id}`,
    back_to_store_url: `${gameUrl}/?left={order_id}`,
  });
  game.remember({
    orderId: order.order_id,
    name: offer.name,
    price: priceText(offer.price, offer.currency),
    status: order.status,
    checkoutUrl: order.checkout_url,
    note: null,
  });
  return { orderId: order.order_id, checkoutUrl: order.checkout_url };
}

/** For clients that ask, such as the one of Godot: the game reads the order itself, and never believes a link. */
async function statusOf({ coinslot }: Shop, orderId: string): Promise<object> {
  const { status } = await coinslot.orders.get(orderId);
  return { status };
}

/** What studio members would do in their own tools. */
async function refund({ game, coinslot }: Shop, orderId: string): Promise<object> {
  const { status } = await coinslot.orders.refund(orderId, { reason: 'Requested in the game' });
  game.update(orderId, { status });
  return {};
}

async function cancel({ game, coinslot }: Shop, orderId: string): Promise<object> {
  const { status } = await coinslot.orders.cancel(orderId);
  game.update(orderId, { status });
  return {};
}

/** Streams the whole state to the page whenever something changes. */
function live({ game }: Shop, request: IncomingMessage, response: ServerResponse): void {
  response.writeHead(200, { ...HEADERS, 'content-type': 'text/event-stream' });
  const send = (world: object): void => void response.write(`data: ${JSON.stringify(world)}\n\n`);
  send(game.world());
  request.once('close', game.watch(send));
}

type Action = (shop: Shop, body: { sku?: unknown; orderId?: unknown }) => Promise<object>;

const ACTIONS: Record<string, Action> = {
  '/api/dig': async ({ game }) => {
    game.dig();
    return {};
  },
  '/api/buy': (shop, { sku }) => buy(shop, sku),
  '/api/refund': (shop, { orderId }) => refund(shop, String(orderId)),
  '/api/cancel': (shop, { orderId }) => cancel(shop, String(orderId)),
};

async function act(shop: Shop, path: string, request: IncomingMessage): Promise<object | null> {
  const action = Object.hasOwn(ACTIONS, path) ? ACTIONS[path] : undefined;
  if (!action) return null;
  // Another site's form cannot send this header, so it cannot trigger these actions.
  if (request.headers['content-type'] !== 'application/json') return { problem: 'Send JSON.' };
  return action(shop, JSON.parse(await text(request)));
}

function json(response: ServerResponse, status: number, body: object): void {
  response.writeHead(status, { ...HEADERS, 'content-type': 'application/json' }).end(JSON.stringify(body));
}

async function answer(shop: Shop, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const [path = ''] = (request.url ?? '').split('?');
  const file = FILES[path];
  if (request.method === 'GET' && file) {
    response.writeHead(200, { ...HEADERS, 'content-type': file[1] }).end(await readFile(new URL(file[0], PAGE)));
  } else if (path === '/api/live') live(shop, request, response);
  else if (request.method === 'GET' && path.startsWith('/api/orders/'))
    json(response, 200, await statusOf(shop, decodeURIComponent(path.slice('/api/orders/'.length))));
  else if (path === '/api/shop') json(response, 200, { offers: OFFERS, dashboardUrl: shop.dashboardUrl });
  else if (request.method === 'POST') {
    const done = await act(shop, path, request);
    json(response, done ? 200 : 404, done ?? { problem: 'No such page.' });
  } else json(response, 404, { problem: 'No such page.' });
}

/** The game: its page, its shop, and the endpoint that Coinslot calls. */
export async function serveGame({
  s2sKey,
  coinslotUrl,
  port,
  receiver,
}: GameOptions): Promise<{ url: string; stop(): Promise<void> }> {
  const game = createGame();
  const coinslot = createCoinslot({ key: s2sKey, baseUrl: coinslotUrl });
  const webhook = toNodeListener(createWebhook(game, coinslot, s2sKey));
  const server: Server = createServer((request, response) => {
    if (request.url === '/webhook') return void webhook(request, response);
    answer(shop, request, response).catch((error: unknown) => {
      const problem = isCoinslotError(error) ? error.message : 'Something went wrong in the game.';
      if (!isCoinslotError(error)) console.error(error);
      json(response, 502, { problem });
    });
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, '127.0.0.1', resolve);
  });
  const gameUrl = `http://localhost:${(server.address() as AddressInfo).port}`;
  const language = receiver && (await listenIn(receiver, s2sKey, game));
  const own = `${gameUrl.replace('localhost', '127.0.0.1')}/webhook`;
  const { gameId, leave } = await subscribe(coinslot, own, language?.url);
  const dashboardUrl = `${coinslotUrl}/dashboard/g/${gameId}/sandbox`;
  const shop: Shop = { game, coinslot, dashboardUrl, gameUrl };
  return {
    url: gameUrl,
    async stop() {
      server.closeAllConnections();
      server.close();
      language?.stop();
      await leave();
    },
  };
}

/** Items are granted by the receiver of another language; the game shows what it says. */
const listenIn = (
  { name, port }: { name: string; port: number },
  secret: string,
  game: Game,
): Promise<LanguageReceiver> =>
  startReceiver(name, {
    secret,
    port,
    held(kind, sku, pieces) {
      game.hear({ kind, what: offerOf(sku)?.name ?? sku, answer: `${pieces} held, says the receiver in ${name}` });
      game.hold(sku, pieces);
    },
  });

const DESCRIPTION = 'The demo game';
const RECEIVER_DESCRIPTION = 'The receiver of the demo game';
const OURS = [DESCRIPTION, RECEIVER_DESCRIPTION];

/** Whether an endpoint other than ours is asked about items. */
const takesItems = ({ enabled, events, description }: Webhook): boolean =>
  enabled && !OURS.includes(description ?? '') && events.some(event => ['item.add', 'item.*', '*'].includes(event));

/** Only one endpoint may be asked about items, so that of another game waits while the demo runs. */
async function takeOver(coinslot: Coinslot, webhooks: Webhook[]): Promise<Webhook[]> {
  const others = webhooks.filter(takesItems);
  for (const { id, url } of others) {
    await coinslot.webhooks.update(id, { enabled: false });
    console.log(`The webhook ${id} to ${url} is disabled while the demo game runs.`);
  }
  return others;
}

/** Registers the game's address. If it changed, the subscription is updated instead of adding a second one. */
async function save(
  coinslot: Coinslot,
  webhooks: Webhook[],
  input: { url: string; description: string; events: Webhook['events'] },
): Promise<Webhook> {
  const found = webhooks.find(({ description }) => description === input.description);
  if (found) return coinslot.webhooks.update(found.id, { ...input, enabled: true });
  return coinslot.webhooks.create(input);
}

async function subscribe(
  coinslot: Coinslot,
  url: string,
  receiverUrl: string | undefined,
): Promise<{ gameId: string; leave(): Promise<void> }> {
  const webhooks = await coinslot.webhooks.list().take(20);
  const others = await takeOver(coinslot, webhooks);
  const items: Webhook['events'] = ['item.add', 'item.remove'];
  const orders: Webhook['events'] = ['order.*', 'payment.*'];
  const events = receiverUrl ? orders : [...items, ...orders];
  const earlier = webhooks.find(({ description, enabled }) => enabled && description === RECEIVER_DESCRIPTION);
  if (earlier && !receiverUrl) await coinslot.webhooks.update(earlier.id, { enabled: false });
  const { id, game_id: gameId } = await save(coinslot, webhooks, { url, description: DESCRIPTION, events });
  if (receiverUrl)
    await save(coinslot, webhooks, { url: receiverUrl, description: RECEIVER_DESCRIPTION, events: items });
  return {
    gameId,
    async leave() {
      if (others.length === 0) return;
      await coinslot.webhooks.update(id, { enabled: false });
      for (const other of others) await coinslot.webhooks.update(other.id, { enabled: true });
    },
  };
}
