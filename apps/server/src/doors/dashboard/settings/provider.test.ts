import { CONNECTION_CHECKS, type ProviderState } from '@coinslot/contract';
import { PASSWORD, signedInMember, type TestBrowser } from '@coinslot/testing/dashboard';
import { mailRows } from '@coinslot/testing/order-rows';
import { MASTER_KEY } from '@coinslot/testing/program';
import { registerTestAccount } from '@coinslot/testing/registered-game';
import { LIVE_KEY, OTHER_KEY, REVOKED_KEY, TEST_KEYS } from '@coinslot/testing/stripe-double/stripe-double';
import { type StripeShop, startStripeShop } from '@coinslot/testing/stripe-shop';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Statement, sql } from '../../../db/sql.ts';
import { sumLedger } from '../../../domain/ledger/sum-ledger.ts';
import { createSeal } from '../../../kit/seal.ts';

let shop: StripeShop;
let owner: TestBrowser;

const NO_SETTINGS = { STRIPE_SECRET_KEY: '', STRIPE_PUBLISHABLE_KEY: '', STRIPE_WEBHOOK_SECRET: '' };

beforeAll(async () => {
  shop = await startStripeShop({ env: NO_SETTINGS });
  owner = (await signedInMember(shop, 'owner')).browser;
});

afterAll(() => shop?.close());

const path = (tail = '') => `/companies/${shop.account.companyId}/providers/stripe${tail}`;
const KEYS = { secret_key: TEST_KEYS.secret, publishable_key: TEST_KEYS.publishable };
const callbackUrl = (accountId = 'acct_Double0001') =>
  `${shop.url}/gateways/stripe/${shop.account.companyId}/${accountId}`;
const connections = async () => (await owner.call<ProviderState>('GET', path())).body.connections;
const connect = (body: Record<string, unknown> = {}) => owner.call('PUT', path(), { ...KEYS, ...body });

async function payment(order: string): Promise<Record<string, unknown>> {
  const id = await shop.lastPayment(order);
  return (await shop.call('GET', `/s2s/v1/payments/${id}`, undefined, { key: shop.account.live.s2sKey })).body;
}

const everythingKept = async (): Promise<string> =>
  JSON.stringify(
    await shop.database.db.query(sql('test_kept')`
      select a.before::text, a.after::text, p.publishable_key, p.secret_key_last4,
             encode(p.secret_key_sealed, 'escape') as sealed, encode(p.callback_secret_sealed, 'escape') as callback
      from audit_entries a left join provider_accounts p on p.company_id = a.company_id`),
  );

/** The double's account is American. */
const NOT_FOR_THE_US = expect.stringContaining('PayPal through Stripe');

describe('without a provider', () => {
  it('the dashboard says so, a live order can be created, and paying says what is missing', async () => {
    expect((await owner.call<ProviderState>('GET', path())).body).toMatchObject({
      connections: [],
      allows_test_keys: true,
    });
    const order = await shop.order();
    await shop.payBy(order);
    expect(await payment(order)).toMatchObject({ status: 'declined', response_code: 'provider_not_connected' });
    expect(await owner.call('POST', path('/test'))).toMatchObject({
      status: 409,
      body: { code: 'provider_not_connected' },
    });
  });
});

describe('wrong keys', () => {
  it.each([
    [{ secret_key: 'sk_test_Unknown0001' }, 422, 'provider_key_invalid'],
    [{ secret_key: REVOKED_KEY }, 422, 'provider_key_revoked'],
    [{ secret_key: LIVE_KEY }, 422, 'provider_key_wrong_mode'],
    [{ secret_key: 'rk_test_Restricted1' }, 422, 'provider_permission_missing'],
    [{ secret_key: 'pk_test_Double0001' }, 422, 'validation_failed'],
    [{ publishable_key: 'sk_test_Double0001' }, 422, 'validation_failed'],
    [{ secret_key: 'hunter2' }, 422, 'validation_failed'],
    [{ callback_secret: 'hunter2' }, 422, 'validation_failed'],
  ])('%j have an error of their own, and nothing is kept', async (body, status, code) => {
    const answer = await connect(body);
    expect(answer).toMatchObject({ status, body: { code } });
    expect(JSON.stringify(answer.body)).not.toContain('Restricted1');
    expect(await connections()).toEqual([]);
  });

  it('a Stripe that does not answer changes nothing', async () => {
    shop.stripe.faults.plan(/account$/, { kind: 'answer', status: 500 });
    expect(await connect()).toMatchObject({ status: 503, body: { code: 'provider_unreachable' } });
    expect(await connections()).toEqual([]);
  });
});

