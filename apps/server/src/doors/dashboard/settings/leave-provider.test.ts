import type { ProviderState } from '@coinslot/contract';
import { signedInMember, type TestBrowser } from '@coinslot/testing/dashboard';
import { OTHER_KEY, TEST_KEYS } from '@coinslot/testing/stripe-double/stripe-double';
import { type StripeShop, startStripeShop } from '@coinslot/testing/stripe-shop';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { sql } from '../../../db/sql.ts';

let shop: StripeShop;
let owner: TestBrowser;

const NO_SETTINGS = { STRIPE_SECRET_KEY: '', STRIPE_PUBLISHABLE_KEY: '', STRIPE_WEBHOOK_SECRET: '' };
const KEYS = { secret_key: TEST_KEYS.secret, publishable_key: TEST_KEYS.publishable };

const path = (tail = '') => `/companies/${shop.account.companyId}/providers/stripe${tail}`;
/** As an owner who has just signed in: it needs a fresh proof. */
async function connect(): Promise<void> {
  owner = (await signedInMember(shop, 'owner')).browser;
  expect((await owner.call('PUT', path(), KEYS)).status).toBe(200);
}

beforeAll(async () => {
  shop = await startStripeShop({ env: NO_SETTINGS });
  await connect();
});

afterAll(() => shop?.close());

async function payment(order: string): Promise<Record<string, unknown>> {
  const id = await shop.lastPayment(order);
  return (await shop.call('GET', `/s2s/v1/payments/${id}`, undefined, { key: shop.account.live.s2sKey })).body;
}

