import type { BalanceDay } from '@coinslot/contract';
import { signedInMember, type TestBrowser } from '@coinslot/testing/dashboard';
import { type LiveOrder, type LiveShop, startLiveShop } from '@coinslot/testing/live-shop';
import { type PaypalDouble, startPaypalDouble } from '@coinslot/testing/paypal-double/paypal-double';
import { signatureHeader } from '@coinslot/testing/stripe-double/callbacks';
import {
  LIVE_KEY,
  REVOKED_KEY,
  type StripeDouble,
  startStripeDouble,
  TEST_KEYS,
} from '@coinslot/testing/stripe-double/stripe-double';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { reconcileCommand } from '../../commands/reconcile.ts';
import { sql } from '../../db/sql.ts';
import { createLogger } from '../../http/log.ts';

let stripe: StripeDouble;
let paypal: PaypalDouble;
let shop: LiveShop;
let owner: TestBrowser;
const lines: string[] = [];

beforeAll(async () => {
  [stripe, paypal] = await Promise.all([startStripeDouble(), startPaypalDouble()]);
  shop = await startLiveShop({
    env: { STRIPE_API_BASE: stripe.url, PAYPAL_API_BASE: paypal.url, PAYPAL_MODE: 'sandbox' },
    replace: parts => ({ ...parts, logger: createLogger('info', { write: line => void lines.push(line) }) }),
  });
  owner = (await signedInMember(shop, 'owner')).browser;
  for (const provider of PROVIDERS) expect((await connect(provider)).status).toBe(200);
  expect((await owner.call('PATCH', at('/methods/paypal'), { route: 'paypal' })).status).toBe(200);
});
beforeEach(() => void lines.splice(0));
afterAll(async () => {
  await shop?.close();
  await Promise.all([stripe?.close(), paypal?.close()]);
});

interface Case {
  name: 'stripe' | 'paypal';
  keys(): Record<string, string>;
  /** What a member may paste, and what is said to it. */
  bad(): [what: string, keys: Record<string, string>, code: string][];
  secrets(): string[];
  /** A payment that waits for the player, who then says yes there. */
  wait(): Promise<LiveOrder>;
  approve(order: LiveOrder): Promise<void>;
  /** The newest event as the provider would send it, and with another secret. */
  event(): [body: string, right: Record<string, string>, forged: Record<string, string>];
  /** The provider answers every question about a payment so, from now on. */
  revoke(): void;
  movements(paymentId: string): string[];
}

const paymentOf = async (order: LiveOrder): Promise<string> =>
  String((await shop.paymentsOf(order)).at(-1)!.payment_id);
const now = (): number => stripe.store.nowSeconds();
const PAYPAL_HOOK = 'WEBHOOK9SECRET';

const STRIPE: Case = {
  name: 'stripe',
  keys: () => ({
    publishable_key: TEST_KEYS.publishable,
    secret_key: TEST_KEYS.secret,
    callback_secret: TEST_KEYS.callback,
  }),
  bad: () => [
    ['a wrong key', { secret_key: 'sk_test_Mistyped0001' }, 'provider_key_invalid'],
    ['a revoked key', { secret_key: REVOKED_KEY }, 'provider_key_revoked'],
    ['a key of another mode', { secret_key: LIVE_KEY }, 'provider_key_wrong_mode'],
  ],
  secrets: () => [TEST_KEYS.secret, TEST_KEYS.callback, 'sk_test_Mistyped0001', REVOKED_KEY, LIVE_KEY],
  async wait() {
    const order = await shop.order();
    const provider_token = stripe.token('pm_card_threeDSecure2Required');
    await shop.post(order, '/pay', { method: 'card', provider_token });
    return order;
  },
  async approve(order) {
    stripe.authenticate(stripe.intentOf(await paymentOf(order)), true);
  },
  event() {
    const body = JSON.stringify(stripe.store.events.at(-1));
    const signed = (secret: string) => ({ 'stripe-signature': signatureHeader(body, secret, now()) });
    return [body, signed(TEST_KEYS.callback), signed('whsec_forged')];
  },
  revoke: () => stripe.faults.plan(/^GET \/v1\/payment_intents/, { kind: 'answer', status: 401 }),
  movements: id => stripe.movementsOf(id),
};

