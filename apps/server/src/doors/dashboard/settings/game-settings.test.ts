import { PASSWORD, signedInMember, type TestMember } from '@coinslot/testing/dashboard';
import { type Game, startGame } from '@coinslot/testing/game-receiver';
import { startProgram, type TestProgram } from '@coinslot/testing/program';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

let shop: TestProgram;
let game: Game;
let developer: TestMember;

beforeAll(async () => {
  shop = await startProgram();
  game = await startGame({ secret: shop.account.sandbox.s2sKey });
  developer = await signedInMember(shop, 'developer');
});

afterAll(async () => {
  await game?.close();
  await shop?.close();
});

const here = (path: string, mode = 'sandbox'): string => `/games/${shop.account.gameId}/${mode}${path}`;

interface Key {
  id: string;
  hint: string;
  label: string;
  signs_webhooks: boolean;
  last_used_at: number | null;
  s2s_key?: string;
}

const keys = async (): Promise<Key[]> =>
  (await developer.browser.call<{ data: Key[] }>('GET', here('/keys'))).body.data;

describe('the first steps', () => {
  test('are ticked when they really happened', async () => {
    const steps = async () => (await developer.browser.call('GET', here('/checklist'))).body;
    const nothing = {
      order_created_at: null,
      order_paid_at: null,
      webhook_added_at: null,
      item_granted_at: null,
      seller_complete_at: null,
    };
    expect(await steps()).toEqual(nothing);
    const order = await shop.createOrder();
    expect(await steps()).toEqual({ ...nothing, order_created_at: expect.any(Number) });
    await shop.pay(order.checkout_url);
    expect(await steps()).toMatchObject({ order_paid_at: expect.any(Number), webhook_added_at: null });
    await shop.call('POST', '/s2s/v1/webhooks', { url: game.url, events: ['item.add', 'item.remove'] });
    await shop.until(order.order_id, 'paid');
    const open = Object.entries((await steps()) as object).filter(([, at]) => typeof at !== 'number');
    expect(open).toEqual([['seller_complete_at', null]]);
    expect((await developer.browser.call('GET', here('/checklist', 'live'))).body).toEqual(nothing);
  });

  test('count the seller while name, support, terms and privacy are there, in both environments', async () => {
    const change = (fields: object) =>
      developer.browser.call('PATCH', `/companies/${shop.account.companyId}/seller`, fields);
    const since = async (mode: 'live' | 'sandbox') =>
      (await developer.browser.call<{ seller_complete_at: number | null }>('GET', here('/checklist', mode))).body
        .seller_complete_at;
    await change({ legal_name: 'Northwind GmbH', support: 'help@example.com', terms_url: 'https://example.com/terms' });
    expect(await since('sandbox')).toBeNull();
    await change({ privacy_url: 'https://example.com/privacy' });
    const first = await since('sandbox');
    expect(first).toEqual(expect.any(Number));
    await change({ tax_number: 'DE123' });
    expect([await since('sandbox'), await since('live')]).toEqual([first, first]);
    await change({ support: null });
    expect(await since('sandbox')).toBeNull();
  });
});

