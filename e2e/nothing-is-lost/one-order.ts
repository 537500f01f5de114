import { setTimeout as pause } from 'node:timers/promises';
import { type Game, startGame } from '@coinslot/testing/game-receiver';
import { CARDS } from '@coinslot/testing/program';
import type { Queryable } from '../../apps/server/src/db/db.ts';
import { sql } from '../../apps/server/src/db/sql.ts';
import { payForm } from './pay-form.ts';
import type { Shop } from './shop.ts';

const WAIT_MS = 20_000;

export interface Bought {
  orderId: string;
  path: string;
}

/** Waits for what must come true; fails with what it saw last. */
export async function eventually<T>(look: () => Promise<T>, isRight: (seen: T) => boolean): Promise<T> {
  const deadline = Date.now() + WAIT_MS;
  for (;;) {
    const seen = await look();
    if (isRight(seen)) return seen;
    if (Date.now() > deadline) throw new Error(`waited in vain; last seen: ${JSON.stringify(seen)}`);
    await pause(20);
  }
}

export async function call(shop: Shop, method: string, path: string, body?: unknown): Promise<Response> {
  return fetch((await shop.fleet.url()) + path, {
    method,
    headers: {
      authorization: `Bearer ${shop.key}`,
      ...(body !== undefined && { 'content-type': 'application/json' }),
    },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
}

/** A game that does what the test says, at the shop that runs. */
export async function registerGame(shop: Shop): Promise<Game> {
  const game = await startGame({ secret: shop.key });
  const response = await call(shop, 'POST', '/s2s/v1/webhooks', { url: game.url, events: ['item.add', 'item.remove'] });
  if (response.status !== 201) throw new Error(await response.text());
  return game;
}

export async function createOrder(shop: Shop): Promise<Bought> {
  const response = await call(shop, 'POST', '/s2s/v1/orders', {
    player_id: 'p1',
    items: [{ sku: 'gems' }],
    price_decimal: 4.99,
    currency: 'EUR',
  });
  if (response.status !== 201) throw new Error(await response.text());
  const { order_id, checkout_url } = (await response.json()) as { order_id: string; checkout_url: string };
  return { orderId: order_id, path: new URL(checkout_url).pathname };
}

/** The status that was answered; null when the program died instead. */
export const pay = async (shop: Shop, bought: Bought, card?: string): Promise<number | null> =>
  payAt(await shop.fleet.url(), bought, card);

export function payAt(url: string, { path }: Bought, card: string = CARDS.success): Promise<number | null> {
  return fetch(`${url}${path}/pay`, { method: 'POST', body: payForm(card), redirect: 'manual' })
    .then(({ status }) => status)
    .catch(() => null);
}

export async function pageState(shop: Shop, { path }: Bought): Promise<string | undefined> {
  const html = await (await fetch((await shop.fleet.url()) + path)).text();
  return /data-state="([^"]+)"/.exec(html)?.[1];
}

export async function statusOf(db: Queryable, { orderId }: Bought): Promise<string> {
  const [row] = await db.query<{ status: string }>(sql('e2e_status')`select status from orders where id = ${orderId}`);
  return row!.status;
}

/** What the provider's ledger holds for an order, over all its attempts. */
export async function entriesOf(db: Queryable, { orderId }: Bought): Promise<string[]> {
  const rows = await db.query<{ kind: string }>(sql('e2e_entries')`
    select e.kind from simulator.entries e join payments p on p.environment_id = e.environment_id and p.id = e.payment_id
    where p.order_id = ${orderId} order by e.kind`);
  return rows.map(({ kind }) => kind);
}

export const untilStatus = (shop: Shop, bought: Bought, ...statuses: string[]): Promise<string> =>
  eventually(
    () => statusOf(shop.database.db, bought),
    status => statuses.includes(status),
  );