describe('a connected account', () => {
  it('is shown without its secrets, which are sealed and in no audit entry', async () => {
    const answer = await connect({ callback_secret: TEST_KEYS.callback });
    expect(answer).toMatchObject({
      status: 200,
      body: {
        connections: [
          {
            provider: 'stripe',
            source: 'dashboard',
            account_id: 'acct_Double0001',
            display_name: 'Northwind Games',
            is_test: true,
            secret_key_hint: '0001',
            has_callback_secret: true,
            callback_url: expect.stringMatching(
              new RegExp(`/gateways/stripe/${shop.account.companyId}/acct_Double0001$`),
            ),
          },
        ],
      },
    });
    for (const text of [JSON.stringify(answer.body), await everythingKept()]) {
      expect(text).not.toContain(TEST_KEYS.secret);
      expect(text).not.toContain(TEST_KEYS.callback);
    }
    const audit = await owner.call<{ data: { kind: string }[] }>('GET', `/companies/${shop.account.companyId}/audit`);
    expect(audit.body.data.map(({ kind }) => kind)).toContain('provider.connected');
  });

  it('takes payments, and its callbacks have the company and the account in their address', async () => {
    const order = await shop.order();
    await shop.payBy(order, 'pm_card_threeDSecure2Required');
    const intent = shop.stripe.intentOf(await shop.lastPayment(order));
    shop.stripe.callBack({ url: callbackUrl(), secret: TEST_KEYS.callback });
    shop.stripe.authenticate(intent, true);
    expect(await shop.stripe.sendEvents([shop.stripe.store.events.at(-1)!])).toEqual([200]);
    await shop.program.workers.drain();
    expect(await shop.read(order)).toMatchObject({ status: 'paid' });
  });

  it('does not take callbacks of another company, however they are signed', async () => {
    const other = await registerTestAccount(shop.database.db, createSeal(MASTER_KEY));
    const { companyId } = shop.account;
    for (const tail of [`${other.companyId}/acct_Double0001`, `${companyId}/acct_none`]) {
      shop.stripe.callBack({ url: `${shop.url}/gateways/stripe/${tail}`, secret: TEST_KEYS.callback });
      expect(await shop.stripe.sendEvents([shop.stripe.store.events.at(-1)!])).toEqual([400]);
    }
  });

  it('keeps the secrets that are not given again', async () => {
    const changed = await owner.call('PUT', path(), { publishable_key: 'pk_test_Double0002' });
    expect(changed).toMatchObject({
      status: 200,
      body: {
        connections: [{ publishable_key: 'pk_test_Double0002', secret_key_hint: '0001', has_callback_secret: true }],
      },
    });
  });

  it('can be tested: keys, account, callback, and what to do', async () => {
    expect(await owner.call('POST', path('/test'))).toMatchObject({
      status: 200,
      body: {
        ok: true,
        callback: 'not_registered',
        advice: [expect.stringContaining('Register the callback'), NOT_FOR_THE_US],
      },
    });
  });

  it('says what to do in the language of the member who looks', async () => {
    const german = (await signedInMember(shop, 'viewer')).browser;
    const advices = async (browser: typeof owner): Promise<string[]> =>
      (await browser.call<ProviderState>('GET', path())).body.connections[0]!.checks.flatMap(
        ({ advice }) => advice ?? [],
      );
    const english = await advices(german);
    expect((await german.call('PATCH', '/me', { locale: 'de' })).status).toBe(200);
    const translated = await advices(german);
    expect(translated).toEqual([expect.stringContaining('Registriere den Callback'), expect.stringContaining('EWR')]);
    expect(english).toEqual(await advices(owner));
  });

  it('has its callback registered at Stripe by one press, once', async () => {
    for (let i = 0; i < 2; i++) expect((await owner.call('POST', path('/callback'))).status).toBe(200);
    const [only, ...more] = [...shop.stripe.store.endpoints.values()];
    expect(more).toEqual([]);
    expect(only!.url).toMatch(new RegExp(`/gateways/stripe/${shop.account.companyId}/acct_Double0001$`));
    expect(only!.enabled_events).toContain('charge.dispute.created');
    expect(await owner.call('POST', path('/test'))).toMatchObject({
      body: { ok: true, callback: 'working', advice: [NOT_FOR_THE_US] },
    });
  });

  it('keeps what the test found, check by check, for every member to see', async () => {
    const [connection] = await connections();
    expect(connection).toMatchObject({ failing_since: null, checked_at: expect.any(Number) });
    const names = new Set(connection!.checks.map(({ check }) => check));
    expect([...CONNECTION_CHECKS].filter(name => !names.has(name))).toEqual([]);
  });

  it('names the items that are cheaper than the provider takes', async () => {
    await shop.call(
      'PUT',
      '/s2s/v1/items/gem',
      { price_decimal: 0.1, currency: 'USD' },
      { key: shop.account.live.s2sKey },
    );
    expect(await owner.call('POST', path('/test'))).toMatchObject({
      body: { ok: true, advice: [NOT_FOR_THE_US, expect.stringContaining('gem (0.10 of at least 0.50 USD)')] },
    });
  });

  it('whose key is revoked says so to the player’s record and on the dashboard', async () => {
    shop.stripe.faults.plan(/^POST \/v1\/payment_intents$/, { kind: 'answer', status: 401 });
    const order = await shop.order();
    await shop.payBy(order);
    expect(await payment(order)).toMatchObject({ status: 'declined', response_code: 'provider_key_invalid' });
    const problem = expect.stringContaining('does not know the secret key');
    expect(await connections()).toMatchObject([{ problem_code: 'provider_key_invalid', problem }]);
    await owner.call('POST', path('/test'));
    expect(await connections()).toMatchObject([{ problem_code: null }]);
  });

  it('that is replaced by another has its callbacks registered there (row 153)', async () => {
    const replaced = await connect({ secret_key: OTHER_KEY, account_id: 'acct_Double0001' });
    expect(replaced).toMatchObject({
      status: 200,
      body: { connections: [{ account_id: 'acct_Double0002', has_callback_secret: true }] },
    });
    const made = [...shop.stripe.store.endpoints.values()].at(-1)!;
    expect(made).toMatchObject({ accountId: 'acct_Double0002' });
    const order = await shop.order();
    await shop.payBy(order);
    shop.stripe.callBack({ url: callbackUrl('acct_Double0002'), secret: `whsec_${made.id.replaceAll('_', '')}` });
    expect(await shop.stripe.sendEvents([shop.stripe.store.events.at(-1)!])).toEqual([200]);
    // Of the account before, whose payments are not forgotten.
    shop.stripe.callBack({ url: callbackUrl(), secret: TEST_KEYS.callback });
    expect((await owner.call<ProviderState>('GET', path())).body.leaving).toMatchObject([
      { account_id: 'acct_Double0001', has_keys: true, until: expect.any(Number) },
    ]);
    expect((await connect({ account_id: 'acct_Double0002' })).status).toBe(200);
  });

  it('that may have no more callbacks says so in the words of Stripe', async () => {
    const endpoint = [...shop.stripe.store.endpoints.values()].at(-1)!;
    const added = Array.from({ length: 16 }, (_, i) => `we_full_${i}`);
    for (const id of added) shop.stripe.store.endpoints.set(id, { ...endpoint, id, accountId: 'acct_Double0001' });
    expect(await owner.call('POST', path('/callback'))).toMatchObject({
      status: 422,
      body: { code: 'provider_refused_setup', detail: expect.stringContaining('maximum of 16 test webhook endpoints') },
    });
    for (const id of added) shop.stripe.store.endpoints.delete(id);
  });

  it('is disconnected without a word about its payments, and connected again', async () => {
    expect(await owner.call('DELETE', path())).toMatchObject({ status: 200, body: { connections: [] } });
    expect(await owner.call('DELETE', path())).toMatchObject({ status: 409, body: { code: 'provider_not_connected' } });
    expect(await connect()).toMatchObject({ status: 200, body: { connections: [{ account_id: 'acct_Double0001' }] } });
  });
});