describe('keys', () => {
  test('are listed by their ends, with their last use, and never whole', async () => {
    const answer = await developer.browser.fetch('GET', here('/keys'));
    const text = await answer.text();
    expect(text).not.toContain(shop.account.sandbox.s2sKey);
    const [first] = await keys();
    expect(first!.hint).toBe(`sk_sandbox_…${shop.account.sandbox.s2sKey.slice(-4)}`);
    await expect.poll(async () => (await keys())[0]!.last_used_at).toEqual(expect.any(Number));
  });

  test('a second one works beside the first, and stops within seconds of being revoked', async () => {
    const made = await developer.browser.call<Key>('POST', here('/keys'), { label: 'Canary' });
    expect(made).toMatchObject({ status: 201, body: { label: 'Canary', signs_webhooks: false } });
    const ask = async () => (await shop.call('GET', '/s2s/v1/orders', undefined, { key: made.body.s2s_key! })).status;
    expect(await ask()).toBe(200);
    expect((await developer.browser.call('POST', here(`/keys/${made.body.id}/revoke`))).status).toBe(200);
    await expect.poll(ask, { timeout: 10_000, interval: 500 }).toBe(401);
  });

  test('one that signs webhooks is revoked only by who says so, and the last one never', async () => {
    const before = (await keys()).filter(key => !('revoked_at' in key && key.revoked_at));
    expect(before).toMatchObject([{ signs_webhooks: true }]);
    const first = before[0]!;
    const revoke = (body?: object) => developer.browser.call('POST', here(`/keys/${first.id}/revoke`), body);
    expect((await revoke()).body.code).toBe('last_key');
    const second = await developer.browser.call<Key>('POST', here('/keys'), {});
    const refused = await revoke();
    expect(refused.body).toMatchObject({ code: 'key_signs_webhooks' });
    expect(String(refused.body.detail)).toContain(second.body.hint);
    expect((await revoke({ confirm_signing: true })).status).toBe(200);
    expect((await keys()).find(({ id }) => id === second.body.id)).toMatchObject({ signs_webhooks: true });
    shop.account.sandbox.s2sKey = second.body.s2s_key!;
    game.useSecret(shop.account.sandbox.s2sKey);
  });

  test('is shown whole only for the password, and that is written down without the key', async () => {
    const [key] = await keys();
    const reveal = (password: string) => developer.browser.call('POST', here(`/keys/${key!.id}/reveal`), { password });
    expect(await reveal('wrong')).toMatchObject({ status: 403, body: { code: 'password_wrong' } });
    const shown = await reveal(PASSWORD);
    expect(shown.body.s2s_key).toMatch(/^sk_sandbox_/);
    const entries = await shop.database.db.query<{ row: string }>({
      name: '',
      text: `select row_to_json(a)::text as row from audit_entries a where kind like 'key.%'`,
      values: [],
    });
    expect(entries.filter(({ row }) => row.includes('key.revealed'))).toHaveLength(1);
    expect(entries.some(({ row }) => row.includes(String(shown.body.s2s_key)))).toBe(false);
  });
});

describe('behavior', () => {
  const patch = (body: object, mode = 'sandbox') => developer.browser.call('PATCH', here('/grant-rules', mode), body);

  test('a sku without a price costs what sandbox says, and live guesses nothing', async () => {
    const price = { price_decimal: 2.5, currency: 'EUR' };
    expect((await patch({ default_price: price })).body).toMatchObject({ default_price: price });
    await expect
      .poll(async () => (await shop.readOrder((await shop.createOrder()).order_id)).currency, {
        interval: 500,
      })
      .toBe('EUR');
    expect((await patch({ default_price: price }, 'live')).status).toBe(422);
    expect((await patch({ default_price: { price_decimal: 2.555, currency: 'EUR' } })).status).toBe(422);
  });

  test('an unanswered grant is released when the studio said, after one last question', async () => {
    expect((await patch({ release_grant_after_seconds: 59 })).status).toBe(422);
    expect((await patch({ release_grant_after_seconds: 600 })).body).toMatchObject({
      release_grant_after_seconds: 600,
    });
    game.answerAlways({ status: 500 });
    const order = await shop.createOrder();
    await shop.pay(order.checkout_url);
    await shop.until(order.order_id, 'authorized');
    for (const seconds of [3, 7, 14, 26, 90, 400]) await shop.later(seconds);
    expect((await shop.readOrder(order.order_id)).status).toBe('authorized');
    const asks = () => game.requests.filter(request => request.body?.event_type === 'item.add').length;
    const asked = asks();
    await shop.later(120);
    expect((await shop.until(order.order_id, 'rejected')).status).toBe('rejected');
    expect(asks()).toBe(asked + 1);
  });
});

describe('a test order', () => {
  const make = (mode = 'sandbox') => developer.browser.call('POST', here('/test_orders', mode));

  test('is an order like any other', async () => {
    const { status, body } = await make();
    expect(status).toBe(201);
    const { order } = body as { order: { order_id: string; checkout_url: string; player_id: string } };
    expect(await shop.readOrder(order.order_id)).toMatchObject({ status: 'created', player_id: 'test-player' });
    await shop.call('POST', `/s2s/v1/orders/${order.order_id}/cancel`);
  });

  test('is never made in live', async () => {
    expect(await make('live')).toMatchObject({ status: 403, body: { code: 'sandbox_only' } });
  });
});
