import type { Delivery, Webhook } from '@coinslot/contract';
import { type Game, startGame } from '@coinslot/testing/game-receiver';
import { startProgram, type TestProgram } from '@coinslot/testing/program';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';

let shop: TestProgram;
let game: Game;

const WEBHOOKS = '/s2s/v1/webhooks';
const NOTHING = 'whk_00000000000000000000000000';
const OBSERVER = { url: 'https://game.example.com/hooks', events: ['order.*'] };

beforeAll(async () => {
  shop = await startProgram();
  game = await startGame({ secret: shop.account.sandbox.s2sKey });
});

afterEach(async () => {
  game.answerAlways(null);
  game.useSecret(shop.account.sandbox.s2sKey);
  for (const { id } of (await shop.call<{ data: Webhook[] }>('GET', `${WEBHOOKS}?limit=100`)).body.data) {
    await shop.call('DELETE', `${WEBHOOKS}/${id}`);
  }
});

afterAll(async () => {
  await game?.close();
  await shop?.close();
});

async function create(changes: object = {}): Promise<Webhook> {
  const body = { url: game.url, events: ['item.add', 'item.remove'], ...changes };
  const answer = await shop.call<Webhook>('POST', WEBHOOKS, body);
  expect(answer).toMatchObject({ status: 201 });
  return answer.body;
}

async function buy(): Promise<string> {
  const order = await shop.createOrder();
  await shop.pay(order.checkout_url);
  await shop.until(order.order_id, 'paid');
  return order.order_id;
}

const deliveriesOf = async (id: string): Promise<Delivery[]> =>
  (await shop.call<{ data: Delivery[] }>('GET', `${WEBHOOKS}/${id}/deliveries`)).body.data;
const read = async (id: string): Promise<Delivery> =>
  (await shop.call<Delivery>('GET', `/s2s/v1/deliveries/${id}`)).body;
const finished = (id: string, status: string) =>
  expect.poll(async () => (await read(id)).status, { interval: 20 }).toBe(status);