describe('who may', () => {
  it('every role may look, only owners may change', async () => {
    const viewer = (await signedInMember(shop, 'viewer')).browser;
    const developer = (await signedInMember(shop, 'developer')).browser;
    expect((await viewer.call('GET', path())).status).toBe(200);
    expect(await viewer.call('POST', path('/test'))).toMatchObject({ status: 403, body: { code: 'role_too_low' } });
    expect((await developer.call('POST', path('/test'))).status).toBe(200);
    expect(await developer.call('PUT', path(), KEYS)).toMatchObject({ status: 403, body: { code: 'role_too_low' } });
    expect(await developer.call('DELETE', path())).toMatchObject({ status: 403 });
  });

  it('for a member of another company it is not there', async () => {
    const other = await registerTestAccount(shop.database.db, createSeal(MASTER_KEY));
    const stranger = (await signedInMember(shop, 'owner', other.companyId)).browser;
    for (const [method, tail] of [
      ['GET', ''],
      ['POST', '/test'],
      ['DELETE', ''],
    ] as const) {
      expect(await stranger.call(method, path(tail))).toMatchObject({
        status: 404,
        body: { code: 'company_not_found' },
      });
    }
  });
});

describe('a payment held for review', () => {
  const settle = (paymentId: string, decision: string, browser = owner, game = shop.account.gameId) =>
    browser.call('POST', `/games/${game}/live/attention/${paymentId}`, { action: decision, password: PASSWORD });

  const sumOf = async (statement: Statement): Promise<number> => {
    await shop.program.workers.drain();
    return (await shop.database.db.query<{ sum: number }>(statement))[0]!.sum;
  };
  const paidFigure = () =>
    sumOf(sql('test_paid_figure')`select coalesce(sum(amount_minor), 0)::bigint as sum from figures_hourly
      where measure = 'paid' and environment_id = ${shop.environmentId}`);
  const paidOrders = () =>
    sumOf(sql('test_paid_orders')`select sum(amount_minor)::bigint as sum from orders
      where paid_at is not null and environment_id = ${shop.environmentId}`);

  async function held(): Promise<string> {
    const order = await shop.order();
    await shop.payBy(order, 'pm_card_threeDSecure2Required');
    const intent = shop.stripe.intentOf(await shop.lastPayment(order));
    intent.amount = 450;
    shop.stripe.authenticate(intent, true);
    await shop.hear(order);
    expect(await shop.read(order)).toMatchObject({ status: 'pending' });
    return order;
  }

  it('is accepted: what the provider holds counts as paid everywhere (row 100)', async () => {
    const order = await held();
    const answer = await settle(await shop.lastPayment(order), 'accept');
    expect(answer).toMatchObject({ status: 200, body: { order_id: order } });
    expect(await shop.read(order)).toMatchObject({ status: 'paid' });
    expect(await payment(order)).toMatchObject({ status: 'succeeded', amount: 450, problem: null });
    expect(await shop.money(order)).toEqual(['authorized', 'captured']);
    // Receipt, figures and ledger say what was captured, and not what was asked for (row 100).
    expect(await shop.read(order)).toMatchObject({ amount: 450, attention: null });
    for (let round = 0; round < 2; round++) await shop.later(120);
    const { db } = shop.database;
    await expect.poll(paidFigure).toEqual(await paidOrders());
    expect(await sumLedger(db, shop.environmentId, [await shop.lastPayment(order)])).toMatchObject(
      new Map([[await shop.lastPayment(order), expect.objectContaining({ capturedMinor: 450 })]]),
    );
    expect((await mailRows(db, order)).some(({ text }) => text.includes('4.50'))).toBe(true);
  });

  it('is returned, once, and the order can be paid again', async () => {
    const order = await held();
    const id = await shop.lastPayment(order);
    expect(await settle(id, 'refund')).toMatchObject({ status: 200, body: { order_status: 'created' } });
    expect(await settle(id, 'refund')).toMatchObject({ status: 409, body: { code: 'payment_not_in_review' } });
    await shop.later(60);
    expect(await shop.money(order)).toEqual(['authorized', 'canceled']);
    await shop.payBy(order);
    expect(await shop.read(order)).toMatchObject({ status: 'paid' });
  });

  it('is decided by support and above, in its own game, and only while it is held', async () => {
    const order = await held();
    const id = await shop.lastPayment(order);
    const viewer = (await signedInMember(shop, 'viewer')).browser;
    expect(await settle(id, 'accept', viewer)).toMatchObject({ status: 403 });
    const other = await registerTestAccount(shop.database.db, createSeal(MASTER_KEY));
    const stranger = (await signedInMember(shop, 'owner', other.companyId)).browser;
    expect(await settle(id, 'accept', stranger)).toMatchObject({ status: 404, body: { code: 'game_not_found' } });
    expect(await settle(id, 'accept', stranger, other.gameId)).toMatchObject({
      status: 404,
      body: { code: 'payment_not_found' },
    });
    const paid = await shop.order();
    await shop.payBy(paid);
    expect(await settle(await shop.lastPayment(paid), 'accept')).toMatchObject({
      status: 409,
      body: { code: 'payment_not_in_review' },
    });
  });
});

