import { createHmac } from 'node:crypto';
import { type Game, startGame } from '@coinslot/testing/game-receiver';
import { itemDeliveries, mailRows, moneyMoved, paymentRows } from '@coinslot/testing/order-rows';
import { startProgram, type TestProgram } from '@coinslot/testing/program';
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { RETRY_STEPS_SECONDS } from '../../webhook/sending/retry.ts';

let shop: TestProgram;
let game: Game;
let webhook: { id: string; secret: string };
const reminders: [string, number][] = [];

const hook = (changes: object) => shop.call('PATCH', `/s2s/v1/webhooks/${webhook.id}`, changes);
const asked = (orderId: string) => game.requests.filter(request => request.body?.event_data.order_id === orderId);
const added = (orderId: string) => asked(orderId).filter(request => request.body!.event_type === 'item.add');
const kindsAsked = (orderId: string) => asked(orderId).map(request => request.body!.event_type);
const rows = (orderId: string) => itemDeliveries(shop.database.db, orderId);

async function subscribe(): Promise<typeof webhook> {
  const body = { url: game.url, events: ['item.add', 'item.remove'] };
  return (await shop.call<typeof webhook>('POST', '/s2s/v1/webhooks', body)).body;
}

async function payAnOrder(body: Record<string, unknown> = {}): Promise<string> {
  const order = await shop.createOrder(body);
  await shop.pay(order.checkout_url);
  return order.order_id;
}

beforeAll(async () => {
  // Nothing happens by itself, and the spread of retries stands in its middle: the clock alone moves things.
  shop = await startProgram({
    workers: false,
    replace: parts => ({
      ...parts,
      random: () => 0.5,
      signals: { ...parts.signals, remind: (key, delayMs) => void reminders.push([key, delayMs]) },
    }),
  });
  game = await startGame({ secret: shop.account.sandbox.s2sKey });
  webhook = await subscribe();
});

afterEach(() => game.answerAlways(null));

afterAll(async () => {
  await game?.close();
  await shop?.close();
});

it('a process that was held up for half its lease leaves the grant to another (row 120)', async () => {
  const order = await shop.createOrder();
  const nowMs = performance.now.bind(performance);
  let looks = 0;
  const clock = vi.spyOn(performance, 'now').mockImplementation(() => nowMs() + looks++ * 20_000);
  try {
    await shop.pay(order.checkout_url);
  } finally {
    clock.mockRestore();
  }
  expect(asked(order.order_id)).toEqual([]);
  await shop.later(31);
  expect(added(order.order_id)).toHaveLength(1);
  expect(await shop.readOrder(order.order_id)).toMatchObject({ status: 'paid' });
});

