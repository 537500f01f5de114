import type { MethodOffer, ProviderState } from '@coinslot/contract';
import { signedInMember, type TestBrowser } from '@coinslot/testing/dashboard';
import { type LiveOrder, type LiveShop, startLiveShop } from '@coinslot/testing/live-shop';
import { MASTER_KEY } from '@coinslot/testing/program';
import { registerTestAccount } from '@coinslot/testing/registered-game';
import { signatureHeader } from '@coinslot/testing/stripe-double/callbacks';
import {
  OTHER_KEY,
  type StripeDouble,
  startStripeDouble,
  TEST_KEYS,
} from '@coinslot/testing/stripe-double/stripe-double';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { inSequence } from '../../../../../../e2e/in-sequence.ts';
import { sql } from '../../../db/sql.ts';
import { createSeal } from '../../../kit/seal.ts';

inSequence();

const FIRST = 'acct_Double0001';
const SECOND = 'acct_Double0002';
const SECRETS = { [FIRST]: TEST_KEYS.callback, [SECOND]: 'whsec_OfTheSecond0001' };
const RULE = { countries: null, currencies: null, methods: null, min_amount: null, max_amount: null };

let stripe: StripeDouble;
let shop: LiveShop;
let owner: TestBrowser;

beforeAll(async () => {
  stripe = await startStripeDouble();
  shop = await startLiveShop({ env: { STRIPE_API_BASE: stripe.url, PROVIDER_REPEATS: '0' } });
  owner = (await signedInMember(shop, 'owner')).browser;
});

afterAll(async () => {
  await shop?.close();
  await stripe?.close();
});

const at = (tail: string): string => `/companies/${shop.account.companyId}${tail}`;
const path = (query = ''): string => at(`/providers/stripe${query}`);
const of = (accountId: string): string => `?account_id=${accountId}`;
const connect = (secret_key: string, callback_secret: string, more: object = {}) =>
  owner.call<ProviderState>('PUT', path(), {
    secret_key,
    callback_secret,
    publishable_key: TEST_KEYS.publishable,
    ...more,
  });
const addGame = async (name: string): Promise<string> => {
  const game_url = `https://play.google.com/store/apps/details?id=com.northwind.${name}`;
  return (await owner.call<{ id: string }>('POST', at('/games'), { game_url, game_name: name })).body.id;
};
const connections = async () => (await owner.call<ProviderState>('GET', path())).body.connections;

const offer = async (currency: string): Promise<string | null | undefined> => {
  const visit = `currency=${currency}&country=US&amount=499`;
  const { body } = await owner.call<MethodOffer>('GET', `/games/${shop.account.gameId}/live/offer?${visit}`);
  return body.methods.find(({ id }) => id === 'card')?.account_id;
};
/** Pages know within seconds. */
const untilOffered = (currency: string, accountId: string | undefined) =>
  expect.poll(() => offer(currency)).toBe(accountId);

const newest = async (order: LiveOrder): Promise<string> => String((await shop.paymentsOf(order))[0]!.payment_id);
const pay = async (order: LiveOrder, method?: string, more: Record<string, string> = {}): Promise<string> => {
  const provider_token = stripe.token(method, { save: more.save_method === 'on' });
  expect((await shop.post(order, '/pay', { method: 'card', provider_token, ...more })).status).toBe(303);
  return newest(order);
};
const takerOf = (paymentId: string): Promise<string> =>
  shop.database.db.queryValue(
    sql('test_taker')`select account_id from provider_charges where payment_id = ${paymentId}`,
  );