describe('the daily test', () => {
  /** The owner's session does not live that long. */
  const dayLater = async (): Promise<void> => {
    await shop.later(25 * 3_600);
    owner = (await signedInMember(shop, 'owner')).browser;
  };

  it('is made by itself: what breaks is told once, and listed until it works again', async () => {
    const notices = () => mailRows(shop.database.db, 'Register the callback at');
    const attention = async () => {
      const list = `/games/${shop.account.gameId}/live/attention`;
      const { body } = await owner.call<Record<'connections' | 'differences', object[]> & { count: number }>(
        'GET',
        list,
      );
      return { connections: body.connections, count: body.count - body.differences.length };
    };
    await connect();
    await owner.call('POST', path('/callback'));
    await owner.call('POST', path('/test'));
    const { count } = await attention();
    shop.stripe.store.endpoints.clear();
    for (let day = 0; day < 2; day++) await dayLater();
    expect(await attention()).toMatchObject({
      count: count + 1,
      connections: [
        {
          provider: 'stripe',
          title: 'Stripe',
          checks: [{ check: 'callback', advice: expect.stringContaining('Register') }],
        },
      ],
    });
    expect((await connections())[0]?.failing_since).not.toBeNull();
    const metrics = await (await fetch(`${shop.url}/metrics`)).text();
    expect(metrics).toContain('coinslot_provider_connections{state="failing"} 1');
    const notified = (await notices()).map(({ recipient }) => recipient);
    expect(notified).not.toEqual([]);
    expect(new Set(notified).size).toBe(notified.length);
    await owner.call('POST', path('/callback'));
    await dayLater();
    expect(await attention()).toMatchObject({ count, connections: [] });
  });
});