describe('a game that fails', () => {
  it('is asked again at every step, then the order is rejected, the money released and the members told (row 26)', async () => {
    game.answerAlways({ status: 500 });
    const orderId = await payAnOrder();
    for (const [attempt, step] of RETRY_STEPS_SECONDS.items.entries()) {
      if (attempt > 0) await shop.later(step);
      expect(added(orderId)).toHaveLength(attempt + 1);
      const next = RETRY_STEPS_SECONDS.items[attempt + 1];
      const [delivery] = await rows(orderId);
      expect(delivery).toMatchObject({ attempts: attempt + 1, status: next === undefined ? 'exhausted' : 'pending' });
      if (next !== undefined) expect(next - delivery!.dueInSeconds!).toBeLessThan(2);
    }
    await shop.later(0);
    expect(await shop.readOrder(orderId)).toMatchObject({ status: 'rejected', granted_at: null, paid_at: null });
    expect(await paymentRows(shop.database.db, orderId)).toMatchObject([{ status: 'voided' }]);
    expect(await moneyMoved(shop.database.db, orderId)).toEqual(['authorized', 'voided']);
    // One when the player no longer waited for it, one at the end.
    const notice = { kind: 'notice', status: 'kept' };
    expect(await mailRows(shop.database.db, orderId)).toMatchObject([notice, notice]);
    await shop.later(7 * 86_400);
    expect(added(orderId)).toHaveLength(RETRY_STEPS_SECONDS.items.length);
  });

  it('to the end may have granted unheard, so `item.remove` follows at once', async () => {
    game.answerAlways({ status: 500 });
    const orderId = await payAnOrder();
    for (const step of RETRY_STEPS_SECONDS.items.slice(1, -1)) await shop.later(step);
    expect(await shop.readOrder(orderId)).toMatchObject({ status: 'authorized' });
    game.answerAlways((_, response) => {
      response.writeHead(game.requests.at(-1)!.body!.event_type === 'item.add' ? 500 : 200).end();
    });
    await shop.later(RETRY_STEPS_SECONDS.items.at(-1)!);
    expect(await shop.readOrder(orderId)).toMatchObject({ status: 'rejected' });
    expect(kindsAsked(orderId).slice(-2)).toEqual(['item.add', 'item.remove']);
    expect(await rows(orderId)).toMatchObject([{ status: 'exhausted' }, { status: 'succeeded', attempts: 1 }]);
  });

  it('to take items back to the end needs attention, and a replay to the webhook of that day sends it (row 149)', async () => {
    const orderId = await payAnOrder();
    const attention = async () =>
      (await shop.call<{ attention: object | null }>('GET', `/s2s/v1/orders/${orderId}`)).body.attention;
    game.answerAlways({ status: 503 });
    await shop.call('POST', `/s2s/v1/orders/${orderId}/refund`, {});
    for (const step of RETRY_STEPS_SECONDS.items) await shop.later(step);
    expect(await rows(orderId)).toMatchObject([{ status: 'succeeded' }, { kind: 'item.remove', status: 'exhausted' }]);
    expect(await attention()).toMatchObject({
      code: 'removal_unanswered',
      detail: expect.stringContaining('(HTTP 503)'),
      next_check_at: null,
    });
    // One mail, and not a second one for the same cause.
    const notices = (await mailRows(shop.database.db, orderId)).filter(({ kind }) => kind === 'notice');
    expect(notices).toHaveLength(1);
    await shop.call('DELETE', `/s2s/v1/webhooks/${webhook.id}`);
    webhook = await subscribe();
    const replay = () => shop.call('POST', `/s2s/v1/webhooks/${webhook.id}/replay`, { since: 0, only_failed: true });
    expect(await replay()).toMatchObject({ body: { replayed: 1 } });
    await shop.later(0);
    expect(await attention()).toMatchObject({ code: 'removal_unanswered' });
    game.answerAlways(null);
    expect(await replay()).toMatchObject({ body: { replayed: 1 } });
    await shop.later(0);
    expect(await rows(orderId)).toMatchObject([{ status: 'succeeded' }, { kind: 'item.remove', status: 'succeeded' }]);
    expect(await attention()).toBeNull();
    expect(await replay()).toMatchObject({ body: { replayed: 0 } });
  });

  it('is asked again when the step is over and not at the next regular look, as long as a player may be waiting', async () => {
    game.answerAlways({ status: 500 });
    reminders.length = 0;
    await payAnOrder();
    for (const step of [2, 5, 10, 20, 60, 300]) await shop.later(step);
    expect(reminders).toEqual([2, 5, 10, 20, 60].map(step => ['deliveries', step * 1_000]));
  });

  it('gets the same bytes under the same key with a fresh timestamp and signature each time (rows 32, 33)', async () => {
    game.answer({ status: 500 }, { status: 503 }, { status: 404 });
    const orderId = await payAnOrder();
    for (const step of [2, 5, 10]) await shop.later(step);
    const requests = asked(orderId);
    expect(requests).toHaveLength(4);
    expect(new Set(requests.map(request => request.rawBody)).size).toBe(1);
    expect(requests.map(request => request.headers['x-service-delivery-attempt'])).toEqual(['1', '2', '3', '4']);
    const times = requests.map(request => Number(request.headers['x-service-signature-timestamp']));
    expect(times[3]! - times[0]!).toBeGreaterThanOrEqual(17);
    expect(new Set(times).size).toBe(4);
    expect(requests.every(request => request.verified)).toBe(true);
    expect(await shop.readOrder(orderId)).toMatchObject({ status: 'paid' });
  });

  it.each([
    { asks: '999999', least: 3, most: 4 },
    { asks: '1', least: 2, most: 2.4 },
    { asks: '3', least: 3, most: 3.4 },
  ])(
    'and says Retry-After: $asks waits between the step and twice the step (row 25)',
    async ({ asks, least, most }) => {
      game.answer({ status: 429, headers: { 'retry-after': asks } });
      const [delivery] = await rows(await payAnOrder());
      expect(delivery!.dueInSeconds).toBeLessThanOrEqual(most);
      expect(delivery!.dueInSeconds).toBeGreaterThan(least - 1);
      await shop.later(60);
    },
  );

  it('by a redirect is asked again and never followed (row 22)', async () => {
    game.answer('redirect');
    const orderId = await payAnOrder();
    expect(await shop.readOrder(orderId)).toMatchObject({ status: 'authorized' });
    expect(await rows(orderId)).toMatchObject([{ status: 'pending', lastError: expect.stringContaining('redirect') }]);
    await shop.later(2);
    expect(await shop.readOrder(orderId)).toMatchObject({ status: 'paid' });
    expect(asked(orderId).map(request => request.path)).toEqual(['/hooks', '/hooks']);
  });

  it.each([400, 403, 404, 409, 422])('with %i and no refusal is asked again (row 23)', async status => {
    game.answer({ status, body: '{"error":"nope"}' });
    const orderId = await payAnOrder();
    expect(await shop.readOrder(orderId)).toMatchObject({ status: 'authorized' });
    await shop.later(2);
    expect(await shop.readOrder(orderId)).toMatchObject({ status: 'paid' });
  });
});