describe('two accounts of one provider', () => {
  it('stand beside each other, each with its name, its scope and its own callback address', async () => {
    expect((await connect(TEST_KEYS.secret, SECRETS[FIRST])).status).toBe(200);
    expect((await connect(OTHER_KEY, SECRETS[SECOND])).status).toBe(200);
    const named = await owner.call<ProviderState>('PATCH', path(of(SECOND)), {
      label: 'Northwind Europe GmbH',
      currencies: ['EUR', 'EUR'],
    });
    expect(named.status).toBe(200);
    // Whose scope is narrower is asked first.
    expect(named.body.connections).toMatchObject([
      {
        account_id: SECOND,
        label: 'Northwind Europe GmbH',
        currencies: ['EUR'],
        games: null,
        callback_url: expect.stringMatching(`/gateways/stripe/${shop.account.companyId}/${SECOND}$`),
      },
      { account_id: FIRST, label: null, currencies: null },
    ]);
    const audit = await owner.call<{ data: object[] }>('GET', at('/audit?kind=provider.scope_changed'));
    expect(audit.body.data).toMatchObject([{ after: { label: 'Northwind Europe GmbH', currencies: 'EUR' } }]);
  });

  it('have to be named where one is meant, and another company’s is not there', async () => {
    for (const [method, tail] of [
      ['POST', '/test'],
      ['POST', '/callback'],
      ['DELETE', ''],
      ['PATCH', ''],
    ] as const) {
      expect(await owner.call(method, `${path()}${tail}`, method === 'PATCH' ? {} : undefined), tail).toMatchObject({
        status: 422,
        body: { errors: [{ pointer: '/account_id', code: 'required' }] },
      });
    }
    const other = await registerTestAccount(shop.database.db, createSeal(MASTER_KEY));
    expect((await owner.call('PATCH', path(of('acct_none')), { label: 'x' })).status).toBe(409);
    expect((await owner.call('PATCH', path(of(FIRST)), { games: [other.gameId] })).status).toBe(404);
    const stranger = (await signedInMember(shop, 'owner', other.companyId)).browser;
    expect((await stranger.call('PATCH', path(of(FIRST)), { label: 'x' })).status).toBe(404);
    const rule = { ...RULE, provider: 'stripe', account: 'acct_none' };
    expect(await owner.call('PUT', at('/routing'), { rules: [rule] })).toMatchObject({
      status: 422,
      body: { errors: [{ pointer: '/rules/0/account' }] },
    });
    const game = { ...RULE, provider: 'stripe', games: [other.gameId] };
    expect((await owner.call('PUT', at('/routing'), { rules: [game] })).status).toBe(404);
  });

  it('take no name that reads as another, and no text that the database cannot hold (row 188)', async () => {
    const patch = async (query: string, body: object) => (await owner.call('PATCH', path(query), body)).status;
    for (const label of ['\u202Enevig', 'two\nlines', 'nul\0', 'bell\u0007', 'x'.repeat(61), ''])
      expect([400, 422], JSON.stringify(label)).toContain(await patch(of(SECOND), { label }));
    for (const query of ['?account_id=%00', `?account_id=${'a'.repeat(256)}`, '?account_id='])
      expect([400, 409, 422], query).toContain(await patch(query, { label: 'x' }));
    for (const body of [{ games: ['\0'] }, { currencies: ['\0UR'] }])
      expect([400, 404, 422]).toContain(await patch(of(SECOND), body));
    for (const tail of ['%00/x', `${shop.account.companyId}/%00`, `${'c'.repeat(900)}/${'a'.repeat(900)}`]) {
      const answer = await fetch(`${shop.url}/gateways/stripe/${tail}`, { method: 'POST', body: '{}' });
      expect(answer.status, tail.slice(0, 40)).toBeGreaterThanOrEqual(400);
      expect(answer.status, tail.slice(0, 40)).toBeLessThan(500);
    }
    // What the contract does not declare reaches nothing.
    const smuggled = { label: 'Northwind Europe GmbH', company_id: 'cmp_x', secret_key: 'x', isCurrent: false };
    expect(await patch(of(SECOND), smuggled)).toBe(200);
    expect(await connections()).toHaveLength(2);
  });

  it('take each what its scope says, and the payment keeps who took it (row 186)', async () => {
    await untilOffered('EUR', SECOND);
    await untilOffered('USD', FIRST);
    for (const [currency, accountId] of [
      ['EUR', SECOND],
      ['USD', FIRST],
    ] as const) {
      const order = await shop.order({ currency });
      const payment = await pay(order);
      expect(await takerOf(payment)).toBe(accountId);
      await shop.until(order, 'paid');
      expect(stripe.store.owners.get(stripe.intentOf(payment).id)).toBe(accountId);
      expect(stripe.movementsOf(payment)).toEqual(['authorized', 'captured']);
    }
  });

  it('get each their own news: what one signed is refused at the address of the other (row 186)', async () => {
    const order = await shop.order();
    const payment = await pay(order, 'pm_card_threeDSecure2Required');
    expect(await takerOf(payment)).toBe(SECOND);
    stripe.authenticate(stripe.intentOf(payment), true);
    const body = JSON.stringify(stripe.store.events.at(-1));
    const send = async (accountId: keyof typeof SECRETS, secret: string): Promise<number> => {
      const header = signatureHeader(body, secret, stripe.store.nowSeconds());
      const url = `${shop.url}/gateways/stripe/${shop.account.companyId}/${accountId}`;
      return (await fetch(url, { method: 'POST', body, headers: { 'stripe-signature': header } })).status;
    };
    expect(await send(FIRST, SECRETS[SECOND])).toBe(400);
    // Rightly signed, and of a payment that this account never took.
    expect(await send(FIRST, SECRETS[FIRST])).toBe(200);
    expect(await shop.statusOf(order)).toBe('pending');
    expect(await send(SECOND, SECRETS[SECOND])).toBe(200);
    await shop.until(order, 'paid');
  });

  it('keep each their own saved methods: one is offered only where its account takes the payment', async () => {
    const player_id = 'saver';
    const order = await shop.order({ player_id, currency: 'USD' });
    await pay(order, 'pm_card_visa', { save_method: 'on' });
    await shop.until(order, 'paid');
    const saved = () =>
      shop.database.db.query<{ account_id: string }>(
        sql('test_saved')`select account_id from saved_methods where player_id = ${player_id} order by created_at`,
      );
    await expect.poll(saved).toEqual([{ account_id: FIRST }]);
    const again = await shop.order({ player_id, currency: 'EUR' });
    await pay(again, 'pm_card_visa', { save_method: 'on' });
    await shop.until(again, 'paid');
    await expect.poll(saved).toEqual([{ account_id: FIRST }, { account_id: SECOND }]);
  });

  it('are chosen by a rule that names one, for one game, before the scope decides; the preview says so', async () => {
    const rules = [{ ...RULE, games: [shop.account.gameId], methods: ['card'], provider: 'stripe', account: FIRST }];
    const tried = (more: object[]) =>
      owner.call<MethodOffer>('POST', `/games/${shop.account.gameId}/live/offer`, {
        currency: 'EUR',
        country: 'DE',
        amount: 499,
        rules: more,
      });
    const cardOf = ({ body }: { body: MethodOffer }) => body.methods.find(({ id }) => id === 'card');
    expect(cardOf(await tried(rules))).toMatchObject({ account_id: FIRST, account_label: null });
    expect(cardOf(await tried([]))).toMatchObject({ account_id: SECOND, account_label: 'Northwind Europe GmbH' });
    const elsewhere = { ...rules[0]!, games: [await addGame('second')] };
    expect(cardOf(await tried([elsewhere]))).toMatchObject({ account_id: SECOND });
    expect((await owner.call('PUT', at('/routing'), { rules })).status).toBe(200);
    await untilOffered('EUR', FIRST);
    const order = await shop.order();
    expect(await takerOf(await pay(order))).toBe(FIRST);
    await shop.until(order, 'paid');
    expect((await owner.call('PUT', at('/routing'), { rules: [] })).status).toBe(200);
    await untilOffered('EUR', SECOND);
  });

  it('are for one game alone where the scope says so', async () => {
    const scope = (games: string[] | null) => owner.call('PATCH', path(of(SECOND)), { games });
    expect((await scope([await addGame('third')])).status).toBe(200);
    await untilOffered('EUR', FIRST);
    expect((await scope([])).status).toBe(200);
    expect((await connections())[0]).toMatchObject({ account_id: SECOND, games: null });
    await untilOffered('EUR', SECOND);
  });

  it('are tested and given new keys each by itself', async () => {
    expect(await owner.call('POST', `${path('/test')}${of(SECOND)}`)).toMatchObject({
      status: 200,
      body: { ok: true, connection: { account_id: SECOND } },
    });
    expect((await owner.call('POST', `${path('/callback')}${of(SECOND)}`)).status).toBe(200);
    const registered = [...stripe.store.endpoints.values()];
    expect(registered).toMatchObject([{ accountId: SECOND, url: expect.stringMatching(`${SECOND}$`) }]);
    stripe.faults.plan(/^GET \/v1\/account$/, { kind: 'answer', status: 401 });
    await owner.call('POST', `${path('/test')}${of(FIRST)}`);
    expect(await connections()).toMatchObject([
      { account_id: SECOND, problem_code: null },
      { account_id: FIRST, problem_code: 'provider_key_invalid' },
    ]);
    expect((await connect(TEST_KEYS.secret, SECRETS[FIRST])).status).toBe(200);
    expect(await connections()).toMatchObject([
      { account_id: SECOND, label: 'Northwind Europe GmbH' },
      { account_id: FIRST, problem_code: null },
    ]);
  });

  it('are compared with the provider each by itself, and neither is charged with the payments of the other', async () => {
    const day = new Date(stripe.store.nowSeconds() * 1000).toISOString().slice(0, 10);
    expect((await owner.call('POST', at('/reconciliation/runs'), { day })).status).toBe(202);
    const runs = async () =>
      (await owner.call<{ data: Record<string, unknown>[] }>('GET', at('/reconciliation/runs'))).body.data.toSorted(
        (one, other) => String(one.account_id).localeCompare(String(other.account_id)),
      );
    await expect.poll(runs).toMatchObject([
      { account_id: FIRST, state: 'done', differences: 0, foreign: 0 },
      { account_id: SECOND, state: 'done', differences: 0, foreign: 0 },
    ]);
  });

  it('are left one by one: the one drains, the other takes what comes, and a rule may outlive it (row 186)', async () => {
    shop.game.answerAlways({ status: 503 });
    const order = await shop.order();
    const payment = await pay(order);
    expect(await takerOf(payment)).toBe(SECOND);
    const rules = [{ ...RULE, games: null, provider: 'stripe', account: SECOND }];
    expect((await owner.call('PUT', at('/routing'), { rules })).status).toBe(200);
    const left = await owner.call<ProviderState>('DELETE', path(of(SECOND)));
    expect(left.body).toMatchObject({
      connections: [{ account_id: FIRST }],
      leaving: [{ account_id: SECOND, label: 'Northwind Europe GmbH', has_keys: true, open_payments: 1 }],
    });
    await untilOffered('EUR', FIRST);
    const next = await shop.order();
    expect(await takerOf(await pay(next))).toBe(FIRST);
    expect(
      (await owner.call('PUT', at('/routing'), { rules: [...rules, { ...RULE, provider: 'stripe' }] })).status,
    ).toBe(200);
    shop.game.answerAlways(null);
    await shop.later(120);
    for (const one of [order, next]) await shop.until(one, 'paid');
    expect(stripe.movementsOf(payment)).toEqual(['authorized', 'captured']);
    expect(stripe.store.owners.get(stripe.intentOf(payment).id)).toBe(SECOND);
  });

  it('hand over name, scope and rules to the account that takes their place', async () => {
    await connect(OTHER_KEY, SECRETS[SECOND]);
    await owner.call('PATCH', path(of(FIRST)), { label: 'Worldwide', currencies: ['USD'] });
    await owner.call('PUT', at('/routing'), { rules: [{ ...RULE, provider: 'stripe', account: FIRST }] });
    await owner.call('DELETE', path(of(SECOND)));
    expect((await connect(OTHER_KEY, SECRETS[SECOND], { account_id: FIRST })).status).toBe(200);
    expect(await connections()).toMatchObject([{ account_id: SECOND, label: 'Worldwide', currencies: ['USD'] }]);
    expect((await owner.call('GET', at('/routing'))).body).toMatchObject({ rules: [{ account: SECOND }] });
  });
});
