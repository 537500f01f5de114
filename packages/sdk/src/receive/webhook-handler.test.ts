import { createHmac } from 'node:crypto';
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import Fastify from 'fastify';
import { afterEach, describe, expect, it } from 'vitest';
import {
  createWebhookHandler,
  decline,
  memoryStore,
  toNodeListener,
  type WebhookEvent,
  type WebhookHandler,
  type WebhookHandlerOptions,
} from '../index.ts';

const SECRET = 's2s_sandbox_key';
const closers: (() => unknown)[] = [];
afterEach(async () => {
  for (const close of closers.splice(0)) await close();
});

const bodyOf = (kind = 'item.add', key = 'key-1'): string =>
  JSON.stringify({
    event_type: kind,
    idempotency_key: key,
    event_data: { player_id: 'Zoë 🐉', items: [{ sku: 'gem', quantity: 2 }] },
  });

function signed(body: string, secret = SECRET): Record<string, string> {
  const timestamp = String(Math.floor(Date.now() / 1000));
  const signature = createHmac('sha256', secret).update(`${timestamp}.${body}`).digest('hex');
  return {
    'content-type': 'application/json',
    'x-service-signature-timestamp': timestamp,
    'x-service-signature': signature,
    'x-service-delivery-attempt': '3',
  };
}

const requestOf = (body = bodyOf(), headers = signed(body)): Request =>
  new Request('https://game.example/webhook', { method: 'POST', body, headers });

/** A game that writes down what it was asked. */
function game(more: Partial<WebhookHandlerOptions> = {}) {
  const granted: string[] = [];
  const errors: unknown[] = [];
  const note = ({ event_type, event_data }: WebhookEvent<'item.add' | 'item.remove'>): void => {
    granted.push(`${event_type} ${event_data.player_id} ${event_data.items[0]?.sku}`);
  };
  const handler = createWebhookHandler({
    secret: SECRET,
    onItemAdd: note,
    onItemRemove: note,
    store: memoryStore(),
    onError: error => void errors.push(error),
    ...more,
  });
  const send = async (request = requestOf()) => {
    const response = await handler(request);
    return { status: response.status, body: await response.json(), retryAfter: response.headers.get('retry-after') };
  };
  return { handler, granted, errors, send };
}

describe('the answers of the interface', () => {
  it('200 and status ok for what was processed', async () => {
    const { send, granted } = game();
    expect(await send()).toMatchObject({ status: 200, body: { status: 'ok' } });
    expect(await send(requestOf(bodyOf('item.remove', 'key-2')))).toMatchObject({
      status: 200,
      body: { status: 'ok' },
    });
    expect(granted).toEqual(['item.add Zoë 🐉 gem', 'item.remove Zoë 🐉 gem']);
  });

  it('403 for a wrong signature, an altered body, an old timestamp and missing headers', async () => {
    const { send, granted } = game();
    const body = bodyOf();
    const old = { ...signed(body), 'x-service-signature-timestamp': '1700000000' };
    const wrong = [
      requestOf(body, signed(body, 'other')),
      requestOf(`${body} `, signed(body)),
      requestOf(body, old),
      requestOf(body, {}),
    ];
    for (const request of wrong) expect((await send(request)).status).toBe(403);
    expect(granted).toEqual([]);
  });

  it('400 for another kind and for what is no JSON', async () => {
    const { send } = game();
    for (const body of [bodyOf('item.polish'), bodyOf('order.paid'), bodyOf('toString'), 'no json', ''])
      expect((await send(requestOf(body))).status).toBe(400);
  });

  it('200 for a test of the endpoint, and for a kind that has a handler', async () => {
    const received: string[] = [];
    const { send } = game({ on: { 'order.paid': event => void received.push(event.event_type) } });
    expect((await send(requestOf(bodyOf('webhook.test')))).status).toBe(200);
    expect((await send(requestOf(bodyOf('order.paid', 'key-2')))).status).toBe(200);
    expect(received).toEqual(['order.paid']);
  });

  it('405 for another method and 413 for a body that is too long', async () => {
    const { send } = game({ maxBodyBytes: 100 });
    expect((await send(new Request('https://game.example/webhook'))).status).toBe(405);
    expect((await send(requestOf('x'.repeat(101)))).status).toBe(413);
  });
});

