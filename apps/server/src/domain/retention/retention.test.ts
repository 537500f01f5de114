import { mkdtemp, readdir, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Delivery } from '@coinslot/contract';
import { type Game, startGame } from '@coinslot/testing/game-receiver';
import { startProgram, type TestProgram } from '@coinslot/testing/program';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { deleteFigures } from '../reporting/roll-ups/roll-up.sql.ts';
import { readArchives } from './archive.ts';

const DAY = 86_400;
const PATIENCE = { timeout: 120_000 };

let shop: TestProgram;
let game: Game;
let archive: string;
let orderId: string;

const rowsIn = async (table: string): Promise<number> => {
  const text = `select count(1)::int as count from ${table}`;
  const [row] = await shop.database.db.query<{ count: number }>({ name: '', text, values: [] });
  return row!.count;
};

const itemDelivery = async (): Promise<Delivery> => {
  const { body } = await shop.call<{ data: Delivery[] }>('GET', `/s2s/v1/deliveries?order_id=${orderId}`);
  return body.data.find(one => one.event_type === 'item.add')!;
};

beforeAll(async () => {
  archive = await mkdtemp(join(tmpdir(), 'coinslot-archive-'));
  shop = await startProgram({ env: { ARCHIVE_DIR: archive } });
  game = await startGame();
  // Observers sign with a secret of their own. One that is refused is tried again in another month than its order's.
  game.answerAlways({ status: 200 });
  const events = ['item.add', 'item.remove', 'order.*', 'payment.*'];
  await shop.call('POST', '/s2s/v1/webhooks', { url: game.url, events, description: 'all', method: 'POST' });
  const order = await shop.createOrder();
  orderId = order.order_id;
  await shop.pay(order.checkout_url);
  await shop.until(orderId, 'paid');
  await shop.later(5);
}, 120_000);

afterAll(async () => {
  await shop?.close();
  await game?.close();
  await rm(archive, { recursive: true, force: true });
});

describe('what grows with every order', PATIENCE, () => {
  it('is all there while it is kept', async () => {
    await shop.later(60 * DAY);
    const delivery = await itemDelivery();
    expect(delivery.log_kept).toBe(true);
    expect(delivery.attempts[0]!.request.body).toContain(orderId);
    expect(await rowsIn('events')).toBeGreaterThan(4);
  });

  it('goes by whole months after its time, into the archive first; what is kept forever stays', async () => {
    const written = await rowsIn('events');
    await shop.later(70 * DAY);
    expect(await rowsIn('events')).toBe(0);
    expect(await rowsIn('delivery_attempts')).toBe(0);
    expect(await rowsIn(`mails`)).toBe(0);
    expect(await rowsIn('orders')).toBe(1);
    expect(await rowsIn('payments')).toBe(1);
    const lines: string[] = [];
    for (const name of await readdir(archive)) expect((await stat(join(archive, name))).mode & 0o777).toBe(0o600);
    for await (const line of readArchives(archive)) lines.push(line);
    const kinds = lines.map(line => (JSON.parse(line) as { type?: string }).type).filter(Boolean);
    expect(kinds).toHaveLength(written);
    expect(lines.filter(line => line.includes('"request_headers"')).length).toBeGreaterThan(1);
    expect(lines.some(line => line.includes('"recipient"'))).toBe(true);
  });

  it('is called no longer kept, in place of a hole', async () => {
    const delivery = await itemDelivery();
    expect(delivery).toMatchObject({ status: 'succeeded', attempts: [], log_kept: false });
  });

  it('stays in the figures, also when they are counted again', async () => {
    const paid = `figures_hourly where measure = 'paid'`;
    const before = await rowsIn(paid);
    expect(before).toBeGreaterThan(0);
    await shop.database.db.transaction(deleteFigures);
    await shop.later(120);
    expect(await rowsIn(paid)).toBe(before);
  });

  it('leaves the shop as able as before', async () => {
    const order = await shop.createOrder();
    await shop.pay(order.checkout_url);
    expect((await shop.until(order.order_id, 'paid')).status).toBe('paid');
    expect(await rowsIn('events')).toBeGreaterThan(0);
  });
});