const PAYPAL: Case = {
  name: 'paypal',
  keys: () => ({
    publishable_key: paypal.keys.clientId,
    secret_key: paypal.keys.secret,
    callback_secret: PAYPAL_HOOK,
  }),
  bad: () => [
    ['a wrong key', { secret_key: 'EmistypedSecret000000000000000000000000001' }, 'provider_key_invalid'],
    ['a key of another app', { publishable_key: 'AforeignClient000000000000000000000000001' }, 'provider_key_invalid'],
    ['keys of the wrong length', { secret_key: 'short' }, 'validation_failed'],
  ],
  secrets: () => [paypal.keys.secret, 'EmistypedSecret000000000000000000000000001', PAYPAL_HOOK],
  async wait() {
    const order = await shop.order();
    await shop.post(order, '/pay', { method: 'paypal' });
    return order;
  },
  async approve(order) {
    paypal.approve(await paymentOf(order));
  },
  event() {
    const body = JSON.stringify(paypal.store.events.at(-1));
    return [body, paypal.headersFor(body, PAYPAL_HOOK), paypal.headersFor(body, 'WEBHOOKFORGED')];
  },
  revoke() {
    // The first is answered by asking for a new token, which PayPal does not give.
    paypal.faults.plan(/^GET \/v2\/checkout\/orders/, { kind: 'answer', status: 401 });
    paypal.faults.plan(/^GET \/v2\/checkout\/orders/, { kind: 'answer', status: 401 });
  },
  movements: id => paypal.movementsOf(id),
};

const PROVIDERS = [STRIPE, PAYPAL];

const at = (tail: string): string => `/companies/${shop.account.companyId}${tail}`;
const connect = ({ name, keys }: Case, more: Record<string, string> = {}) =>
  owner.call<{ code?: string }>('PUT', at(`/providers/${name}`), { ...keys(), ...more });
const connectionOf = async ({ name }: Case) =>
  (await owner.call<{ connections: Record<string, unknown>[] }>('GET', at(`/providers/${name}`))).body.connections[0];
const accounts: Record<string, string> = { stripe: 'acct_Double0001' };
const callBack = ({ name }: Case, body: string, headers: Record<string, string>) =>
  fetch(`${shop.url}/gateways/${name}/${shop.account.companyId}/${accounts[name] ?? paypal.keys.clientId}`, {
    method: 'POST',
    body,
    headers,
  });
const keptEvents = async (): Promise<number> =>
  (await shop.database.db.query(sql('test_bad_input_events')`select 1 from provider_events`)).length;

const expectNoSecrets = ({ secrets }: Case): void => {
  for (const secret of secrets()) expect(lines.join('')).not.toContain(secret);
};

