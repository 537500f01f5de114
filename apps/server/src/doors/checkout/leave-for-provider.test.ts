import type { BalanceDay, ProviderState } from '@coinslot/contract';
import { signedInMember, type TestBrowser } from '@coinslot/testing/dashboard';
import { type LiveOrder, type LiveShop, startLiveShop } from '@coinslot/testing/live-shop';
import { type PaypalDouble, startPaypalDouble } from '@coinslot/testing/paypal-double/paypal-double';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { reconcileCommand } from '../../commands/reconcile.ts';
import { sql } from '../../db/sql.ts';
import { paypalCallbacks } from '../../domain/payment/providers/paypal/callbacks/paypal-callbacks.ts';
import { createPaypalCertificates } from '../../domain/payment/providers/paypal/callbacks/paypal-certificates.ts';
import { createPaypalClient } from '../../domain/payment/providers/paypal/wire/paypal-client.ts';
import { systemClock } from '../../kit/clock.ts';
import type { Parts } from '../../program/parts.ts';

let paypal: PaypalDouble;
let shop: LiveShop;
let owner: TestBrowser;

/** The program trusts the double's authority, as it trusts PayPal's by the roots that Node brings. */
function trusting(parts: Parts): Parts {
  const client = createPaypalClient({
    bases: { live: paypal.url, sandbox: paypal.url },
    isTestBase: true,
    version: 'test',
    clock: systemClock,
  });
  const extraRoots = [paypal.signer.authority.ca];
  const certificates = createPaypalCertificates({ clock: systemClock, ownBases: [paypal.url], extraRoots });
  const callbacks = paypalCallbacks(client, certificates);
  const list = parts.live.list.map(one =>
    one.provider.name === 'paypal' ? { ...one, provider: { ...one.provider, callbacks } } : one,
  );
  const of = (name: string) => list.find(({ provider }) => provider.name === name);
  return { ...parts, live: { ...parts.live, list, of } };
}

beforeAll(async () => {
  paypal = await startPaypalDouble();
  shop = await startLiveShop({
    replace: trusting,
    env: {
      // So that a call that gets no answer has none at once.
      PROVIDER_REPEATS: '0',
      PAYPAL_API_BASE: paypal.url,
      PAYPAL_MODE: 'sandbox',
      PAYPAL_CLIENT_ID: paypal.keys.clientId,
      PAYPAL_CLIENT_SECRET: paypal.keys.secret,
      PAYPAL_WEBHOOK_ID: 'WEBHOOK1',
    },
  });
  owner = (await signedInMember(shop, 'owner')).browser;
  paypal.callBack(`${shop.url}/gateways/paypal`, 'WEBHOOK1');
});
beforeEach(() => paypal.store.events.splice(0));

afterAll(async () => {
  await shop?.close();
  await paypal?.close();
});

/** The double leads back to where the program says that it is; the test reaches it elsewhere. */
const here = (address: string): string => shop.url + new URL(address).pathname;

const begin = async (order: LiveOrder, fields: Record<string, string> = {}): Promise<string> => {
  const posted = await shop.post(order, '/pay', { method: 'paypal', ...fields });
  expect(posted.status).toBe(303);
  const leaving = await fetch(`${order.checkout_url}/continue`, { redirect: 'manual' });
  return leaving.headers.get('location') ?? '';
};

/** What the player presses at PayPal, and the way back. */
async function answer(away: string, pressed: 'yes' | 'no' | 'declined', comesBack = true): Promise<void> {
  const back = (await fetch(`${away}&answer=${pressed}`, { redirect: 'manual' })).headers.get('location')!;
  if (comesBack) await fetch(here(back), { redirect: 'manual' });
}

const paid = async (fields: Record<string, string> = {}): Promise<LiveOrder> => {
  const order = await shop.order();
  await answer(await begin(order, fields), 'yes');
  await shop.until(order, 'paid');
  return order;
};
const paymentOf = async (order: LiveOrder): Promise<string> =>
  String((await shop.paymentsOf(order)).at(-1)!.payment_id);