describe('a game that answers', () => {
  it.each([200, 201, 202, 204, 299])('%i has granted the items (row 21)', async status => {
    game.answer({ status });
    expect(await shop.readOrder(await payAnOrder())).toMatchObject({ status: 'paid' });
  });

  it.each(['ok then reset', 'huge body', 'gzip bomb'] as const)(
    '2xx and then misbehaves (%s) has granted (rows 19, 20)',
    async how => {
      game.answer(how);
      expect(await shop.readOrder(await payAnOrder())).toMatchObject({ status: 'paid' });
    },
  );

  it('with its final no is not asked again, and the money is released at once', async () => {
    game.answer('decline');
    const orderId = await payAnOrder();
    expect(await shop.readOrder(orderId)).toMatchObject({ status: 'rejected' });
    expect(await rows(orderId)).toMatchObject([{ status: 'declined', attempts: 1 }]);
    expect(await moneyMoved(shop.database.db, orderId)).toEqual(['authorized', 'voided']);
    await shop.later(86_400);
    expect(asked(orderId)).toHaveLength(1);
  });

  it('with the code of a refusal in a 5xx is asked again: only a 4xx is final', async () => {
    game.answer({ status: 500, body: '{"code":"declined"}' });
    const orderId = await payAnOrder();
    expect(await shop.readOrder(orderId)).toMatchObject({ status: 'authorized' });
    await shop.later(2);
    expect(await shop.readOrder(orderId)).toMatchObject({ status: 'paid' });
  });
});

describe('an endpoint that is not there', () => {
  it('by 410 is disabled, its events wait, the members are told, and enabling delivers (row 24)', async () => {
    game.answer({ status: 410 });
    const first = await payAnOrder();
    const second = await payAnOrder();
    expect((await shop.call('GET', `/s2s/v1/webhooks/${webhook.id}`)).body).toMatchObject({
      enabled: false,
      disabled_reason: expect.stringContaining('410'),
    });
    expect(await rows(first)).toMatchObject([{ status: 'held', attempts: 1 }]);
    expect(await rows(second)).toMatchObject([{ status: 'held', attempts: 0 }]);
    await shop.later(3_600);
    expect(asked(second)).toHaveLength(0);
    expect(await mailRows(shop.database.db, '410 Gone')).toMatchObject([{ kind: 'notice' }]);
    await hook({ enabled: true });
    await shop.later(0);
    expect(await shop.readOrder(first)).toMatchObject({ status: 'paid' });
    expect(await shop.readOrder(second)).toMatchObject({ status: 'paid' });
    expect(asked(second)[0]!.headers['x-service-delivery-attempt']).toBe('1');
  });

  it('because a member switched it off holds what waits, without counting it as asked (rows 27, 83)', async () => {
    game.answer({ status: 500 });
    const failing = await payAnOrder();
    await hook({ enabled: false });
    const waiting = await payAnOrder();
    await shop.later(3_600);
    expect(await rows(failing)).toMatchObject([{ status: 'held', attempts: 1 }]);
    expect(await rows(waiting)).toMatchObject([{ status: 'held', attempts: 0 }]);
    await hook({ enabled: true });
    await shop.later(0);
    expect(await shop.readOrder(failing)).toMatchObject({ status: 'paid' });
    expect(await shop.readOrder(waiting)).toMatchObject({ status: 'paid' });
    expect(asked(failing).map(request => request.headers['x-service-delivery-attempt'])).toEqual(['1', '2']);
  });

  it('for three days loses its orders: rejected, released, members told', async () => {
    await hook({ enabled: false });
    const orderId = await payAnOrder();
    await shop.later(3 * 86_400);
    expect(await shop.readOrder(orderId)).toMatchObject({ status: 'authorized' });
    await shop.later(86_400);
    expect(await shop.readOrder(orderId)).toMatchObject({ status: 'rejected' });
    expect(await moneyMoved(shop.database.db, orderId)).toEqual(['authorized', 'voided']);
    expect(await mailRows(shop.database.db, orderId)).toHaveLength(2);
    await hook({ enabled: true });
    await shop.later(60);
    expect(asked(orderId)).toHaveLength(0);
  });

  it('for three days after an attempt that may have granted has `item.remove` wait for it, however long (row 146)', async () => {
    game.answer({ status: 500 });
    const orderId = await payAnOrder();
    await hook({ enabled: false });
    for (let i = 0; i < 4; i++) await shop.later(86_400);
    expect(await shop.readOrder(orderId)).toMatchObject({ status: 'rejected' });
    expect(await moneyMoved(shop.database.db, orderId)).toEqual(['authorized', 'voided']);
    expect(await rows(orderId)).toMatchObject([{ status: 'exhausted' }, { kind: 'item.remove', status: 'held' }]);
    for (let i = 0; i < 10; i++) await shop.later(86_400);
    expect(await rows(orderId)).toMatchObject([{ status: 'exhausted' }, { kind: 'item.remove', status: 'held' }]);
    await hook({ enabled: true });
    await shop.later(0);
    expect(kindsAsked(orderId)).toEqual(['item.add', 'item.remove']);
  });

  it('and was deleted leaves its events to the next one', async () => {
    await hook({ enabled: false });
    const orderId = await payAnOrder();
    expect((await shop.call('DELETE', `/s2s/v1/webhooks/${webhook.id}`)).status).toBe(204);
    webhook = await subscribe();
    await shop.later(0);
    expect(await shop.readOrder(orderId)).toMatchObject({ status: 'paid' });
  });
});

