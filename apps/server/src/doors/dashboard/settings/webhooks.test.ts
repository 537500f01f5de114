import type {
  DashboardAnswer,
  DashboardWebhook,
  DeliveryDetail,
  dashboardEndpoints,
  Grant,
  SignatureCheck,
} from '@coinslot/contract';
import { PASSWORD, signedInMember, type TestMember } from '@coinslot/testing/dashboard';
import { type Game, startGame } from '@coinslot/testing/game-receiver';
import { moneyMoved } from '@coinslot/testing/order-rows';
import { startProgram, type TestProgram } from '@coinslot/testing/program';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';

type WebhookList = DashboardAnswer<typeof dashboardEndpoints.listDashboardWebhooks>;
type DeliveryPage = DashboardAnswer<typeof dashboardEndpoints.listDashboardDeliveries>;
type GrantPage = DashboardAnswer<typeof dashboardEndpoints.listGrants>;
type Figures = DashboardAnswer<typeof dashboardEndpoints.listDeliveryFigures>;

let shop: TestProgram;
let game: Game;
let developer: TestMember;
let support: TestMember;
let at: string;
let webhookId: string;

beforeAll(async () => {
  shop = await startProgram({ workers: false });
  game = await startGame({ secret: shop.account.sandbox.s2sKey });
  developer = await signedInMember(shop, 'developer');
  support = await signedInMember(shop, 'support');
  at = `/games/${shop.account.gameId}/sandbox`;
});

afterEach(() => game.answerAlways(null));

afterAll(async () => {
  await game?.close();
  await shop?.close();
});

const ask = <T = Record<string, unknown>>(method: string, path: string, body?: unknown) =>
  developer.browser.call<T>(method, at + path, body);

async function payFor(playerId: string): Promise<string> {
  const order = await shop.createOrder({ player_id: playerId });
  await shop.pay(order.checkout_url);
  return order.order_id;
}

const grantOf = async (orderId: string): Promise<Grant | undefined> => {
  const { body } = await support.browser.call<GrantPage>('GET', `${at}/grants`);
  return body.data.find(({ order_id: id }) => id === orderId);
};

describe('paid and not granted', () => {
  it('is shown at once when there is no endpoint, and can be released', async () => {
    const orderId = await payFor('player_early');
    const grant = await grantOf(orderId);
    expect(grant).toMatchObject({ kind: 'item.add', state: 'no_endpoint', actions: ['release'], attempts_made: 0 });
    expect(grant!.gives_up_at).toBeGreaterThan(grant!.since);
    const released = await support.browser.call('POST', `${at}/grants/${grant!.delivery_id}/release`, {
      reason: 'No shop yet',
    });
    expect(released.status).toBe(200);
    await shop.until(orderId, 'refunded');
    expect(await moneyMoved(shop.database.db, orderId)).toEqual(['authorized', 'voided']);
    expect(await grantOf(orderId)).toBeUndefined();
    const again = await support.browser.call('POST', `${at}/grants/${grant!.delivery_id}/release`, { reason: 'x' });
    expect(again.status).toBe(404);
  });
});