describe('a player who pays on the provider’s own pages', () => {
  it('is offered it without script, goes there, comes back, and it is paid', async () => {
    const order = await shop.order();
    const page = await shop.page(order);
    expect(page).toContain('value="paypal"');
    expect(page).not.toMatch(/paypal\.com|name="card_number"/);
    const away = await begin(order);
    expect(away).toContain('/checkoutnow?token=');
    expect(await shop.page(order)).toContain('/continue');
    await answer(away, 'yes');
    await shop.until(order, 'paid');
    expect(await shop.paymentsOf(order)).toMatchObject([{ status: 'succeeded', gateway: 'paypal', method: 'paypal' }]);
    expect(paypal.movementsOf(await paymentOf(order))).toEqual(['authorized', 'captured']);
  });

  it('and says no there finds the order as it was', async () => {
    const order = await shop.order();
    await answer(await begin(order), 'no');
    await shop.until(order, 'created');
    expect(await shop.page(order)).toContain('value="paypal"');
    expect(paypal.movementsOf(await paymentOf(order))).toEqual([]);
  });

  it('and is declined can try again, with another order there', async () => {
    const order = await shop.order();
    await answer(await begin(order), 'declined');
    await shop.until(order, 'created');
    await answer(await begin(order), 'yes');
    await shop.until(order, 'paid');
    expect(new Set((await shop.paymentsOf(order)).map(({ status }) => status))).toEqual(
      new Set(['declined', 'succeeded']),
    );
  });

  it('and never comes back has paid all the same, when the provider tells', async () => {
    const order = await shop.order();
    await answer(await begin(order), 'yes', false);
    expect(await shop.statusOf(order)).toBe('pending');
    expect(await paypal.sendEvents()).toEqual([200]);
    await shop.until(order, 'paid');
    // The same news again, and a forged one, change nothing.
    const events = paypal.store.events.slice(0, 1);
    expect(await paypal.sendEvents(events)).toEqual([200]);
    const forged = await fetch(`${shop.url}/gateways/paypal`, { method: 'POST', body: JSON.stringify(events[0]) });
    expect(forged.status).toBeGreaterThanOrEqual(400);
    expect(paypal.movementsOf(await paymentOf(order))).toEqual(['authorized', 'captured']);
  });

  it('and keeps it pays the next order with one tap, until they remove it', async () => {
    await paid({ save_method: 'on' });
    const next = await shop.order();
    let saved = '';
    await expect
      .poll(async () => {
        saved = /name="saved" value="(svm_\w+)"/.exec(await shop.page(next))?.[1] ?? '';
        return saved;
      })
      .not.toBe('');
    await shop.post(next, '/pay', { saved });
    await shop.until(next, 'paid');
    const another = await shop.order();
    // PayPal does not answer just then: it is gone here at once, and there as soon as PayPal can be asked.
    paypal.faults.plan(/^DELETE \/v3\/vault/, { kind: 'answer', status: 500 });
    await shop.post(another, '/forget', { saved });
    expect(await shop.page(another)).not.toContain(saved);
    await expect.poll(() => paypal.store.vault.size).toBe(0);
    expect(paypal.requests.filter(name => name.startsWith('DELETE /v3/vault'))).toHaveLength(2);
  });
});

