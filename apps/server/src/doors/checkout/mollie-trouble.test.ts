import { type LiveOrder, type LiveShop, startLiveShop } from '@coinslot/testing/live-shop';
import {
  MOLLIE_KEYS_OF_DOUBLE as KEYS,
  type MollieDouble,
  startMollieDouble,
} from '@coinslot/testing/mollie-double/mollie-double';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { sql } from '../../db/sql.ts';

let mollie: MollieDouble;
let shop: LiveShop;

beforeAll(async () => {
  mollie = await startMollieDouble();
  shop = await startLiveShop({
    workers: false,
    env: { MOLLIE_API_BASE: mollie.url, MOLLIE_API_KEY: KEYS.test, MOLLIE_PROFILE_ID: KEYS.profile },
  });
});

afterAll(async () => {
  await shop?.close();
  await mollie?.close();
});

const begin = async (order: LiveOrder, method: string): Promise<string> => {
  const posted = await shop.post(order, '/pay', { method });
  expect(posted.status).toBe(303);
  const leaving = await fetch(`${order.checkout_url}/continue`, { redirect: 'manual' });
  return leaving.headers.get('location') ?? '';
};
const paymentId = async (order: LiveOrder, i = 0): Promise<string> =>
  String((await shop.paymentsOf(order)).toReversed().at(i)!.payment_id);
const callBack = async (id: string): Promise<number> => {
  const headers = { 'content-type': 'application/x-www-form-urlencoded' };
  return (await fetch(`${shop.url}/gateways/mollie`, { method: 'POST', headers, body: `id=${id}` })).status;
};
const thereOf = async (order: LiveOrder, i = 0) => mollie.paymentOf(await paymentId(order, i));
/** Mollie reports a change, and the shop works on it. */
const reportChange = async (order: LiveOrder, i = 0): Promise<void> => {
  expect(await callBack((await thereOf(order, i)).id)).toBe(200);
  await shop.later(12);
};
const approve = async (away: string): Promise<unknown> => fetch(`${away}?as=approves`, { redirect: 'manual' });
/** A payment that the player has approved, as the shop then has it. */
async function approved(method: string): Promise<LiveOrder> {
  const order = await shop.order({ country: 'NL' });
  await approve(await begin(order, method));
  await reportChange(order);
  return order;
}
const asked = (order: LiveOrder, event: string): number =>
  shop.game.requests.filter(({ body }) => body?.event_type === event && body.event_data.order_id === order.order_id)
    .length;
const attentionOf = async (order: LiveOrder): Promise<unknown> => {
  const [row] = await shop.database.db.query<{ attention: unknown }>(
    sql('test_attention')`select attention from payments where order_id = ${order.order_id}`,
  );
  return row!.attention;
};

describe('a payment at Mollie', () => {
  it.each([
    ['expired', 'abandoned'],
    ['canceled', 'abandoned'],
    ['failed', 'declined'],
  ] as const)('that is %s before the player paid leaves the order payable', async (status, ours) => {
    const order = await shop.order({ country: 'NL' });
    await begin(order, 'card');
    (await thereOf(order)).status = status;
    await reportChange(order);
    expect(await shop.paymentsOf(order)).toMatchObject([{ status: ours }]);
    expect(await shop.statusOf(order)).toBe('created');
    await approve(await begin(order, 'card'));
    await reportChange(order, 1);
    expect(await shop.statusOf(order)).toBe('paid');
  });

  it.each([
    ['is heard of', true],
    ['is not', false],
  ])(
    'whose reservation lapses while the game does not answer grants nothing for good, whether that %s',
    async (_, isReported) => {
      shop.game.answerAlways({ status: 503 });
      const order = await approved('card');
      expect(await shop.statusOf(order)).toBe('authorized');
      (await thereOf(order)).status = 'expired';
      if (isReported) await reportChange(order);
      shop.game.answerAlways(null);
      await shop.later(600);
      expect(await shop.statusOf(order)).toBe('rejected');
      // What the game may have granted goes.
      expect(asked(order, 'item.remove')).toBeGreaterThan(0);
      expect(mollie.movementsOf(await paymentId(order))).toEqual(['authorized']);
    },
  );

  it.each([
    ['card', ['authorized'], 'canceled'],
    ['ideal', ['authorized', 'captured', 'refunded'], 'paid'],
  ])('by %s that the game declines is released or returned', async (method, movements, there) => {
    shop.game.answerAlways({ status: 422, body: JSON.stringify({ code: 'declined' }) });
    const order = await approved(method);
    await shop.later(60);
    shop.game.answerAlways(null);
    expect(await shop.statusOf(order)).toBe('rejected');
    expect(mollie.movementsOf(await paymentId(order))).toEqual(movements);
    expect((await thereOf(order)).status).toBe(there);
  });

  it.each([100, 499])(
    'of which %i of 499 are charged back loses its items; given back, it needs attention once (row 214)',
    async part => {
      const order = await approved('card');
      expect(await shop.statusOf(order)).toBe('paid');
      const chargeback = mollie.store.chargeBack(await thereOf(order), part);
      await reportChange(order);
      expect(await shop.statusOf(order)).toBe('charged_back');
      await shop.later(60);
      expect(asked(order, 'item.remove')).toBe(1);
      expect(await attentionOf(order)).toBeNull();
      mollie.store.reverse(chargeback);
      for (let i = 0; i < 2; i++) {
        await reportChange(order);
        expect(await attentionOf(order)).toMatchObject({
          code: 'amount_differs',
          detail: [{ key: 'chargeback_reversed' }],
        });
      }
      expect(await shop.statusOf(order)).toBe('charged_back');
    },
  );

  it('that was given up in one tab and is approved there after another was paid goes back by itself', async () => {
    const order = await shop.order({ country: 'NL' });
    const away = await begin(order, 'ideal');
    await shop.post(order, '/give-up');
    await approve(await begin(order, 'card'));
    await reportChange(order, 1);
    expect(await shop.statusOf(order)).toBe('paid');
    await approve(away);
    await reportChange(order, 0);
    await shop.later(60);
    expect(mollie.movementsOf(await paymentId(order, 0))).toEqual(['authorized', 'captured', 'refunded']);
    expect(mollie.movementsOf(await paymentId(order, 1))).toEqual(['authorized', 'captured']);
    expect(asked(order, 'item.add')).toBe(1);
  });

  it('is captured once, whatever looks at it at the same moment', async () => {
    const order = await shop.order({ country: 'NL' });
    await approve(await begin(order, 'card'));
    const { id } = await thereOf(order);
    await Promise.all([
      ...Array.from({ length: 8 }, () => callBack(id)),
      ...Array.from({ length: 8 }, () => fetch(`${order.checkout_url}/return`, { redirect: 'manual' })),
    ]);
    await shop.later(12);
    expect(await shop.statusOf(order)).toBe('paid');
    expect(mollie.movementsOf(await paymentId(order))).toEqual(['authorized', 'captured']);
    expect(asked(order, 'item.add')).toBe(1);
  });
});