describe('an attempt', () => {
  it('goes to the URL and is signed by the secret of that moment (row 29)', async () => {
    const moved = await startGame({ secret: 'a secret of its own' });
    game.answer({ status: 500 });
    const orderId = await payAnOrder();
    await hook({ url: moved.url });
    const rotated = await shop.call<{ secret: string }>('POST', `/s2s/v1/webhooks/${webhook.id}/rotate_secret`, {});
    moved.useSecret(rotated.body.secret);
    await shop.later(2);
    expect(moved.requests).toMatchObject([{ verified: true }]);
    expect(asked(orderId)[0]!.rawBody).toBe(moved.requests[0]!.rawBody);
    expect(await shop.readOrder(orderId)).toMatchObject({ status: 'paid' });
    await moved.close();
    await hook({ url: game.url });
    game.useSecret(rotated.body.secret);
  });

  it('carries the former signature for 24 h after a rotation, and then no more (row 30)', async () => {
    const before = await shop.call<{ secret: string }>('POST', `/s2s/v1/webhooks/${webhook.id}/rotate_secret`, {});
    const after = await shop.call<{ secret: string }>('POST', `/s2s/v1/webhooks/${webhook.id}/rotate_secret`, {});
    game.useSecret(after.body.secret);
    const during = await payAnOrder();
    expect(asked(during)[0]!.verified).toBe(true);
    const previous = asked(during)[0]!.headers['x-service-signature-previous'];
    const { rawBody, headers } = asked(during)[0]!;
    const signed = `${String(headers['x-service-signature-timestamp'])}.${rawBody}`;
    expect(previous).toBe(createHmac('sha256', before.body.secret).update(signed).digest('hex'));
    await shop.later(24 * 3_600 + 1);
    const later = await payAnOrder();
    expect(asked(later)[0]!.verified).toBe(true);
    expect(asked(later)[0]!.headers).not.toHaveProperty('x-service-signature-previous');
  });

  it('is kept in the log with what was sent and answered, unless logs are off', async () => {
    const logged = await payAnOrder();
    await hook({ enabled_logs: false });
    const silent = await payAnOrder();
    await hook({ enabled_logs: true });
    const log = await shop.call<{ data: { order_id: string; attempts: object[] }[] }>(
      'GET',
      `/s2s/v1/webhooks/${webhook.id}/deliveries?limit=2`,
    );
    expect(log.body.data).toMatchObject([
      { order_id: silent, status: 'succeeded', attempts_made: 1, attempts: [] },
      {
        order_id: logged,
        attempts: [
          {
            attempt: 1,
            status: 200,
            request: { url: game.url, body: asked(logged)[0]!.rawBody },
            response: { body: '{"status":"ok"}' },
          },
        ],
      },
    ]);
    expect(JSON.stringify(log.body)).not.toContain(shop.account.sandbox.s2sKey);
  });

  it('tells of the player only when the subscription asks for it', async () => {
    const player = { name: 'Ada', avatar_url: 'https://example.com/a.png', attributes: { level: 7 } };
    const plain = await payAnOrder({ player_id: 'ada', player });
    expect(asked(plain)[0]!.body).not.toHaveProperty('context');
    await hook({ player_context_enabled: true });
    const withContext = await payAnOrder({ player_id: 'ada' });
    expect(asked(withContext)[0]!.body).toMatchObject({ context: { player: { player_id: 'ada', ...player } } });
    await hook({ player_context_enabled: false });
  });
});
