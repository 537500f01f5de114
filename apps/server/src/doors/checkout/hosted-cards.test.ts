import { type LiveOrder, type LiveShop, startLiveShop } from '@coinslot/testing/live-shop';
import {
  MOLLIE_KEYS_OF_DOUBLE as KEYS,
  type MollieDouble,
  startMollieDouble,
} from '@coinslot/testing/mollie-double/mollie-double';
import { misfitsOf } from '@coinslot/testing/mollie-double/mollie-schemas';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { sql } from '../../db/sql.ts';

let mollie: MollieDouble;
let shop: LiveShop;

beforeAll(async () => {
  mollie = await startMollieDouble();
  shop = await startLiveShop({
    env: { MOLLIE_API_BASE: mollie.url, MOLLIE_API_KEY: KEYS.test, MOLLIE_PROFILE_ID: KEYS.profile },
  });
});

afterAll(async () => {
  await shop?.close();
  expect(mollie.exchanges.flatMap(misfitsOf)).toEqual([]);
  await mollie?.close();
});

const NUMBER = '4242424242424242';

const begin = async (order: LiveOrder, fields: Record<string, string> = {}): Promise<string> => {
  const posted = await shop.post(order, '/pay', { method: 'card', ...fields });
  expect(posted.status).toBe(303);
  const leaving = await fetch(`${order.checkout_url}/continue`, { redirect: 'manual' });
  return leaving.headers.get('location') ?? '';
};
const paymentIdOf = async (order: LiveOrder): Promise<string> =>
  String((await shop.paymentsOf(order)).at(-1)!.payment_id);
const callBack = async (body: string, more = ''): Promise<number> => {
  const headers = { 'content-type': 'application/x-www-form-urlencoded' };
  return (await fetch(`${shop.url}/gateways/mollie${more}`, { method: 'POST', headers, body })).status;
};
const jobs = async (): Promise<number> => {
  const [row] = await shop.database.db.query<{ count: number }>(
    sql('test_events')`select count(*)::int as count from provider_events where account_id like 'settings%'`,
  );
  return row!.count;
};

describe('cards on the provider’s own page', () => {
  it('are a choice that leaves, without fields, and no card number that is posted is read or sent on', async () => {
    const order = await shop.order();
    const page = await shop.page(order);
    expect(page).toContain('value="card"');
    expect(page).not.toContain('name="card_number"');
    const away = await begin(order, {
      card_number: NUMBER,
      card_expiry: '04 / 29',
      card_cvc: '123',
      postal_code: '10115',
    });
    expect(away).toContain('/checkout/tr_');
    expect(JSON.stringify(mollie.exchanges)).not.toContain(NUMBER);
    await fetch(`${away}?as=approves`, { redirect: 'manual' });
    await fetch(`${order.checkout_url}/return`, { redirect: 'manual' });
    await shop.until(order, 'paid');
    expect(await shop.paymentsOf(order)).toMatchObject([{ status: 'succeeded', gateway: 'mollie', method: 'card' }]);
    expect(mollie.movementsOf(await paymentIdOf(order))).toEqual(['authorized', 'captured']);
  });

  it('that are declined there can be paid in another way', async () => {
    const order = await shop.order();
    await fetch(`${await begin(order)}?as=declines`, { redirect: 'manual' });
    await fetch(`${order.checkout_url}/return`, { redirect: 'manual' });
    await shop.until(order, 'created');
    expect(await shop.page(order)).toContain('value="card"');
  });
});

describe('callbacks without a signature', () => {
  it('lead to the payment being asked about, also for a player who never comes back', async () => {
    const order = await shop.order();
    await fetch(`${await begin(order)}?as=approves`, { redirect: 'manual' });
    expect(await shop.statusOf(order)).toBe('pending');
    const { id } = mollie.paymentOf(await paymentIdOf(order));
    for (let i = 0; i < 4; i++) expect(await callBack(`id=${id}`)).toBe(200);
    await shop.until(order, 'paid');
    expect(mollie.movementsOf(await paymentIdOf(order))).toEqual(['authorized', 'captured']);
  });

  it('are believed in nothing: what a stranger sends changes nothing and is not kept', async () => {
    const order = await shop.order();
    await begin(order);
    const { id } = mollie.paymentOf(await paymentIdOf(order));
    const before = await jobs();
    expect(await callBack('id=tr_unknown')).toBe(200);
    expect(await callBack('{}')).toBe(400);
    expect(await callBack(`id=${id}`, '/cmp_unknown')).toBe(404);
    expect(await jobs()).toBe(before);
    expect(await callBack(`id=${id}&status=paid`)).toBe(200);
    expect(await shop.statusOf(order)).toBe('pending');
    // However often it comes, a span of ten seconds costs two looks.
    for (let i = 0; i < 6; i++) await callBack(`id=${id}`);
    expect((await jobs()) - before).toBeLessThanOrEqual(4);
  });
});
