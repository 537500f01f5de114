import { ENDPOINTS, type Endpoint } from '@coinslot/contract';
import { type Game, startGame } from '@coinslot/testing/game-receiver';
import { MASTER_KEY, startProgram, type TestProgram } from '@coinslot/testing/program';
import { registerTestAccount } from '@coinslot/testing/registered-game';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createSeal } from '../../kit/seal.ts';

let shop: TestProgram;
let game: Game;
/** What each path parameter names: an object of the sandbox that only its own key may see. */
const mine: Record<string, string> = {};
const strangers: Record<string, string> = {};

const ABSENT: Record<string, string> = {
  order_id: 'ord_00000000000000000000000000',
  payment_id: 'pay_00000000000000000000000000',
  webhook_id: 'whk_00000000000000000000000000',
  delivery_id: 'dlv_00000000000000000000000000',
  sku: 'no-such-sku',
  player_id: 'no-such-player',
};

const BODIES: Partial<Record<keyof typeof ENDPOINTS, object>> = {
  replayWebhook: { since: 0 },
  payOrder: { card: 'success' },
  advanceOrder: { seconds: 60 },
};
/** A live key is told so before anything is looked for. */
const SANDBOX_ONLY: readonly string[] = ['payOrder', 'advanceOrder'];
const isRefused = (name: string, who: string): boolean => SANDBOX_ONLY.includes(name) && who.includes('live');
/** These make what they name, in the environment of the caller. */
const MAKES: (keyof typeof ENDPOINTS)[] = ['putItem'];

beforeAll(async () => {
  shop = await startProgram();
  game = await startGame({ secret: shop.account.sandbox.s2sKey });
  const webhook = await shop.call('POST', '/s2s/v1/webhooks', { url: game.url, events: ['item.add', 'item.remove'] });
  mine.webhook_id = String(webhook.body.id);
  const order = await shop.createOrder({ player_id: 'my-player', items: [{ sku: 'my-sku' }] });
  await shop.pay(order.checkout_url);
  await shop.until(order.order_id, 'paid');
  mine.order_id = order.order_id;
  mine.payment_id = String((await shop.readOrder(order.order_id)).payment_id);
  mine.player_id = 'my-player';
  mine.sku = 'my-sku';
  const deliveries = await shop.call<{ data: { id: string }[] }>(
    'GET',
    `/s2s/v1/webhooks/${mine.webhook_id}/deliveries`,
  );
  mine.delivery_id = deliveries.body.data[0]!.id;
  const other = await registerTestAccount(shop.database.db, createSeal(MASTER_KEY));
  strangers['the live key'] = shop.account.live.s2sKey;
  strangers["another company's sandbox key"] = other.sandbox.s2sKey;
  strangers["another company's live key"] = other.live.s2sKey;
});

afterAll(async () => {
  await game?.close();
  await shop?.close();
});

const fillIn = (path: string, ids: Record<string, string>): string =>
  path.replace(/\{(\w+)\}/g, (_, name) => ids[name]!);

/** The whole answer, without what differs between any two requests. */
async function ask({ method, path, body }: Endpoint, ids: Record<string, string>, key: string, sent?: object) {
  const response = await fetch(shop.url + fillIn(path, ids), {
    method,
    headers: { authorization: `Bearer ${key}`, ...(body && { 'content-type': 'application/json' }) },
    ...(body && { body: JSON.stringify(sent ?? {}) }),
  });
  const headers = [...response.headers].filter(([name]) => !['date', 'x-request-id'].includes(name));
  return { status: response.status, headers, text: (await response.text()).replace(/req_\w+/, 'req') };
}

const everything = () =>
  shop.database.db.query({
    name: '',
    text: `select 'orders' as t, md5(string_agg(row_to_json(o)::text, '' order by id)) as h from orders o
      union all select 'payments', md5(string_agg(row_to_json(p)::text, '' order by id)) from payments p
      union all select 'items', md5(string_agg(row_to_json(i)::text, '' order by environment_id, sku)) from items i
      union all select 'webhooks', md5(string_agg(row_to_json(w)::text, '' order by id)) from webhook_subscriptions w
      union all select 'deliveries', md5(string_agg(row_to_json(d)::text, '' order by id)) from deliveries d`,
    values: [],
  });

const named = (Object.entries(ENDPOINTS) as [keyof typeof ENDPOINTS, Endpoint][]).filter(
  ([name, { params }]) => params && !MAKES.includes(name),
);

describe('an object of another environment or company is like one that does not exist, byte for byte (rows 72, 73):', () => {
  it.each(named)('%s', async (name, endpoint) => {
    const before = await everything();
    for (const [who, key] of Object.entries(strangers)) {
      const nothing = await ask(endpoint, ABSENT, key, BODIES[name]);
      expect(nothing.status).toBe(isRefused(name, who) ? 403 : 404);
      expect([who, await ask(endpoint, mine, key, BODIES[name])]).toEqual([who, nothing]);
    }
    expect(await everything()).toEqual(before);
  });
});

