import {
  cancelOrder,
  createOrder,
  deleteItem,
  ENDPOINTS,
  type Endpoint,
  getItem,
  getOrder,
  getPlayer,
  putItem,
  refundOrder,
} from '@coinslot/contract';
import fc from 'fast-check';
import type { FastifyInstance } from 'fastify';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { AppError } from '../kit/app-error.ts';
import { createLogger } from './log.ts';
import { type Door, mount } from './mount.ts';
import { createRateLimiter, DELAY_SPENT_MS } from './rate-limit.ts';
import { buildServer } from './server.ts';

const clock = { time: 0, nowMs: () => clock.time };

interface Caller {
  key: string;
}

const door: Door<Caller> = {
  authenticate(request) {
    const key = request.headers.authorization?.replace('Bearer ', '') ?? '';
    if (key === 'slow') return Promise.resolve({ key });
    if (key === 'lost') return Promise.reject(new AppError('unauthorized'));
    if (!['good', 'other'].includes(key)) throw new AppError('unauthorized');
    return { key };
  },
  rateLimit: {
    limiter: createRateLimiter({ limit: 100, windowMs: 60_000, maxKeys: 10, clock }),
    keyOf: caller => caller.key,
  },
};

const created = {
  order_id: 'ord_1',
  checkout_url: 'https://pay.example.com/c/1',
  status: 'created' as const,
  amount: 499,
  currency: 'USD',
  price_decimal: 4.99,
  discount_decimal: null,
  created_at: 1,
  expires_at: 2,
  sandbox: true,
};

interface Schema {
  type?: string | string[];
  properties?: Record<string, Schema>;
  items?: Schema;
  anyOf?: Schema[];
  enum?: string[];
  additionalProperties?: Schema;
}

/** A value that uses everything a schema declares. */
function sample(given: object): unknown {
  const schema: Schema = given;
  if (schema.anyOf?.[0]) return sample(schema.anyOf[0]);
  if (schema.enum) return schema.enum[0];
  if (schema.properties)
    return Object.fromEntries(Object.entries(schema.properties).map(([key, inner]) => [key, sample(inner)]));
  const type = Array.isArray(schema.type) ? schema.type[0] : schema.type;
  if (type === 'array') return [sample(schema.items ?? {}), sample(schema.items ?? {})];
  if (type === 'object')
    return { 'a\nb': sample(schema.additionalProperties ?? {}), 'ü"/': sample(schema.additionalProperties ?? {}) };
  if (type === 'integer') return 9_007_199_254_740_991;
  if (type === 'number') return 0.1;
  if (type === 'boolean') return true;
  return 'text "quoted" \\ \n \u2028 😀 <b>';
}

const nulled = (schema: object): unknown =>
  Object.fromEntries(
    Object.entries((schema as Schema).properties ?? {}).map(([key, inner]) => {
      const isNullable = inner.type?.includes('null') || inner.anyOf?.some(branch => branch.type === 'null');
      return [key, isNullable ? null : sample(inner)];
    }),
  );

let app: FastifyInstance;
let base: string;
let last: Record<'params' | 'query' | 'headers' | 'body' | 'bodyText' | 'warnings' | 'context', unknown> | undefined;

const answering = (answer: unknown) => (input: NonNullable<typeof last>) => {
  last = input;
  return Promise.resolve(answer as never);
};

beforeAll(async () => {
  app = buildServer({ publicUrl: 'https://pay.example.com', logger: createLogger('silent') });
  const { schema: orderSchema } = getOrder.response;
  mount(
    app,
    createOrder,
    input => {
      input.setHeader('idempotency-replayed', 'true');
      return answering(created)(input);
    },
    door,
  );
  mount(app, getOrder, answering(sample(orderSchema)), door);
  mount(app, cancelOrder, answering(sample(orderSchema)), door);
  mount(app, refundOrder, answering(sample(orderSchema)), door);
  mount(app, putItem, answering(nulled(getItem.response.schema)), door);
  mount(app, deleteItem, answering(undefined), door);
  mount(app, getPlayer, answering(sample(getPlayer.response.schema)), door);
  base = await app.listen({ port: 0, host: '127.0.0.1' });
});

afterAll(() => app.close());

const call = (method: string, path: string, body?: string, headers: Record<string, string> = {}) =>
  fetch(`${base}/s2s/v1${path}`, {
    method,
    headers: {
      authorization: 'Bearer good',
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      ...headers,
    },
    ...(body === undefined ? {} : { body }),
  });

const valid = '{"player_id":"p","items":[{"sku":"s"}]}';

