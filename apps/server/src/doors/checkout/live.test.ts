import { signedInMember } from '@coinslot/testing/dashboard';
import { GOOD_CARD, type LiveOrder, type LiveShop, startLiveShop } from '@coinslot/testing/live-shop';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { sql } from '../../db/sql.ts';
import { upsertMethodSwitch } from '../../domain/payment/merchant-accounts/company-choices.sql.ts';

let shop: LiveShop;

beforeAll(async () => {
  shop = await startLiveShop({ env: { LIVE_GATEWAY: 'simulator' } });
});
afterEach(() => shop.game.answerAlways({ status: 200 }));
afterAll(() => shop?.close());

const offered = (page: string): string[] =>
  [...page.matchAll(/ (?:id="way_\w+"|name="wallet") value="(\w+)"/g)].map(([, id]) => id!);

const keep = async (player_id: string): Promise<LiveOrder> => {
  const order = await shop.order({ player_id });
  await shop.post(order, '/pay', { ...GOOD_CARD, method: 'card', save_method: 'on' });
  await shop.until(order, 'paid');
  await shop.later(2);
  return order;
};

const savedIn = (page: string): string | undefined => /name="saved" value="(svm_\w+)"/.exec(page)?.[1];

describe('all of live on the simulator', () => {
  it('is marked as what it is, on the form and after it', async () => {
    const order = await shop.order();
    expect(await shop.page(order)).toMatch(/class="sandbox".*Simulator.*No real money moves/s);
    await shop.post(order, '/pay', { ...GOOD_CARD, method: 'card' });
    await shop.until(order, 'paid');
    expect(await shop.page(order)).toMatch(/class="sandbox".*Simulator/s);
  });

  it('shows what the rule allows for currency and country, and changes with the company‘s switches', async () => {
    const order = await shop.order({ country: 'NL' });
    expect(offered(await shop.page(order))).toEqual(expect.arrayContaining(['apple_pay', 'ideal', 'card', 'paypal']));
    expect(offered(await shop.page(order))).not.toContain('sepa_debit');
    const { companyId } = shop.account;
    await shop.database.db.transaction(async tx => {
      await upsertMethodSwitch(tx, companyId, 'ideal', false);
      await upsertMethodSwitch(tx, companyId, 'sepa_debit', true);
    });
    await expect.poll(async () => offered(await shop.page(order))).not.toContain('ideal');
    expect(offered(await shop.page(order))).toContain('sepa_debit');
    const answer = await shop.post(order, '/pay', { method: 'ideal' });
    expect(answer.status).toBe(422);
    expect(await answer.text()).toContain('be used for this order');
    expect(await shop.statusOf(order)).toBe('created');
  });

  it('tells members beforehand what a player will see: the same methods as on the page', async () => {
    const viewer = await signedInMember(shop, 'viewer');
    const offerIn = async (query: string, mode = 'live') =>
      (
        await viewer.browser.call<{ methods: { id: string }[]; missing: string | null }>(
          'GET',
          `/games/${shop.account.gameId}/${mode}/offer?${query}`,
        )
      ).body;
    for (const [country, currency] of [
      ['BR', 'BRL'],
      ['PL', 'PLN'],
      ['US', 'USD'],
    ] as const) {
      const seen = offered(await shop.page(await shop.order({ country, currency, price_decimal: 20 })));
      const { methods, missing } = await offerIn(`country=${country}&currency=${currency}&amount=2000`);
      expect(methods.map(({ id }) => id).toSorted()).toEqual([...new Set(seen)].toSorted());
      expect(missing).toBeNull();
    }
    expect(await offerIn('currency=EUR&amount=499', 'sandbox')).toEqual({ methods: [], missing: 'provider' });
    expect(await offerIn('currency=EUR&amount=4.99')).toMatchObject({ code: 'validation_failed' });
  });

  it('a wallet pays in one step, and the method is on the record', async () => {
    const order = await shop.order();
    await shop.post(order, '/pay', { wallet: 'apple_pay', method: 'card' });
    await shop.until(order, 'paid');
    expect(await shop.paymentsOf(order)).toMatchObject([
      { status: 'succeeded', method: 'apple_pay', gateway: 'simulator' },
    ]);
  });

  it('a bank page is gone through and come back from', async () => {
    const order = await shop.order();
    await shop.post(order, '/pay', { method: 'paypal' });
    expect(await shop.page(order)).toContain('data-state="challenge"');
    await shop.post(order, '/challenge', { result: 'complete' });
    await shop.until(order, 'paid');
    expect(await shop.paymentsOf(order)).toMatchObject([{ method: 'paypal' }]);
  });

  it('a voucher keeps the order pending with its number, and completes when the money comes', async () => {
    const order = await shop.order({ country: 'PT' });
    await shop.post(order, '/pay', { method: 'multibanco' });
    expect(await shop.statusOf(order)).toBe('pending');
    const page = await shop.page(order, { headers: { 'accept-language': 'de' } });
    expect(page).toContain('data-state="awaiting"');
    expect(page).toMatch(/<dd dir="ltr">\d{4} \d{4} \d{4}<\/dd>/);
    expect(page).toContain('Zahlen bis');
    await shop.later(61);
    await shop.until(order, 'paid');
    expect(await shop.paymentsOf(order)).toMatchObject([{ method: 'multibanco', status: 'succeeded' }]);
  });

  it('who thinks again can pay another way, and the voucher is worth nothing then', async () => {
    const order = await shop.order({ country: 'PT' });
    await shop.post(order, '/pay', { method: 'multibanco' });
    await shop.post(order, '/give-up');
    expect(await shop.statusOf(order)).toBe('created');
    await shop.post(order, '/pay', { wallet: 'google_pay' });
    await shop.until(order, 'paid');
    await shop.later(61);
    const payments = await shop.paymentsOf(order);
    expect(payments).toMatchObject([{ status: 'succeeded', method: 'google_pay' }, { status: 'abandoned' }]);
  });

  it('money captured before the game‘s no goes back, and the page says so', async () => {
    shop.game.answerAlways({ status: 409, body: JSON.stringify({ code: 'declined' }) });
    const order = await shop.order({ country: 'PT' });
    await shop.post(order, '/pay', { method: 'multibanco' });
    await shop.later(61);
    await shop.until(order, 'rejected');
    expect(await shop.page(order)).toContain('to your original payment method');
    await expect.poll(async () => (await shop.paymentsOf(order))[0]?.status).toBe('refunded');
  });

  it('a method that cannot be refunded says so before and while the money is waited for, and after a no', async () => {
    const { companyId } = shop.account;
    await shop.database.db.transaction(async tx => upsertMethodSwitch(tx, companyId, 'oxxo', true));
    const order = await shop.order({ price_decimal: 100, currency: 'MXN' });
    await expect.poll(async () => offered(await shop.page(order))).toContain('oxxo');
    expect(await shop.page(order)).toMatch(
      /id="not_refundable">With OXXO you pay first, and the payment provider can’t refund it\./,
    );
    shop.game.answerAlways({ status: 409, body: JSON.stringify({ code: 'declined' }) });
    await shop.post(order, '/pay', { method: 'oxxo' });
    expect(await shop.page(order)).toContain('With OXXO you pay first');
    await shop.later(61);
    await shop.until(order, 'rejected');
    const page = await shop.page(order);
    expect(page).toContain('could not refund');
    expect(page).not.toContain('We’re refunding');
  });

  it('a wrong card is told beside its field, and nothing is charged', async () => {
    const order = await shop.order();
    const answer = await shop.post(order, '/pay', { ...GOOD_CARD, card_cvc: '1', method: 'card' });
    expect(answer.status).toBe(422);
    expect(await shop.paymentsOf(order)).toEqual([]);
  });
});