describe('a subscription', () => {
  it('is answered whole when it is made, and its secret is the S2S key unless one is given', async () => {
    const made = await create();
    expect(made).toMatchObject({
      id: expect.stringMatching(/^whk_/),
      game_id: shop.account.gameId,
      url: game.url,
      events: ['item.add', 'item.remove'],
      description: '',
      method: 'POST',
      enabled: true,
      enabled_logs: true,
      player_context_enabled: false,
      secret: shop.account.sandbox.s2sKey,
      secret_source: 's2s_key',
      sandbox: true,
    });
    const own = await create({ ...OBSERVER, secret: 'a secret of its own' });
    expect(own).toMatchObject({ secret: 'a secret of its own', secret_source: 'dedicated' });
  });

  it('shows only the end of its secret when it is read, listed or changed', async () => {
    const secret = 'a secret of its own';
    const { id } = await create({ secret });
    const answers = [
      await shop.call('GET', `${WEBHOOKS}/${id}`),
      await shop.call('GET', WEBHOOKS),
      await shop.call('PATCH', `${WEBHOOKS}/${id}`, { description: 'changed' }),
    ];
    for (const { status, body } of answers) {
      expect(status).toBe(200);
      expect(JSON.stringify(body)).not.toContain(secret);
      expect(JSON.stringify(body)).toContain('"secret":"… own"');
    }
    await shop.call('DELETE', `${WEBHOOKS}/${id}`);
    await create();
    const { body } = await shop.call('GET', WEBHOOKS);
    expect(JSON.stringify(body)).not.toContain(shop.account.sandbox.s2sKey);
  });

  it('that would be a second one for items is item_endpoint_exists, made or enabled', async () => {
    const first = await create();
    const second = { url: game.url, events: ['item.remove'] };
    const conflict = { status: 409, body: { code: 'item_endpoint_exists' } };
    for (const events of [['item.add'], ['item.remove'], ['item.*'], ['*']]) {
      expect(await shop.call('POST', WEBHOOKS, { ...second, events })).toMatchObject(conflict);
    }
    const spare = await create({ ...second, enabled: false });
    expect(await shop.call('PATCH', `${WEBHOOKS}/${spare.id}`, { enabled: true })).toMatchObject(conflict);
    const observer = await create(OBSERVER);
    expect(await shop.call('PATCH', `${WEBHOOKS}/${observer.id}`, { events: ['item.add'] })).toMatchObject(conflict);
    await shop.call('PATCH', `${WEBHOOKS}/${first.id}`, { enabled: false });
    expect((await shop.call('PATCH', `${WEBHOOKS}/${spare.id}`, { enabled: true })).status).toBe(200);
  });

  it('may be one of twenty; one more is too_many_webhooks', async () => {
    for (let i = 0; i < 20; i++) await create(OBSERVER);
    expect(await shop.call('POST', WEBHOOKS, OBSERVER)).toMatchObject({
      status: 409,
      body: { code: 'too_many_webhooks' },
    });
    const live = { key: shop.account.live.s2sKey };
    expect((await shop.call<Webhook>('POST', WEBHOOKS, OBSERVER, live)).status).toBe(201);
  });

  it.each(['http://game.example.com', 'https://169.254.169.254/', 'https://10.0.0.1', 'https://game.example.com:22'])(
    'is not sent to %s',
    async url => {
      const refused = { status: 422, body: { errors: [{ pointer: '/url', code: 'url_refused' }] } };
      expect(await shop.call('POST', WEBHOOKS, { ...OBSERVER, url })).toMatchObject(refused);
      const { id } = await create(OBSERVER);
      expect(await shop.call('PATCH', `${WEBHOOKS}/${id}`, { url })).toMatchObject(refused);
    },
  );

  it.each([
    [200, 'succeeded'],
    [500, 'canceled'],
  ])(
    'that is deleted while its webhook is at the game takes the answer %i all the same: %s',
    async (status, ending) => {
      const made = await create({ events: ['order.created'] });
      let answer = (): void => {};
      game.answer((_request, response) => {
        answer = () => void response.writeHead(status).end();
      });
      const { order_id } = await shop.createOrder();
      await expect.poll(() => answer.toString()).toContain('writeHead');
      const [delivery] = await deliveriesOf(made.id);
      expect(delivery).toMatchObject({ order_id, status: 'pending' });
      expect((await shop.call('DELETE', `${WEBHOOKS}/${made.id}`)).status).toBe(204);
      answer();
      await expect.poll(async () => (await read(delivery!.id)).last_status).toBe(status);
      await shop.later(90);
      await finished(delivery!.id, ending);
    },
  );

  it('changes only in the fields given, and is gone when deleted', async () => {
    const made = await create(OBSERVER);
    const change = { description: 'new', events: ['payment.*'], enabled: false, enabled_logs: false };
    const changed = await shop.call('PATCH', `${WEBHOOKS}/${made.id}`, { ...change, typo: 1 });
    expect(changed).toMatchObject({ status: 200, body: { ...change, url: made.url, warnings: ['/typo'] } });
    expect((await shop.call('PATCH', `${WEBHOOKS}/${made.id}`, {})).body).toMatchObject(change);
    expect((await shop.call('DELETE', `${WEBHOOKS}/${made.id}`)).status).toBe(204);
    expect((await shop.call('GET', `${WEBHOOKS}/${made.id}`)).status).toBe(404);
  });

  it('that does not exist is webhook_not_found, whatever is asked of it', async () => {
    const calls: [string, string, object?][] = [
      ['GET', `/s2s/v1/webhooks/${NOTHING}`],
      ['PATCH', `/s2s/v1/webhooks/${NOTHING}`, {}],
      ['DELETE', `/s2s/v1/webhooks/${NOTHING}`],
      ['POST', `/s2s/v1/webhooks/${NOTHING}/rotate_secret`],
      ['POST', `/s2s/v1/webhooks/${NOTHING}/test`],
      ['POST', `/s2s/v1/webhooks/${NOTHING}/replay`, { since: 0 }],
      ['GET', `/s2s/v1/webhooks/${NOTHING}/deliveries`],
    ];
    for (const [method, path, body] of calls) {
      const answer = await shop.call(method, path, body);
      expect([method, path, answer]).toMatchObject([
        method,
        path,
        { status: 404, body: { code: 'webhook_not_found' } },
      ]);
    }
  });
});

describe('a rotation', () => {
  it('answers with the new secret and signs with both for 24 hours', async () => {
    const { id } = await create();
    const rotated = await shop.call<Webhook>('POST', `${WEBHOOKS}/${id}/rotate_secret`);
    const { secret, previous_secret_until, updated_at } = rotated.body;
    expect(rotated).toMatchObject({ status: 200, body: { secret_source: 'dedicated' } });
    expect(secret).toMatch(/^whsec_/);
    expect(Number(previous_secret_until) - updated_at).toBe(24 * 3600);
    game.useSecret(secret);
    await buy();
    const sent = game.requests.at(-1);
    expect(sent?.verified).toBe(true);
    expect(sent?.headers['x-service-signature-previous']).toMatch(/^[0-9a-f]{64}$/);
    const another = await shop.call<Webhook>('POST', `${WEBHOOKS}/${id}/rotate_secret`);
    expect(another.body.secret).not.toBe(secret);
  });
});