describe('an endpoint', () => {
  it('gets what was sent and answers with the status of the contract', async () => {
    const response = await call('POST', '/orders', valid, { 'idempotency-key': 'k' });
    expect(response.status).toBe(201);
    expect(await response.json()).toEqual(created);
    expect(response.headers.get('idempotency-replayed')).toBe('true');
    expect(response.headers.get('cache-control')).toBe('no-store');
    expect(last).toMatchObject({
      headers: { 'idempotency-key': 'k' },
      bodyText: valid,
      context: { key: 'good' },
      warnings: [],
    });
    expect(JSON.stringify(last?.body)).toBe(valid);
  });

  it('names ignored fields in the answer', async () => {
    const response = await call('POST', '/orders', '{"player_id":"p","items":[{"sku":"s","qty":1}],"prise":1}');
    expect(await response.json()).toEqual({ ...created, warnings: ['/items/0/qty', '/prise'] });
  });

  it('never gets a field that the contract does not declare, however deep (row 134)', async () => {
    await call(
      'POST',
      '/orders',
      '{"orderIds":[1],"player_id":"p","items":[{"sku":"s","sale":{"price_decimal":1,"x":2},"y":3}]}',
    );
    expect(last?.body).toEqual({ player_id: 'p', items: [{ sku: 's', sale: { price_decimal: 1 } }] });
    await call('POST', '/orders', '{"player_id":"p","items":[{"sku":"s"}],"constructor":2,"toString":{"a":1}}');
    expect(JSON.stringify(last?.body)).toBe(valid);
  });

  it('hears of all wrong fields in one problem', async () => {
    const response = await call('POST', '/orders', '{"items":[]}', { 'idempotency-key': 'x'.repeat(256) });
    expect(response.status).toBe(422);
    const { errors } = (await response.json()) as { errors: { pointer: string; code: string }[] };
    expect(errors.map(({ pointer, code }) => `${pointer} ${code}`)).toEqual([
      '/idempotency-key too_long',
      '/player_id required',
      '/items too_few',
    ]);
  });

  it('without a body takes none, or an empty one', async () => {
    expect((await call('POST', '/orders/ord_1/cancel')).status).toBe(200);
    expect((await call('POST', '/orders/ord_1/cancel', '', { 'content-type': 'application/json' })).status).toBe(200);
    expect((await call('POST', '/orders/ord_1/cancel', '{}')).status).toBe(200);
  });

  it('with an optional body takes none', async () => {
    expect((await call('POST', '/orders/ord_1/refund')).status).toBe(200);
    expect(JSON.stringify(last?.body)).toBe('{}');
    expect((await call('POST', '/orders/ord_1/refund', '{"reason":"bug"}')).status).toBe(200);
    expect(last?.body).toMatchObject({ reason: 'bug' });
    expect((await call('POST', '/orders/ord_1/refund', '{"reason":1}')).status).toBe(422);
  });

  it('reads path and query exactly', async () => {
    await call('GET', '/orders/ord_1?wait=25');
    expect(last).toMatchObject({ params: { order_id: 'ord_1' }, query: { wait: 25 } });
    await call('GET', '/orders/ord_1');
    expect(last?.query).toEqual({ wait: 0 });
    expect((await call('GET', '/orders/ord_1?wait=26')).status).toBe(422);
    expect((await call('GET', '/orders/ord_1?wait=1&wait=2')).status).toBe(422);
  });

  it.each(['a/b', 'ü 😀', 'a%2Fb', '..', '+', 'x?y#z', ' lead', 'a\nb', '😀'.repeat(255)])(
    'takes the player id %j',
    async id => {
      expect((await call('GET', `/players/${encodeURIComponent(id).replaceAll('.', '%2E')}`)).status).toBe(
        id === '..' ? 404 : 200,
      );
      if (id !== '..') expect(last?.params).toEqual({ player_id: id });
    },
  );

  it('refuses NUL in the path', async () => {
    expect((await call('GET', '/players/a%00b')).status).toBe(422);
  });

  it('may answer with nothing', async () => {
    const response = await call('DELETE', '/items/s');
    expect([response.status, await response.text()]).toEqual([204, '']);
  });

  it('HEAD answers like GET without a body', async () => {
    const response = await call('HEAD', '/orders/ord_1');
    expect([response.status, await response.text()]).toEqual([200, '']);
  });
});

describe('hostile bodies', () => {
  it('are refused by rule or taken, never a fault of ours', async () => {
    clock.time += 60_000;
    const field = fc.constantFrom(
      ...Object.keys(createOrder.body.properties),
      'sku',
      'quantity',
      'sale',
      'constructor',
      'x',
    );
    const { value } = fc.letrec(tie => ({
      value: fc.oneof(
        { depthSize: 'medium' },
        fc.jsonValue({ maxDepth: 1 }),
        fc.string({ unit: 'binary' }),
        fc.double(),
        fc.constantFrom('https://x.example', 'USD', 'javascript:1', -0, 1e21, 2 ** 53),
        fc.array(tie('value'), { maxLength: 4 }),
        fc.dictionary(field, tie('value'), { maxKeys: 6 }),
      ),
    }));
    await fc.assert(
      fc.asyncProperty(fc.dictionary(field, value, { maxKeys: 8 }), async body => {
        clock.time += 60_000;
        const response = await call(
          'POST',
          '/orders',
          JSON.stringify({ player_id: 'p', items: [{ sku: 's' }], ...body }),
        );
        expect([201, 400, 422]).toContain(response.status);
        await response.text();
      }),
      { numRuns: 200 },
    );
  });
});