describe('an account that is disconnected', () => {
  const leaving = async () => (await owner.call<ProviderState>('GET', path())).body.leaving;
  const keysOf = (id: string) =>
    shop.database.db.queryAny(sql('test_kept_keys')`
      select 1 from provider_accounts where account_id = ${id} and secret_key_sealed is not null`);
  const granted = (order: string): boolean =>
    shop.game.requests.some(({ body }) => body?.event_type === 'item.add' && body.event_data.order_id === order);
  const reserved = async (): Promise<string> => {
    shop.game.answerAlways({ status: 503 });
    const order = await shop.order();
    await shop.payBy(order);
    expect(await shop.read(order)).toMatchObject({ status: 'authorized' });
    return order;
  };

  it('takes no new payment, and ends what it has begun: the game is asked and the money captured (row 154)', async () => {
    const order = await reserved();
    expect(await owner.call('DELETE', path())).toMatchObject({ status: 200, body: { connections: [] } });
    expect(await leaving()).toContainEqual(
      expect.objectContaining({ account_id: 'acct_Double0001', has_keys: true, open_payments: 1 }),
    );
    const refused = await shop.order();
    await shop.payBy(refused);
    expect(await payment(refused)).toMatchObject({ status: 'declined', response_code: 'provider_not_connected' });
    shop.game.answerAlways(null);
    await shop.later(120);
    expect(await shop.read(order)).toMatchObject({ status: 'paid' });
    expect(await shop.money(order)).toEqual(['authorized', 'captured']);
  });

  it('keeps its keys for as long as a payment can be disputed, and then no longer', async () => {
    await shop.later(86_400);
    owner = (await signedInMember(shop, 'owner')).browser;
    expect(await keysOf('acct_Double0001')).toBe(true);
    expect((await leaving()).find(({ account_id: id }) => id === 'acct_Double0001')).toMatchObject({
      open_payments: 0,
    });
    await shop.database.db.query(
      sql('test_years_ago')`update payments set captured_at = captured_at - interval '200 days', version = version + 1`,
    );
    await shop.later(86_400);
    owner = (await signedInMember(shop, 'owner')).browser;
    expect(await keysOf('acct_Double0001')).toBe(false);
    expect(await leaving()).toEqual([]);
  });

  it('while it does not answer, is left all the same; what it holds is captured once, when it is there again (row 154)', async () => {
    await connect();
    const order = await reserved();
    const all = 200;
    shop.stripe.faults.plan(/./, { kind: 'lose_request' }, all);
    expect(await owner.call('DELETE', path())).toMatchObject({ status: 200, body: { connections: [] } });
    expect(await leaving()).toContainEqual(expect.objectContaining({ has_keys: true, open_payments: 1 }));
    shop.game.answerAlways(null);
    await shop.later(120);
    expect(await shop.read(order)).toMatchObject({ status: 'authorized' });
    expect(await shop.money(order)).toEqual(['authorized']);
    shop.stripe.faults.clear();
    await shop.later(3_600);
    expect(await shop.read(order)).toMatchObject({ status: 'paid' });
    expect(await shop.money(order)).toEqual(['authorized', 'captured']);
  });

  it('because another takes its place, ends the payment whose player is still at the bank (row 154)', async () => {
    await connect();
    const order = await shop.order();
    await shop.payBy(order, 'pm_card_threeDSecure2Required');
    expect(await shop.read(order)).toMatchObject({ status: 'pending' });
    const other = { ...KEYS, secret_key: OTHER_KEY, account_id: 'acct_Double0001' };
    const replaced = await owner.call<ProviderState>('PUT', path(), other);
    expect(replaced).toMatchObject({ status: 200, body: { connections: [{ account_id: 'acct_Double0002' }] } });
    expect(await leaving()).toContainEqual(
      expect.objectContaining({ account_id: 'acct_Double0001', has_keys: true, open_payments: 1 }),
    );
    const intent = shop.stripe.intentOf(await shop.lastPayment(order));
    shop.stripe.authenticate(intent, true);
    await shop.hear(order);
    await shop.later(120);
    expect(await shop.read(order)).toMatchObject({ status: 'paid' });
    expect(await shop.money(order)).toEqual(['authorized', 'captured']);
    expect(shop.stripe.store.owners.get(intent.id)).toBe('acct_Double0001');
    // The next one is the new account's.
    const next = await shop.order();
    await shop.payBy(next);
    expect(shop.stripe.store.owners.get(shop.stripe.intentOf(await shop.lastPayment(next)).id)).toBe('acct_Double0002');
    expect(await shop.read(next)).toMatchObject({ status: 'paid' });
    await owner.call('DELETE', path('?confirm=true&account_id=acct_Double0002'));
  });

  it('by force first lets go of what is reserved: nothing is granted that could not be captured (row 155)', async () => {
    await connect();
    const order = await reserved();
    const asked = await shop.order();
    await shop.payBy(asked, 'pm_card_threeDSecure2Required');
    const first = await owner.call<ProviderState>('DELETE', path('?confirm=true'));
    expect(first.status).toBe(200);
    expect(first.body).toMatchObject({ connections: [], leaving: [] });
    expect(await keysOf('acct_Double0001')).toBe(false);
    const before = shop.game.requests.length;
    shop.game.answerAlways(null);
    await shop.later(3_600);
    expect(shop.game.requests.slice(before).some(({ body }) => body?.event_type === 'item.add')).toBe(false);
    expect(granted(order)).toBe(true);
    expect(await shop.read(order)).toMatchObject({ status: 'refunded' });
    expect(await shop.money(order)).toEqual(['authorized', 'canceled']);
    expect(await shop.read(asked)).toMatchObject({ status: 'created' });
  });

  it('by force says what it could not end, and the game is not asked for it (row 155)', async () => {
    await connect();
    const order = await reserved();
    await shop.later(120);
    owner = (await signedInMember(shop, 'owner')).browser;
    shop.stripe.faults.plan(/payment_intents/, { kind: 'lose_request' }, 20);
    const answer = await owner.call<ProviderState>('DELETE', path('?confirm=true'));
    shop.stripe.faults.clear();
    expect(answer.body.leaving).toMatchObject([{ has_keys: false, open_payments: 1 }]);
    const before = shop.game.requests.length;
    shop.game.answerAlways(null);
    await shop.later(7_200);
    expect(shop.game.requests.slice(before).some(({ body }) => body?.event_type === 'item.add')).toBe(false);
    // Connected again, what was left is brought to its end.
    await connect();
    await shop.later(7_200);
    expect(await shop.read(order)).toMatchObject({ status: 'refunded' });
    expect(await leaving()).toEqual([]);
  });
});