describe('what happens at the provider later', () => {
  it('a dispute is heard of, and its outcome decides', async () => {
    const state = { status: 'UNDER_REVIEW', dispute_life_cycle_stage: 'CHARGEBACK' };
    for (const [outcome, status] of [
      ['RESOLVED_SELLER_FAVOUR', 'paid'],
      ['RESOLVED_BUYER_FAVOUR', 'charged_back'],
      ['NONE', 'disputed'],
    ] as const) {
      const order = await paid();
      paypal.store.events.splice(0);
      const id = paypal.dispute(await paymentOf(order), state);
      await paypal.sendEvents();
      await shop.until(order, 'disputed');
      paypal.store.events.splice(0);
      paypal.closeDispute(id, outcome);
      await paypal.sendEvents();
      if (status === 'disputed') {
        await expect
          .poll(async () => (await shop.paymentsOf(order)).at(-1)!.attention)
          .toMatchObject({ code: 'dispute_unclear' });
      }
      await shop.until(order, status);
    }
  });

  it('money that the provider took back reaches the game as a chargeback (row 176)', async () => {
    for (const reason of ['CHARGEBACK', null] as const) {
      const order = await paid();
      paypal.store.events.splice(0);
      paypal.reverse(await paymentOf(order), reason);
      expect(await paypal.sendEvents()).toEqual([200]);
      await shop.until(order, 'charged_back');
      const [removal] = await shop.database.db.query<{ reason: string }>(sql('test_reversal_reason')`
        select data ->> 'reason_code' as reason from events where order_id = ${order.order_id} and type = 'item.remove'`);
      expect(removal).toEqual({ reason: 'chargeback' });
    }
  });

  it('a day is compared once the provider has listed all of it, and a refund made there is taken over', async () => {
    const order = await paid();
    paypal.refundThere(await paymentOf(order));
    const lines: string[] = [];
    const write = (line: string): void => void lines.push(line);
    const opened = { ...shop.program.purchasing, write, writeError: write };
    const day = new Date(paypal.store.nowSeconds() * 1000).toISOString().slice(0, 10);
    paypal.settings.listedUntil = paypal.store.nowSeconds() - 86_400;
    expect(await reconcileCommand.run(['--day', day], opened)).toBe(1);
    paypal.settings.listedUntil = null;
    paypal.settings.largestPage = 3;
    expect(await reconcileCommand.run(['--day', day], opened)).toBe(0);
    expect(lines.at(-1)).toMatch(/^settings:paypal {2}\d+ payments, 1 refunds, \d+ disputes, \d+ differences$/);
    expect(await shop.statusOf(order)).toBe('refunded');
  });

  it('a day’s money adds up, with what went to the bank', async () => {
    const order = await paid();
    paypal.book('T0403', '-3.00');
    paypal.book('T0200', '-1.25');
    const day = new Date(paypal.store.nowSeconds() * 1000).toISOString().slice(0, 10);
    const quiet = (): void => {};
    const opened = { ...shop.program.purchasing, write: quiet, writeError: quiet };
    expect(await reconcileCommand.run(['--day', day], opened)).toBe(0);
    const path = `/companies/${shop.account.companyId}/reconciliation/days/${day}`;
    const { sums, payouts, entries } = (await owner.call<BalanceDay>('GET', path)).body;
    const [sum] = sums;
    expect(sum).toMatchObject({ account_id: 'settings:paypal', currency: 'EUR', paid_out: 300 });
    expect(sum!.lines).toContainEqual({ line: 'conversion', count: 1, amount: -125 });
    expect(sum!.lines.reduce((total, { amount }) => total + amount, 0)).toBe(sum!.net);
    expect(payouts).toMatchObject([{ amount: 300, entries: 0, difference: null }]);
    expect(entries.find(({ order_id }) => order_id === order.order_id)).toMatchObject({ kind: 'payment', gross: 499 });
    expect(entries.filter(({ kind }) => kind === 'payment').every(({ fee }) => fee > 0)).toBe(true);
  });
});