describe('the door', () => {
  it.each([undefined, 'Bearer bad', 'Bearer lost'])(
    '%s is turned away before the body is read',
    async authorization => {
      const response = await fetch(`${base}/s2s/v1/orders`, {
        method: 'POST',
        body: '{',
        headers: { 'content-type': 'application/json', ...(authorization ? { authorization } : {}) },
      });
      expect([response.status, response.headers.get('www-authenticate')]).toEqual([401, 'Bearer']);
      expect(await response.json()).toMatchObject({ code: 'unauthorized' });
    },
  );

  it('may take its time', async () => {
    expect((await call('GET', '/orders/ord_1', undefined, { authorization: 'Bearer slow' })).status).toBe(200);
    expect(last?.context).toEqual({ key: 'slow' });
  });

  it('looks again who calls where the body comes late, so that no key acts that has ended meanwhile (row 279)', async () => {
    let isEnded = false;
    const server = buildServer({ publicUrl: 'https://pay.example.com', logger: createLogger('silent') });
    const admitted = new Promise<void>(resolve => {
      server.addHook('preParsing', (_request, _reply, payload, next) => {
        resolve();
        next(null, payload);
      });
    });
    mount(server, createOrder, answering(created), {
      authenticate() {
        if (isEnded) throw new AppError('unauthorized');
        return { key: 'good' };
      },
    });
    const url = await server.listen({ port: 0, host: '127.0.0.1' });
    const { readable, writable } = new TransformStream<Uint8Array, Uint8Array>();
    const body = writable.getWriter();
    const sent = { method: 'POST', headers: { 'content-type': 'application/json' }, body: readable, duplex: 'half' };
    last = undefined;
    const asked = fetch(`${url}/s2s/v1/orders`, sent);
    await body.write(Buffer.from(valid.slice(0, 5)));
    await admitted;
    isEnded = true;
    const now = performance.now.bind(performance);
    const later = vi.spyOn(performance, 'now').mockImplementation(() => now() + 2_000);
    await body.write(Buffer.from(valid.slice(5)));
    await body.close();
    expect((await asked).status).toBe(401);
    expect(last).toBeUndefined();
    later.mockRestore();
    await server.close();
  });

  it('counts each key, says what is left, and answers 429 when nothing is', async () => {
    clock.time += 60_000;
    const first = await call('GET', '/orders/ord_1', undefined, { authorization: 'Bearer other' });
    expect(['limit', 'remaining', 'reset'].map(name => first.headers.get(`ratelimit-${name}`))).toEqual([
      '100',
      '99',
      '60',
    ]);
    for (let i = 0; i < 99; i++) await call('HEAD', '/orders/ord_1', undefined, { authorization: 'Bearer other' });
    clock.time += 1_000;
    const refused = await call('GET', '/orders/ord_1', undefined, { authorization: 'Bearer other' });
    expect([refused.status, refused.headers.get('retry-after'), refused.headers.get('ratelimit-remaining')]).toEqual([
      429,
      '59',
      '0',
    ]);
    expect(await refused.json()).toMatchObject({ code: 'rate_limited' });
    expect((await call('GET', '/orders/ord_1')).status).toBe(200);
  });
});

describe('serialization', () => {
  const answered = Object.values<Endpoint>(ENDPOINTS).filter(endpoint => endpoint.response.schema);

  it.each(answered.map(endpoint => [endpoint.name, endpoint] as const))(
    '%s drops nothing that the contract declares',
    async (_, endpoint) => {
      const server = buildServer({ publicUrl: '', logger: createLogger('silent') });
      const values = [sample(endpoint.response.schema ?? {}), nulled(endpoint.response.schema ?? {})];
      let next = 0;
      server.get('/sample', { schema: { response: { 200: endpoint.response.schema } } }, () =>
        Promise.resolve(values[next++]),
      );
      const url = await server.listen({ port: 0, host: '127.0.0.1' });
      for (const value of values) expect(await (await fetch(`${url}/sample`)).json()).toEqual(value);
      await server.close();
    },
  );
});

describe('a handler', () => {
  it('that refuses a request as too much answers later than one that refuses it for another cause', async () => {
    const refusing = buildServer({ publicUrl: 'https://pay.example.com', logger: createLogger('silent') });
    mount(refusing, cancelOrder, () => Promise.reject(new AppError('rate_limited')), door);
    mount(refusing, getOrder, () => Promise.reject(new AppError('order_not_found')), door);
    const headers = { authorization: 'Bearer good' };
    const answered: number[] = [];
    const note = ({ statusCode }: { statusCode: number }) => answered.push(statusCode);
    const startedMs = performance.now();
    await Promise.all([
      refusing.inject({ method: 'POST', url: '/s2s/v1/orders/ord_1/cancel', headers }).then(note),
      refusing.inject({ url: '/s2s/v1/orders/ord_1', headers }).then(note),
    ]);
    expect(answered).toEqual([404, 429]);
    // A timer of Node may fire a millisecond early.
    expect(performance.now() - startedMs).toBeGreaterThanOrEqual(DELAY_SPENT_MS - 1);
    await refusing.close();
  });
});