describe('a webhook that comes again', () => {
  it('is answered alike and not run', async () => {
    const { send, granted } = game();
    for (let i = 0; i < 3; i += 1) expect((await send()).status).toBe(200);
    expect(granted).toHaveLength(1);
  });

  it('at the same time runs once, and all get the answer', async () => {
    let release = (): void => {};
    const gate = new Promise<void>(resolve => {
      release = resolve;
    });
    let runs = 0;
    const { send } = game({
      onItemAdd: async () => {
        runs += 1;
        await gate;
      },
    });
    const sent = [send(), send(), send()];
    await expect.poll(() => runs).toBe(1);
    release();
    expect((await Promise.all(sent)).map(({ status }) => status)).toEqual([200, 200, 200]);
    expect(runs).toBe(1);
  });

  it('while another process is at it is asked to come later', async () => {
    const store = memoryStore();
    await store.begin('key-1');
    const { send, granted } = game({ store });
    expect(await send()).toMatchObject({ status: 503, body: { error: 'in_progress' }, retryAfter: '2' });
    expect(granted).toEqual([]);
  });

  it('after a process died in between is run, once its lease is over', async () => {
    const store = memoryStore({ leaseSeconds: 0 });
    await store.begin('key-1');
    const { send, granted } = game({ store });
    expect((await send()).status).toBe(200);
    expect(granted).toHaveLength(1);
  });

  it('after a failure is run again', async () => {
    let runs = 0;
    const { send, errors } = game({
      onItemAdd: () => {
        runs += 1;
        if (runs === 1) throw new Error('database is down');
      },
    });
    expect(await send()).toMatchObject({ status: 500, body: { error: 'handler_failed' } });
    expect((await send()).status).toBe(200);
    expect([runs, errors.length]).toEqual([2, 1]);
  });
});

describe('a final no', () => {
  it.each<[string, WebhookHandlerOptions['onItemAdd']]>([
    ['returned', () => decline('level too low')],
    ['returned later', async () => decline('level too low')],
    [
      'thrown',
      () => {
        throw decline('level too low');
      },
    ],
  ])('%s is a 4xx with the code, also when it is asked again', async (_name, onItemAdd) => {
    const { send, errors } = game({ onItemAdd });
    const no = { status: 422, body: { code: 'declined', message: 'level too low' } };
    expect(await send()).toMatchObject(no);
    expect(await send()).toMatchObject(no);
    expect(errors).toEqual([]);
  });
});

it('a store that fails runs nothing and asks the service to come again', async () => {
  const broken = { ...memoryStore(), begin: () => Promise.reject(new Error('no table')) };
  const { send, granted, errors } = game({ store: broken });
  expect(await send()).toMatchObject({ status: 503, body: { error: 'store_failed' } });
  expect([granted, errors.length]).toEqual([[], 1]);
});

it('the secret may be looked up for each request, and the handler learns the attempt', async () => {
  const attempts: number[] = [];
  const { send } = game({
    secret: async () => ['an old secret', SECRET],
    onItemAdd: (_event, { attempt }) => void attempts.push(attempt),
  });
  expect((await send()).status).toBe(200);
  expect(attempts).toEqual([3]);
});

it('memory does not grow without end', async () => {
  const store = memoryStore({ limit: 2 });
  const { send, granted } = game({ store });
  for (const key of ['a', 'b', 'c']) await send(requestOf(bodyOf('item.add', key)));
  expect((await store.begin('c')).state).toBe('done');
  expect((await store.begin('a')).state).toBe('run');
  expect(granted).toHaveLength(3);
});