describe('a callback', () => {
  const send = (body: string, headers: Record<string, string>, tail = '') =>
    fetch(`${shop.url}/gateways/paypal${tail}`, { method: 'POST', headers, body });
  const kept = async (): Promise<number> =>
    (
      await shop.database.db.query(sql('test_paypal_events')`
    select 1 from provider_events`)
    ).length;

  it('is verified without asking the provider, and one that is forged, changed or sent elsewhere is refused', async () => {
    const order = await shop.order();
    await answer(await begin(order), 'yes', false);
    const body = JSON.stringify(paypal.store.events.at(-1));
    const right = paypal.headersFor(body, 'WEBHOOK1');
    const before = await kept();
    const sig = 'paypal-transmission-sig';
    const wrong: [string, Record<string, string>][] = [
      [body, { ...right, [sig]: Buffer.from('forged').toString('base64') }],
      [body.replace('APPROVED', 'COMPLETED'), right],
      [body, paypal.headersFor(body, 'WEBHOOK2')],
      [body, { ...right, 'paypal-cert-url': 'https://evil.example/cert.pem' }],
    ];
    for (const [text, headers] of wrong) {
      const refused = await send(text, headers);
      expect(refused.status).toBe(400);
      expect(await refused.json()).toMatchObject({ code: 'callback_refused' });
    }
    expect(await kept()).toBe(before);
    expect(await shop.statusOf(order)).toBe('pending');
    for (let i = 0; i < 3; i++) expect((await send(body, right)).status).toBe(200);
    expect(await kept()).toBe(before + 1);
    await shop.until(order, 'paid');
    expect(paypal.movementsOf(await paymentOf(order))).toEqual(['authorized', 'captured']);
    expect(paypal.requests.filter(name => name.includes('verify-webhook-signature'))).toEqual([]);
  });

  it('for a connection that was deleted is refused in the same words, and its payment is not lost', async () => {
    const { companyId } = shop.account;
    const path = `/companies/${companyId}/providers/paypal`;
    const keys = { publishable_key: paypal.keys.clientId, secret_key: paypal.keys.secret };
    expect((await owner.call('PUT', path, { ...keys, callback_secret: 'WEBHOOK3' })).status).toBe(200);
    const order = await shop.order();
    await answer(await begin(order), 'yes', false);
    expect((await owner.call('DELETE', `${path}?confirm=true`)).status).toBe(200);
    const body = JSON.stringify(paypal.store.events.at(-1));
    const refused = await send(body, paypal.headersFor(body, 'WEBHOOK3'), `/${companyId}/${paypal.keys.clientId}`);
    expect(refused.status).toBe(400);
    expect(await refused.text()).not.toMatch(/deleted|erased|connection/i);
    // Connected again, the payment is found by asking.
    await owner.call('PUT', path, keys);
    await fetch(`${order.checkout_url}/return`, { redirect: 'manual' });
    await shop.until(order, 'paid');
    await owner.call('DELETE', `${path}?confirm=true`);
  });
});