describe('a kept method', () => {
  it('is shown to the same player and pays with one tap, its receipt going where the last one went', async () => {
    await keep('p-one-tap');
    const next = await shop.order({ player_id: 'p-one-tap' });
    const page = await shop.page(next);
    expect(page).toContain('Visa ••••\u00a04242');
    expect(page).toContain('m•••@example.com');
    expect(page).not.toContain('mika@example.com');
    await shop.post(next, '/pay', { saved: savedIn(page)!, email: '' });
    await shop.until(next, 'paid');
    expect(await shop.paymentsOf(next)).toMatchObject([{ method: 'card', last4: '4242', email: 'mika@example.com' }]);
  });

  it('is neither shown to another player nor usable by one', async () => {
    const own = savedIn(await shop.page(await keep('p-owner').then(() => shop.order({ player_id: 'p-owner' }))))!;
    const other = await shop.order({ player_id: 'p-other' });
    expect(await shop.page(other)).not.toContain('4242</bdi>');
    const answer = await shop.post(other, '/pay', { saved: own });
    expect(answer.status).toBe(422);
    expect(await answer.text()).toContain('can no longer be used');
    await shop.post(other, '/forget', { saved: own });
    expect(savedIn(await shop.page(await shop.order({ player_id: 'p-owner' })))).toBe(own);
  });

  it('is not offered in sandbox, and not shown there to the same player', async () => {
    await keep('p-both');
    const { body } = await shop.call<LiveOrder>(
      'POST',
      '/s2s/v1/orders',
      { player_id: 'p-both', items: [{ sku: 'gems' }] },
      { key: shop.account.sandbox.s2sKey },
    );
    const page = await (await fetch(shop.url + new URL(body.checkout_url).pathname)).text();
    expect(page).toContain('card_number');
    expect(page).not.toMatch(/save_method|svm_|name="wallet"|way_|stripe/i);
  });

  it('can be removed by its player, for good', async () => {
    await keep('p-remove');
    const order = await shop.order({ player_id: 'p-remove' });
    const id = savedIn(await shop.page(order))!;
    expect((await shop.post(order, '/forget', { saved: id })).status).toBe(303);
    expect(savedIn(await shop.page(order))).toBeUndefined();
    expect((await shop.post(order, '/pay', { saved: id })).status).toBe(422);
  });

  it('saved twice is one entry', async () => {
    await keep('p-twice');
    await keep('p-twice');
    const page = await shop.page(await shop.order({ player_id: 'p-twice' }));
    expect(page.match(/class="saved"/g)).toHaveLength(1);
  });

  it('is queued once, when the bank has said yes, and not looked for while the player is with the bank', async () => {
    const jobs = () =>
      shop.database.db.query(sql('test_save_jobs')`select payload from jobs where name = 'method.save'`);
    const order = await shop.order({ player_id: 'p-challenge' });
    const card = { ...GOOD_CARD, card_number: '4224 7030 8257 5813' };
    await shop.post(order, '/pay', { ...card, method: 'card', save_method: 'on' });
    expect(await shop.paymentsOf(order)).toMatchObject([{ status: 'requires_action' }]);
    expect(await jobs()).toEqual([]);
    await shop.post(order, '/challenge', { result: 'complete' });
    await shop.until(order, 'paid');
    await shop.later(0);
    expect(await jobs()).toEqual([]);
    expect(savedIn(await shop.page(await shop.order({ player_id: 'p-challenge' })))).toBeDefined();
  });

  it('that was declined is not kept', async () => {
    const order = await shop.order({ player_id: 'p-declined' });
    const card = { ...GOOD_CARD, card_number: '4832 2850 6160 9015' };
    await shop.post(order, '/pay', { ...card, method: 'card', save_method: 'on' });
    await shop.later(2);
    expect(savedIn(await shop.page(order))).toBeUndefined();
  });

  it('has its token in no page, no answer and no row that is not sealed', async () => {
    await keep('p-canary');
    const [{ token } = { token: '' }] = await shop.database.db.query<{ token: string }>(
      sql('test_saved_token')`select token from simulator.saved_methods where player_id = 'p-canary'`,
    );
    const order = await shop.order({ player_id: 'p-canary' });
    const seen = [await shop.page(order), JSON.stringify(await shop.paymentsOf(order))];
    const tables = ['saved_methods', 'payments', 'events', 'jobs', 'orders', 'deliveries', 'delivery_attempts'];
    for (const table of tables) {
      const rows = await shop.database.db.query({
        name: `test_rows_${table}`,
        text: `select row_to_json(t)::text as row from ${table} t`,
        values: [],
      });
      seen.push(JSON.stringify(rows));
    }
    expect(token).toMatch(/^sim_/);
    for (const text of seen) expect(text).not.toContain(token);
  });
});