describe.each(PROVIDERS)('$name', provider => {
  it('keys that do not work are refused one by one, logged without them, and what was connected stays', async () => {
    const before = await connectionOf(provider);
    for (const [what, keys, code] of provider.bad()) {
      expect(await connect(provider, keys), what).toMatchObject({ body: { code } });
      expect(lines.join(''), what).toContain(code.startsWith('provider_') ? `"code":"${code}"` : '');
    }
    expect(await connectionOf(provider)).toEqual(before);
    expectNoSecrets(provider);
    const order = await provider.wait();
    await provider.approve(order);
    await fetch(`${order.checkout_url}/return`, { redirect: 'manual' });
    await shop.until(order, 'paid');
  });

  it('a key that is revoked while a player pays is told to members, and the payment goes on with the next', async () => {
    const order = await provider.wait();
    await provider.approve(order);
    provider.revoke();
    await fetch(`${order.checkout_url}/return`, { redirect: 'manual' });
    await expect.poll(async () => (await connectionOf(provider))?.problem_code).toBe('provider_key_invalid');
    expect(await shop.statusOf(order)).toBe('pending');
    expect((await connect(provider)).status).toBe(200);
    await fetch(`${order.checkout_url}/return`, { redirect: 'manual' });
    await shop.until(order, 'paid');
    expect(provider.movements(await paymentOf(order))).toEqual(['authorized', 'captured']);
    expectNoSecrets(provider);
  });

  it('a forged callback is refused and logged, a replayed one is taken once', async () => {
    const order = await provider.wait();
    await provider.approve(order);
    const [body, right, forged] = provider.event();
    const before = await keptEvents();
    const refused = await callBack(provider, body, forged);
    expect([refused.status, await refused.json()]).toMatchObject([400, { code: 'callback_refused' }]);
    expect(await keptEvents()).toBe(before);
    expect(await shop.statusOf(order)).toBe('pending');
    const line = lines.find(one => one.includes('a callback was refused'));
    expect(JSON.parse(line ?? '{}')).toMatchObject({ provider: provider.name, company_id: shop.account.companyId });
    const answers = await Promise.all([1, 2, 3, 4].map(() => callBack(provider, body, right)));
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200]);
    expect(await keptEvents()).toBe(before + 1);
    await shop.until(order, 'paid');
    expect(provider.movements(await paymentOf(order))).toEqual(['authorized', 'captured']);
    expectNoSecrets(provider);
  });

  it('a callback for a deleted connection is refused in the same words, and its payment is found again', async () => {
    const order = await provider.wait();
    await provider.approve(order);
    const [body, right, forged] = provider.event();
    const wrong = (await (await callBack(provider, body, forged)).json()) as Record<string, unknown>;
    expect((await owner.call('DELETE', at(`/providers/${provider.name}?confirm=true`))).status).toBe(200);
    const deleted = (await (await callBack(provider, body, right)).json()) as Record<string, unknown>;
    expect({ ...deleted, request_id: '' }).toEqual({ ...wrong, request_id: '' });
    // Before the keys go, what the player has approved is brought to its end.
    expect(await shop.statusOf(order)).toBe('paid');
    expect((await connect(provider)).status).toBe(200);
    await fetch(`${order.checkout_url}/return`, { redirect: 'manual' });
    await shop.until(order, 'paid');
    expectNoSecrets(provider);
  });
});

describe('a currency', () => {
  it('that no connection takes is told when the order is made, and no provider is asked', async () => {
    const order = await shop.order({ currency: 'IRR', price_decimal: 100 });
    const { body } = await shop.call('GET', `/s2s/v1/orders/${order.order_id}`);
    expect(body.payment_blocked).toMatchObject({ code: 'currency_unsupported' });
    const asked = () => [stripe.store.intents.size, paypal.requests.filter(one => one.includes('/orders')).length];
    const before = asked();
    for (const method of ['card', 'paypal']) {
      expect((await shop.post(order, '/pay', { method, provider_token: stripe.token() })).status).toBe(303);
    }
    expect(asked()).toEqual(before);
    expect(await shop.statusOf(order)).toBe('created');
    expect(await shop.paymentsOf(order)).toEqual([]);
  });

  it.each(['ZZZ', 'eur', 'EURO', ''])('that is none (%j) makes no order', async currency => {
    const order = { player_id: 'mika', items: [{ sku: 'gems' }], price_decimal: 4.99, currency };
    expect(await shop.call('POST', '/s2s/v1/orders', order)).toMatchObject({
      status: 422,
      body: { code: 'validation_failed' },
    });
  });

  it('that is not known here costs a day of the account one line, not the day', async () => {
    paypal.book('T0006', '9.50', 'ZZZ');
    paypal.book('T0403', '-3.00');
    const [like] = stripe.store.booked.values();
    stripe.store.booked.set('txn_foreign', { ...like!, id: 'txn_foreign', currency: 'zzz', source: 'ch_foreign' });
    const day = new Date(now() * 1000).toISOString().slice(0, 10);
    const quiet = (): void => {};
    const opened = { ...shop.program.purchasing, write: quiet, writeError: quiet };
    expect(await reconcileCommand.run(['--day', day], opened)).toBe(0);
    const { sums } = (await owner.call<BalanceDay>('GET', at(`/reconciliation/days/${day}`))).body;
    expect(sums.map(({ currency }) => currency).toSorted()).toEqual(['EUR', 'EUR', 'ZZZ', 'ZZZ']);
    for (const { lines: booked, net } of sums) expect(booked.reduce((sum, { amount }) => sum + amount, 0)).toBe(net);
  });
});