describe('a delivery', () => {
  it('keeps its attempts: time, duration, status, request, response', async () => {
    const { id } = await create();
    game.answer({ status: 500, body: 'not now', headers: { 'x-game': 'busy' } });
    const orderId = await buy();
    const [delivery] = await deliveriesOf(id);
    expect(await read(delivery!.id)).toEqual(delivery);
    const request = { url: game.url, body: game.requests.at(-1)?.rawBody };
    expect(delivery).toMatchObject({
      webhook_id: id,
      order_id: orderId,
      event_type: 'item.add',
      status: 'succeeded',
      attempts_made: 2,
      next_attempt_at: null,
      last_status: 200,
      attempts: [
        { attempt: 1, status: 500, request, response: { body: 'not now', headers: { 'x-game': 'busy' } } },
        { attempt: 2, status: 200, request, error: null },
      ],
    });
    const headers = delivery!.attempts.map(attempt => attempt.request.headers);
    expect(headers.map(sent => sent['x-service-delivery-attempt'])).toEqual(['1', '2']);
    expect(JSON.stringify(delivery)).not.toContain(shop.account.sandbox.s2sKey);
  });

  it('is sent again on request, with the same body and key, and changes nothing else', async () => {
    const { id } = await create();
    const orderId = await buy();
    const [delivery] = await deliveriesOf(id);
    const before = game.requests.length;
    const retried = await shop.call('POST', `/s2s/v1/deliveries/${delivery!.id}/retry`);
    expect(retried).toMatchObject({ status: 202, body: { id: delivery!.id } });
    await game.waitFor(({ requests }) => requests.length === before + 1);
    await finished(delivery!.id, 'succeeded');
    const [again, first] = game.requests.slice(-2).toReversed();
    expect(again?.rawBody).toBe(first?.rawBody);
    expect(await shop.readOrder(orderId)).toMatchObject({ status: 'paid' });
  });

  it('that failed on a repeat leaves a paid order paid', async () => {
    const { id } = await create();
    const orderId = await buy();
    const [delivery] = await deliveriesOf(id);
    game.answerAlways('decline');
    const before = game.requests.length;
    await shop.call('POST', `/s2s/v1/deliveries/${delivery!.id}/retry`);
    await game.waitFor(({ requests }) => requests.length > before);
    await expect.poll(async () => (await read(delivery!.id)).next_attempt_at).toBeNull();
    expect(await shop.readOrder(orderId)).toMatchObject({ status: 'paid' });
  });

  it('of a refunded order is delivery_not_retryable, and one that does not exist is delivery_not_found', async () => {
    const { id } = await create();
    const orderId = await buy();
    const [delivery] = await deliveriesOf(id);
    await shop.call('POST', `/s2s/v1/orders/${orderId}/refund`);
    await shop.until(orderId, 'refunded');
    const refused = { status: 409, body: { code: 'delivery_not_retryable' } };
    expect(await shop.call('POST', `/s2s/v1/deliveries/${delivery!.id}/retry`)).toMatchObject(refused);
    const nothing = { status: 404, body: { code: 'delivery_not_found' } };
    expect(await shop.call('GET', '/s2s/v1/deliveries/dlv_00000000000000000000000000')).toMatchObject(nothing);
    expect(await shop.call('POST', '/s2s/v1/deliveries/dlv_00000000000000000000000000/retry')).toMatchObject(nothing);
  });
});

describe('a test and a replay', () => {
  it('webhook.test reaches an endpoint whatever kinds it asked for', async () => {
    const { id } = await create();
    const answer = await shop.call<Delivery>('POST', `${WEBHOOKS}/${id}/test`);
    expect(answer).toMatchObject({ status: 202, body: { event_type: 'webhook.test', webhook_id: id, order_id: null } });
    await finished(answer.body.id, 'succeeded');
    // Items of the tests before may still be on their way.
    const tests = game.requests.filter(({ body }) => body?.event_type === 'webhook.test');
    expect(tests).toMatchObject([{ verified: true }]);
  });

  it('sends the events of a span again, only the failed ones when told so', async () => {
    const { id, created_at } = await create();
    await buy();
    await buy();
    const bodies = game.requests.slice(-2).map(({ rawBody }) => rawBody);
    const replay = (body: object) => shop.call('POST', `/s2s/v1/webhooks/${id}/replay`, body);
    expect(await replay({ since: created_at + 3600 })).toMatchObject({ status: 202, body: { replayed: 0 } });
    expect((await replay({ since: 0, until: 1 })).body).toMatchObject({ replayed: 0 });
    expect((await replay({ since: created_at, only_failed: true })).body).toMatchObject({ replayed: 0 });
    const before = game.requests.length;
    expect((await replay({ since: created_at, typo: 1 })).body).toEqual({ replayed: 2, warnings: ['/typo'] });
    await game.waitFor(({ requests }) => requests.length === before + 2);
    expect(
      game.requests
        .slice(-2)
        .map(({ rawBody }) => rawBody)
        .toSorted(),
    ).toEqual(bodies.toSorted());
    const wrong = { status: 422, body: { errors: [{ pointer: '/until', code: 'time_order' }] } };
    expect(await replay({ since: 10, until: 5 })).toMatchObject(wrong);
  });
});