describe('webhooks', () => {
  it('are added with the events that the classes offer', async () => {
    const { body } = await ask<WebhookList>('GET', '/webhooks');
    expect(body.event_classes.map(({ name }) => name)).toEqual(['Main', 'Orders', 'Payments', 'Checkout']);
    expect(body.event_classes[0]!.kinds.map(({ kind }) => kind)).toEqual(['item.add', 'item.remove']);
    const made = await ask<DashboardWebhook>('POST', '/webhooks', {
      url: game.url,
      events: ['item.add', 'item.remove'],
    });
    expect(made).toMatchObject({
      status: 201,
      body: { enabled: true, secret_source: 's2s_key', health: { attempts: 0 } },
    });
    expect(made.body.secret).toMatch(/^….{4}$/);
    webhookId = made.body.id;
    const second = await ask('POST', '/webhooks', { url: game.url, events: ['item.add'] });
    expect(second).toMatchObject({ status: 409, body: { code: 'item_endpoint_exists' } });
    expect((await ask('POST', '/webhooks', { url: 'ftp://x', events: ['*'] })).status).toBe(422);
  });

  it('are changed, switched off and on, and deleted', async () => {
    const made = await ask<DashboardWebhook>('POST', '/webhooks', { url: `${game.url}/b`, events: ['order.*'] });
    const path = `/webhooks/${made.body.id}`;
    expect((await ask('PATCH', path, { enabled: false })).body).toMatchObject({ enabled: false });
    expect((await ask('PATCH', path, { enabled: true, description: 'Mirror' })).body).toMatchObject({
      enabled: true,
      description: 'Mirror',
    });
    expect((await ask('DELETE', path)).status).toBe(204);
    expect((await ask('GET', path)).status).toBe(404);
  });

  it('say why they were disabled in the language of the member who looks', async () => {
    const made = await ask<DashboardWebhook>('POST', '/webhooks', { url: `${game.url}/gone`, events: ['order.*'] });
    const path = `/webhooks/${made.body.id}`;
    await shop.database.db.query({
      name: '',
      text: `update webhook_subscriptions set enabled = false, disabled_reason = 'endpoint_gone' where id = $1`,
      values: [made.body.id],
    });
    const reason = 'The endpoint answered 410 Gone.';
    expect((await ask('GET', path)).body).toMatchObject({ enabled: false, disabled_reason: reason });
    const german = (await signedInMember(shop, 'developer')).browser;
    await german.call('PATCH', '/me', { locale: 'de' });
    expect((await german.call('GET', at + path)).body).toMatchObject({
      disabled_reason: 'Der Endpunkt hat mit 410 Gone geantwortet.',
    });
    expect((await ask('DELETE', path)).status).toBe(204);
  });

  it('show their secret only for the password, and say who looked', async () => {
    const path = `/webhooks/${webhookId}/reveal_secret`;
    expect((await ask('POST', path, { password: 'wrong' })).body).toMatchObject({ code: 'password_wrong' });
    const shown = await ask('POST', path, { password: PASSWORD });
    expect(shown.body).toMatchObject({
      secret: shop.account.sandbox.s2sKey,
      secret_source: 's2s_key',
      previous_secret: null,
    });
    const rotated = await ask<{ secret: string }>('POST', `/webhooks/${webhookId}/rotate_secret`);
    expect(rotated.body.secret).toMatch(/^whsec_/);
    const both = await ask('POST', path, { password: PASSWORD });
    expect(both.body).toMatchObject({
      secret: rotated.body.secret,
      secret_source: 'dedicated',
      previous_secret: shop.account.sandbox.s2sKey,
    });
    game.useSecret(rotated.body.secret);
    const owner = await signedInMember(shop, 'owner');
    const log = await owner.browser.call<{ data: { kind: string; object_id: string }[] }>(
      'GET',
      `/companies/${shop.account.companyId}/audit`,
    );
    const kinds = log.body.data.filter(({ object_id: id }) => id === webhookId).map(({ kind }) => kind);
    expect(kinds).toEqual([
      'webhook.secret_revealed',
      'webhook.secret_rotated',
      'webhook.secret_revealed',
      'webhook.created',
    ]);
    expect(JSON.stringify(log.body)).not.toContain(rotated.body.secret);
  });

  it('are tested, and what came is checked', async () => {
    const sent = await ask<{ id: string }>('POST', `/webhooks/${webhookId}/test`);
    expect(sent.status).toBe(202);
    await shop.later(0);
    const { body } = await ask<DeliveryDetail>('GET', `/deliveries/${sent.body.id}`);
    expect(body).toMatchObject({
      event_type: 'webhook.test',
      test: true,
      webhook_url: game.url,
      attempts: [{ status: 200 }],
    });
    const request = game.requests.at(-1)!;
    const headers = Object.entries(request.headers)
      .map(([name, value]) => `${name}: ${String(value)}`)
      .join('\n');
    const check = (pasted: { headers: string; body: string }) =>
      ask<SignatureCheck>('POST', `/webhooks/${webhookId}/check_signature`, pasted);
    expect((await check({ headers, body: request.rawBody })).body).toMatchObject({ verdict: 'valid', is_valid: true });
    const rewritten = JSON.stringify(JSON.parse(request.rawBody), null, 1);
    expect((await check({ headers, body: rewritten })).body.verdict).toBe('body_reserialized');
    expect((await check({ headers: '', body: '' })).body.verdict).toBe('timestamp_missing');
  });
});

describe('the test button', () => {
  it('is not for looking around in a network', async () => {
    const statuses = new Set<number>();
    for (let press = 0; press < 31; press++) {
      statuses.add((await ask('POST', `/webhooks/whk_${'0'.repeat(26)}/test`)).status);
    }
    expect([...statuses]).toEqual([404, 429]);
  });
});

describe('a failing game', () => {
  it('is shown with the last error and the next attempt, and can be asked again now', async () => {
    game.answerAlways({ status: 503 });
    const orderId = await payFor('waiting');
    await shop.later(0);
    const grant = await grantOf(orderId);
    expect(grant).toMatchObject({
      state: 'failing',
      last_status: 503,
      player_id: 'waiting',
      actions: ['retry', 'release'],
    });
    expect(grant!.next_attempt_at).not.toBeNull();
    const home = await ask<{ grants_waiting: number; oldest_grant_since: number }>('GET', '/home');
    expect(home.body).toMatchObject({ grants_waiting: 1, oldest_grant_since: grant!.since });
    game.answerAlways(null);
    const retried = await support.browser.call('POST', `${at}/grants/${grant!.delivery_id}/retry`);
    expect(retried.status).toBe(202);
    await shop.later(0);
    await shop.until(orderId, 'paid');
    expect(await grantOf(orderId)).toBeUndefined();
  });

  it('that does not take items back is shown too, without a release', async () => {
    const orderId = await payFor('refunded');
    await shop.until(orderId, 'paid');
    game.answerAlways({ status: 500 });
    await shop.call('POST', `/s2s/v1/orders/${orderId}/refund`, { reason: 'x' });
    await shop.until(orderId, 'refunded');
    await shop.later(0);
    expect(await grantOf(orderId)).toMatchObject({ kind: 'item.remove', state: 'failing', actions: ['retry'] });
    game.answerAlways(null);
    await shop.later(60);
  });
});