async function listen(listener: RequestListener): Promise<string> {
  const server = createServer(listener);
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve));
  closers.push(() => {
    server.closeAllConnections();
    server.close();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/webhook`;
}

const post = async (url: string, body = bodyOf(), headers = signed(body)) => {
  const response = await fetch(url, { method: 'POST', body, headers });
  return { status: response.status, body: await response.json() };
};

describe('behind node:http', () => {
  it('the raw bytes are verified and the answers are the same', async () => {
    const { handler, granted } = game();
    const listener = toNodeListener(handler);
    const url = await listen((request, response) => void listener(request, response));
    expect(await post(url)).toEqual({ status: 200, body: { status: 'ok' } });
    expect((await post(url, bodyOf(), signed('other'))).status).toBe(403);
    expect((await post(url, 'x'.repeat(2 * 1024 * 1024))).status).toBe(413);
    expect(granted).toHaveLength(1);
  });

  /** What express.raw(), express.json() and hosts with `rawBody` do to a request. */
  const parsedBy = async (handler: WebhookHandler, parse: (raw: Buffer) => object): Promise<string> => {
    const listener = toNodeListener(handler);
    return listen((request, response) => {
      void buffer(request).then(raw => listener(Object.assign(request, parse(raw)), response));
    });
  };

  it('a body that a parser kept raw is taken', async () => {
    for (const parse of [
      (raw: Buffer) => ({ body: raw }),
      (raw: Buffer) => ({ body: raw.toString('utf8') }),
      (raw: Buffer) => ({ body: JSON.parse(raw.toString('utf8')), rawBody: raw }),
    ]) {
      expect((await post(await parsedBy(game().handler, parse))).status).toBe(200);
    }
  });

  it('a body that a parser swallowed is told, not guessed', async () => {
    const url = await parsedBy(game().handler, raw => ({ body: JSON.parse(raw.toString('utf8')) }));
    expect(await post(url)).toEqual({ status: 500, body: { error: 'raw_body_lost' } });
  });
});

it('behind Fastify the raw bytes are verified', async () => {
  const { handler, granted } = game();
  const listener = toNodeListener(handler);
  const app = Fastify();
  await app.register(async scope => {
    scope.removeAllContentTypeParsers();
    scope.addContentTypeParser('*', (_request, _payload, done) => done(null));
    scope.post('/webhook', async (request, reply) => {
      reply.hijack();
      await listener(request.raw, reply.raw);
    });
  });
  const address = await app.listen({ port: 0, host: '127.0.0.1' });
  closers.push(() => app.close());
  expect(await post(`${address}/webhook`)).toEqual({ status: 200, body: { status: 'ok' } });
  expect((await post(`${address}/webhook`, bodyOf(), signed('other'))).status).toBe(403);
  expect(granted).toHaveLength(1);
});

describe('the removal of a purchase', () => {
  const itemEvent = (kind: string, order_id: string, more: object = {}): string =>
    JSON.stringify({
      event_type: kind,
      idempotency_key: `${kind}:${order_id}`,
      event_data: { player_id: 'alice', order_id, items: [{ sku: order_id, quantity: 100 }], ...more },
    });

  it('that never arrived takes nothing, and the purchase gives nothing when it comes after all (row 198)', async () => {
    const { send, granted } = game();
    const remove = itemEvent('item.remove', 'ord_1', { grant: 'unknown' });
    expect((await send(requestOf(remove))).status).toBe(200);
    expect((await send(requestOf(itemEvent('item.add', 'ord_1')))).status).toBe(200);
    expect(granted).toEqual([]);
  });

  it('takes what was granted, whether or not the service heard of it', async () => {
    const { send, granted } = game();
    await send(requestOf(itemEvent('item.add', 'ord_1')));
    await send(requestOf(itemEvent('item.remove', 'ord_1', { grant: 'unknown' })));
    // Another process granted it, or this one before it forgot.
    await send(requestOf(itemEvent('item.remove', 'ord_2', { grant: 'confirmed' })));
    expect(granted).toEqual(['item.add alice ord_1', 'item.remove alice ord_1', 'item.remove alice ord_2']);
  });

  it('that the game declined or failed takes nothing', async () => {
    const declined = game({ onItemAdd: () => decline('level too low') });
    await declined.send(requestOf(itemEvent('item.add', 'ord_1')));
    await declined.send(requestOf(itemEvent('item.remove', 'ord_1', { grant: 'unknown' })));
    const failed = game({ onItemAdd: () => Promise.reject(new Error('the database is away')) });
    await failed.send(requestOf(itemEvent('item.add', 'ord_1')));
    await failed.send(requestOf(itemEvent('item.remove', 'ord_1', { grant: 'unknown' })));
    expect([declined.granted, failed.granted]).toEqual([[], []]);
  });

  it('waits for a purchase that is under way', async () => {
    const store = memoryStore();
    const { send, granted } = game({ store });
    const begun = await store.begin('item.add:ord_1', 'item.add ord_1');
    const remove = itemEvent('item.remove', 'ord_1', { grant: 'unknown' });
    expect((await send(requestOf(remove))).status).toBe(503);
    await store.finish('item.add:ord_1', begun.state === 'run' ? begun.claim : '', { declined: null });
    expect((await send(requestOf(remove))).status).toBe(200);
    expect(granted).toEqual(['item.remove alice ord_1']);
  });
});