describe('a list holds nothing of another environment or company:', () => {
  const lists = Object.entries<Endpoint>(ENDPOINTS).filter(
    ([name, { method, params, response }]) =>
      method === 'GET' &&
      !params &&
      JSON.stringify(response.schema)?.includes('next_cursor') &&
      // Strangers have asked something themselves by now; the next test looks at it.
      name !== 'listRequests',
  );
  it.each(lists)('%s', async (name, endpoint) => {
    const own = await ask(endpoint, mine, shop.account.sandbox.s2sKey);
    expect(JSON.parse(own.text).data).not.toEqual([]);
    for (const [who, key] of Object.entries(strangers)) {
      const answer = JSON.parse((await ask(endpoint, mine, key)).text);
      if (isRefused(name, who)) expect(answer).toMatchObject({ status: 403, code: 'sandbox_only' });
      else expect(answer).toEqual({ data: [], next_cursor: null });
    }
  });

  it('the list of requests has none that another key made', async () => {
    const idsOf = async (key: string): Promise<string[]> => {
      const answer = await shop.call<{ data: { request_id: string }[] }>('GET', '/s2s/v1/requests', undefined, { key });
      return answer.body.data.map(({ request_id: id }) => id);
    };
    await expect.poll(() => idsOf(shop.account.sandbox.s2sKey)).not.toEqual([]);
    const own = await idsOf(shop.account.sandbox.s2sKey);
    for (const key of Object.values(strangers)) {
      const theirs = await idsOf(key);
      expect(theirs.filter(id => own.includes(id))).toEqual([]);
    }
  });

  it('not even with a filter or a cursor that names it', async () => {
    for (const key of Object.values(strangers)) {
      const filters = [`order_id=${mine.order_id}`, `player_id=${mine.player_id}`];
      for (const filter of filters) {
        const answer = await shop.call('GET', `/s2s/v1/payments?${filter}`, undefined, { key });
        expect(answer.body).toEqual({ data: [], next_cursor: null });
      }
      for (const filter of [`order_id=${mine.order_id}`, `webhook_id=${mine.webhook_id}`]) {
        const answer = await shop.call('GET', `/s2s/v1/deliveries?${filter}`, undefined, { key });
        expect(answer.body).toEqual({ data: [], next_cursor: null });
      }
      const after = Buffer.from(ABSENT.order_id!.replaceAll('0', 'z')).toString('base64url');
      const answer = await shop.call('GET', `/s2s/v1/orders?cursor=${after}`, undefined, { key });
      expect(answer.body).toEqual({ data: [], next_cursor: null });
    }
  });
});

it('a sku and a player belong to the environment that named them', async () => {
  const key = strangers['the live key']!;
  const put = await shop.call(
    'PUT',
    '/s2s/v1/items/my-sku',
    { name: 'live', price_decimal: 5, currency: 'USD' },
    { key },
  );
  expect(put).toMatchObject({ status: 200, body: { name: 'live', sandbox: false } });
  expect((await shop.call('GET', '/s2s/v1/items/my-sku')).body).toMatchObject({ name: null, sandbox: true });
  await shop.call('POST', '/s2s/v1/orders', { player_id: 'my-player', items: [{ sku: 'my-sku' }] }, { key });
  expect((await shop.call('DELETE', '/s2s/v1/items/my-sku', undefined, { key })).status).toBe(204);
  expect((await shop.call('GET', '/s2s/v1/items/my-sku')).status).toBe(200);
});

it('without a key, or with a key that is not one, nothing is answered', async () => {
  for (const endpoint of Object.values<Endpoint>(ENDPOINTS)) {
    for (const key of ['', 'sk_sandbox_nothing', shop.account.sandbox.s2sKey.slice(0, -1)]) {
      const answer = await ask(endpoint, mine, key);
      expect([endpoint.name, answer.status]).toEqual([endpoint.name, 401]);
    }
  }
});

it('calls of a company that wait for each other hold one connection, and leave all others to the others (row 284)', async () => {
  const { db } = shop.database;
  const query = <Row>(text: string, values: string[] = []) => db.query<Row>({ name: '', text, values });
  const other = strangers["another company's sandbox key"]!;
  let letGo = (): void => {};
  const end = new Promise<void>(resolve => {
    letGo = resolve;
  });
  const isLocked = new Promise<void>(resolve => {
    void db.transaction(async tx => {
      const text = 'select id from environments where id = $1 for no key update';
      await tx.query({ name: '', text, values: [shop.account.sandbox.environmentId] });
      resolve();
      await end;
    });
  });
  await isLocked;
  const path = `/s2s/v1/webhooks/${mine.webhook_id}`;
  const waiting = Array.from({ length: 30 }, (_, n) =>
    n % 2 === 0
      ? shop.call('POST', `${path}/replay`, { since: 0 })
      : shop.call('PATCH', path, { description: `change ${n}` }),
  );
  const waiters = async (): Promise<number> => {
    const text = `select count(*)::int as waiting from pg_stat_activity
      where datname = current_database() and wait_event_type = 'Lock'`;
    return (await query<{ waiting: number }>(text))[0]!.waiting;
  };
  try {
    await expect.poll(waiters).toBeGreaterThan(0);
    const order = { player_id: 'p', items: [{ sku: 'their-sku' }] };
    const orders = await Promise.all(
      Array.from({ length: 8 }, () => shop.call('POST', '/s2s/v1/orders', order, { key: other })),
    );
    expect(orders.map(({ status }) => status)).toEqual(Array(8).fill(201));
    expect(await waiters()).toBe(1);
  } finally {
    letGo();
  }
  await Promise.all(waiting);
});