describe('the delivery log', () => {
  const list = async (query: string): Promise<DeliveryPage> =>
    (await support.browser.call<DeliveryPage>('GET', `${at}/deliveries${query}`)).body;

  it('is filtered by webhook, kind, status, order and time', async () => {
    const orderId = await payFor('logged');
    await shop.until(orderId, 'paid');
    const ofOrder = await list(`?order_id=${orderId}`);
    expect(ofOrder.data).toMatchObject([{ event_type: 'item.add', status: 'succeeded', order_id: orderId }]);
    const all = await list('?limit=100');
    expect(all.data.length).toBeGreaterThan(3);
    expect((await list(`?webhook_id=${webhookId}&limit=100`)).data.length).toBeGreaterThan(2);
    expect((await list('?webhook_id=whk_none')).data).toEqual([]);
    expect(
      (await list('?event_type=item.remove,webhook.test')).data.map(({ event_type: kind }) => kind).toSorted(),
    ).toEqual(['item.remove', 'webhook.test']);
    expect((await list('?status=canceled')).data).toMatchObject([{ status: 'canceled' }]);
    expect((await list('?created_to=1000')).data).toEqual([]);
    expect((await list('?created_from=1000&limit=100')).data.length).toBe(all.data.length);
  });

  it('sends one again, and replays a span with its progress', async () => {
    const orderId = await payFor('again');
    await shop.until(orderId, 'paid');
    const [delivery] = (await list(`?order_id=${orderId}`)).data;
    const before = game.requests.length;
    const retried = await support.browser.call<DeliveryDetail>('POST', `${at}/deliveries/${delivery!.id}/retry`);
    expect(retried).toMatchObject({ status: 202, body: { status: 'pending' } });
    await shop.later(0);
    expect(game.requests.length).toBe(before + 1);
    const path = `${at}/webhooks/${webhookId}/replay`;
    const replay = await support.browser.call<{ replayed: number }>('POST', path, { since: 0 });
    expect(replay.body.replayed).toBeGreaterThan(1);
    const under = await support.browser.call<{ waiting: number }>('GET', `${path}?since=0`);
    expect(under.body).toMatchObject({ waiting: replay.body.replayed, is_capped: false });
    await shop.later(0);
    const done = await support.browser.call<{ waiting: number; succeeded: number }>('GET', `${path}?since=0`);
    expect(done.body).toMatchObject({ waiting: 0, failed: 0 });
    expect((await support.browser.call('POST', path, { since: 10, until: 5 })).status).toBe(422);
  });

  it('is drawn over time, fresh attempts and rolled up ones together', async () => {
    const total = async (query: string): Promise<number> => {
      const { body } = await support.browser.call<Figures>('GET', `${at}/deliveries/figures${query}`);
      return body.data.reduce((sum, { attempts }) => sum + attempts, 0);
    };
    const fresh = await total('?span=24h');
    expect(fresh).toBeGreaterThan(5);
    await shop.later(300);
    expect(await total('?span=24h')).toBe(fresh);
    expect(await total(`?span=7d&webhook_id=${webhookId}`)).toBe(fresh);
    expect(await total('?span=30d&webhook_id=whk_none')).toBe(0);
    const { body } = await support.browser.call<Figures>('GET', `${at}/deliveries/figures`);
    expect(body).toMatchObject({ step_seconds: 900 });
    expect(body.data).toHaveLength(96);
  });
});

describe('webhooks for items', () => {
  it('that name one kind of items get both, and the answer says so', async () => {
    await ask('PATCH', `/webhooks/${webhookId}`, { enabled: false });
    const events = ['item.add', 'item.remove'];
    const warnings = [expect.stringContaining('item.remove was added')];
    const made = await ask<DashboardWebhook>('POST', '/webhooks', { url: game.url, events: ['item.add'] });
    expect(made.body).toMatchObject({ events, warnings });
    const path = `/webhooks/${made.body.id}`;
    expect((await ask('PATCH', path, { events: ['item.add'] })).body).toMatchObject({ events, warnings });
    expect((await ask('PATCH', path, { events })).body).not.toHaveProperty('warnings');
    await ask('DELETE', path);
    await ask('PATCH', `/webhooks/${webhookId}`, { enabled: true });
  });
});