describe('in the dashboard', () => {
  const at = (tail: string) => `/companies/${shop.account.companyId}${tail}`;
  const keys = () => ({ publishable_key: paypal.keys.clientId, secret_key: paypal.keys.secret });

  it('each provider is shown with what it takes and what it calls its keys', async () => {
    const { body } = await owner.call<{ data: object[] }>('GET', at('/providers'));
    expect(body).toMatchObject({
      fails_over: true,
      data: [
        { provider: 'stripe', connections: [] },
        {
          provider: 'paypal',
          title: 'PayPal',
          key_names: { publishable_key: 'Client ID', secret_key: 'Secret', callback_secret: 'Webhook ID' },
          methods: ['paypal'],
          connections: [{ source: 'settings', is_test: true }],
        },
        { provider: 'mollie', key_names: { publishable_key: 'Profile ID', callback_secret: null }, connections: [] },
      ],
    });
    expect((await owner.call('GET', at('/providers/adyen'))).status).toBe(404);
  });

  it('keys are tried before they are saved, tested, and told where to send news', async () => {
    const path = at('/providers/paypal');
    const wrong = { ...keys(), secret_key: 'EwrongSecret00000000000000000000000000001' };
    expect(await owner.call('PUT', path, wrong)).toMatchObject({ status: 422, body: { code: 'provider_key_invalid' } });
    expect(await owner.call('PUT', path, { ...keys(), secret_key: 'short' })).toMatchObject({ status: 422 });
    expect(await owner.call('PUT', path, keys())).toMatchObject({
      status: 200,
      body: { connections: [{ source: 'dashboard', account_id: paypal.keys.clientId, default_currency: 'EUR' }] },
    });
    expect(await owner.call('POST', `${path}/callback`)).toMatchObject({
      body: { connections: [{ has_callback_secret: true }] },
    });
    expect(await owner.call('POST', `${path}/test`)).toMatchObject({
      body: { ok: true, callback: 'working', advice: [] },
    });
    paypal.scopes.delete('https://uri.paypal.com/services/reporting/search/read');
    expect(await owner.call('POST', `${path}/test`)).toMatchObject({
      body: { ok: true, advice: [expect.stringContaining('Transaction search')] },
    });
    // Payments that began with the keys of the settings go on with those.
    const order = await paid();
    expect(await owner.call('DELETE', path)).toMatchObject({
      status: 200,
      body: { connections: [{ source: 'settings' }] },
    });
    expect(await shop.statusOf(order)).toBe('paid');
  });

  it('a method is not taken by a provider that the company switched off for it', async () => {
    const path = at('/methods/paypal');
    const off = await owner.call('PATCH', path, { taker: { provider: 'paypal', enabled: false } });
    expect(off).toMatchObject({ status: 200, body: { takers: [{}, { provider: 'paypal', enabled: false }, {}] } });
    const offer = () =>
      owner.call('GET', `/games/${shop.account.gameId}/live/offer?currency=EUR&country=DE&amount=499`);
    await expect.poll(async () => (await offer()).body).toMatchObject({ methods: [], missing: 'method' });
    await owner.call('PATCH', path, { taker: { provider: 'paypal', enabled: true } });
    await expect.poll(async () => (await offer()).body).toMatchObject({ methods: [{ id: 'paypal' }], missing: null });
    const foreign = { taker: { provider: 'paypal', enabled: false } };
    expect(await owner.call('PATCH', at('/methods/card'), foreign)).toMatchObject({ status: 422 });
  });

  it('a method is routed to a provider that can take it, and to no other', async () => {
    const path = at('/methods/paypal');
    expect(await owner.call('PATCH', path, { route: 'paypal' })).toMatchObject({
      body: {
        route: 'paypal',
        takers: [
          { provider: 'stripe', connected: false },
          { provider: 'paypal', connected: true },
          { provider: 'mollie', connected: false },
        ],
      },
    });
    expect(await owner.call('PATCH', at('/methods/card'), { route: 'paypal' })).toMatchObject({ status: 422 });
    expect(await owner.call('PATCH', path, { route: null })).toMatchObject({ body: { route: null } });
    expect(await owner.call('PATCH', at('/providers'), { fails_over: true })).toMatchObject({
      body: { fails_over: true },
    });
    await owner.call('PATCH', at('/providers'), { fails_over: false });
  });

  it('a provider that gives no answer for minutes is marked until it does', async () => {
    const order = await shop.order();
    await begin(order);
    // A page may have the provider asked again after three seconds.
    await shop.later(4);
    paypal.faults.plan(/^GET \/v2\/checkout\/orders/, { kind: 'lose_request' }, 20);
    await fetch(`${order.checkout_url}/return`, { redirect: 'manual' });
    const since = async () =>
      (await owner.call<ProviderState>('GET', at('/providers/paypal'))).body.connections[0]!.silent_since;
    expect(await since()).toBeNull();
    await shop.later(240);
    await expect.poll(since).not.toBeNull();
    const metrics = await (await fetch(`${shop.url}/metrics`)).text();
    expect(metrics).toContain('coinslot_provider_connections{state="silent"} 1');
    paypal.faults.clear();
    await fetch(`${order.checkout_url}/return`, { redirect: 'manual' });
    await expect.poll(since).toBeNull();
  });
});
