import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout } from 'node:timers/promises';
import { CARDS, createStudio, type Studio } from '../game-studio.ts';
import type { Account, Coinslot } from '../start-coinslot.ts';

/** A game that grants items, except to players whose id starts with `stuck-`. */
export interface SampleGame {
  url: string;
  close(): void;
}

export async function startSampleGame(): Promise<SampleGame> {
  const server: Server = createServer((request, response) => {
    let body = '';
    request.on('data', chunk => {
      body += String(chunk);
    });
    request.on('end', () => {
      const isAway = body.includes('"player_id":"stuck-');
      response.writeHead(isAway ? 503 : 200, { 'content-type': 'application/json' });
      response.end(isAway ? '{"error":"inventory is being migrated"}' : '{"status":"ok"}');
    });
  });
  await new Promise<void>(ready => {
    server.listen(0, '127.0.0.1', ready);
  });
  const { port } = server.address() as AddressInfo;
  return { url: `http://127.0.0.1:${port}/webhooks`, close: () => server.close() };
}

const ITEMS = [
  { sku: 'sword_of_dawn', name: 'Sword of Dawn', price_decimal: 4.99, description: 'Cuts through the night.' },
  { sku: 'crystals_1200', name: '1,200 crystals', price_decimal: 9.99, description: 'A handful of light.' },
  { sku: 'dragon_mount', name: 'Dragon mount', price_decimal: 24.99, description: 'It remembers who fed it.' },
  { sku: 'season_pass', name: 'Season pass', price_decimal: 14.99, description: 'Everything of this season.' },
  { sku: 'potion', name: 'Potion of haste', price_decimal: 0.99, description: 'Quick, but bitter.' },
] as const;

const DECLINES = ['4832 2850 6160 9015', '4211 1272 6211 2418', '4411 5883 2171 3124', '4867 0537 1696 5705'] as const;
const GOOD = [CARDS.good, '4111 1111 1111 1111', '5490 5290 6876 6884', '3700 0000 0000 002'] as const;
const DAY_SECONDS = 86_400;

/** The same shop every time: no random, so that two pictures of it can be compared. */
const cardOf = (turn: number): string =>
  turn % 6 === 5 ? DECLINES[turn % DECLINES.length]! : GOOD[turn % GOOD.length]!;

/** Polls by hand, because screenshots are taken outside of a test. */
async function until(isSo: () => Promise<boolean>, failure: string): Promise<void> {
  for (let wait = 0; wait < 2_000; wait++) {
    if (await isSo()) return;
    await setTimeout(10);
  }
  throw new Error(failure);
}

/**
 * That the page was opened is written beside the answer, and not at all where a payment holds the order by then. No player
 * is that quick; a program is, now and then, and the figures would differ by one.
 */
async function openPage({ query }: Coinslot, studio: Studio, orderId: string, checkoutUrl: string): Promise<void> {
  await studio.page(checkoutUrl);
  const isOpened = async (): Promise<boolean> =>
    (await query('select 1 from orders where id = $1 and opened_at is not null', [orderId])).length > 0;
  await until(isOpened, `${orderId} was not opened`);
}

interface Shop {
  coinslot: Coinslot;
  studio: Studio;
}

async function purchase(shop: Shop, turn: number, player = `player-${turn % 23}`): Promise<string> {
  const { coinslot, studio } = shop;
  const item = ITEMS[(turn * 7) % ITEMS.length]!;
  const currency = turn % 5 === 4 ? 'EUR' : 'USD';
  const card = cardOf(turn);
  const order = await studio.createOrder({
    player_id: player,
    items: [{ ...item, currency, quantity: item.sku === 'potion' ? 3 : 1 }],
    player: { name: `Mira ${turn % 23}`, attributes: { level: 10 + (turn % 40), guild: 'Lanterns' } },
    metadata: { shard: `eu-${turn % 3}` },
  });
  const isAmex = card.startsWith('37');
  await openPage(coinslot, studio, order.order_id, order.checkout_url);
  await studio.pay(order.checkout_url, card, { email: `${player}@example.com`, ...(isAmex && { 'cc-csc': '1234' }) });
  return order.order_id;
}

const UNDER_WAY = `select 1 from orders where status in ('pending', 'authorized') limit 1`;

/** Thirty days of a shop, by moving its clock: a few orders a day, more at weekends, some declined, some unpaid. */
export async function seedHistory(coinslot: Coinslot, account: Account, perDay = 5): Promise<void> {
  const studio = createStudio(coinslot, account);
  let turn = 0;
  for (let day = 29; day >= 0; day--) {
    await coinslot.setClockAhead(day === 0 ? 0 : -day * DAY_SECONDS);
    const count = perDay + (day % 7 === 0 ? 3 : 0) + Math.round((29 - day) / 10);
    for (let nth = 0; nth < count; nth++) await purchase({ coinslot, studio }, turn++);
    if (day % 3 === 0) await studio.createOrder({ player_id: `visitor-${day}`, items: [{ sku: 'potion' }] });
    // What is granted after midnight would be paid on the next day.
    await until(async () => (await coinslot.query(UNDER_WAY)).length === 0, 'a purchase was not granted');
  }
}

const becomes = (status: string, studio: Studio, orderId: string): Promise<void> =>
  until(async () => (await studio.readOrder(orderId)).status === status, `${orderId} did not become ${status}`);

/** The game's answer comes a moment after the payment. */
export async function seedLittle(coinslot: Coinslot, account: Account): Promise<string[]> {
  const studio = createStudio(coinslot, account);
  const orders: string[] = [];
  for (const turn of [0, 1, 5]) orders.push(await purchase({ coinslot, studio }, turn));
  await becomes('paid', studio, orders[0]!);
  return orders;
}

/** Grants that wait for the game, and a dispute of another currency that waits for the studio. */
export async function seedStuck(coinslot: Coinslot, account: Account): Promise<void> {
  const studio = createStudio(coinslot, account);
  for (const turn of [0, 1, 2]) await purchase({ coinslot, studio }, turn, `stuck-${turn}`);
  const disputed = await studio.createOrder({ player_id: 'player-7', items: [{ ...ITEMS[0], currency: 'EUR' }] });
  await openPage(coinslot, studio, disputed.order_id, disputed.checkout_url);
  await studio.pay(disputed.checkout_url, CARDS.disputeOpen);
  await becomes('disputed', studio, disputed.order_id);
}
