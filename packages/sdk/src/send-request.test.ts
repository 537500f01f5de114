import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { afterEach, describe, expect, it } from 'vitest';
import { CoinslotError, createCoinslot, isCoinslotError } from './index.ts';

interface Seen {
  method: string | undefined;
  url: string | undefined;
  headers: IncomingMessage['headers'];
  body: string;
}

type Step = (response: ServerResponse, request: IncomingMessage) => void;

const KEY = 's2s_sandbox_secret_key_that_must_not_leak';
const closers: (() => void)[] = [];
afterEach(() => {
  for (const close of closers.splice(0)) close();
});

const json =
  (status: number, body: unknown, headers: Record<string, string> = {}): Step =>
  response =>
    void response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(body));
const problem = (status: number, code: string, headers: Record<string, string> = {}): Step =>
  json(status, { type: 'about:blank', title: 'No', status, code, request_id: 'req_7' }, headers);
const reset: Step = (_response, request) => request.socket.resetAndDestroy();
const hang: Step = () => {};
const ok = json(200, { order_id: 'ord_1', status: 'created' });
const AT_ONCE = { 'retry-after': '0' };

/** A service that answers its requests by a list of steps; the last one goes on. */
async function start(...steps: Step[]) {
  const seen: Seen[] = [];
  const server = createServer((request, response) => {
    const { method, url, headers } = request;
    const step = steps[Math.min(seen.length, steps.length - 1)]!;
    const entry: Seen = { method, url, headers, body: '' };
    seen.push(entry);
    void text(request).then(body => {
      entry.body = body;
      step(response, request);
    });
  });
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve));
  closers.push(() => {
    server.closeAllConnections();
    server.close();
  });
  const baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return { seen, baseUrl, coinslot: createCoinslot({ key: KEY, baseUrl }) };
}

const AN_ORDER = { player_id: 'p', items: [{ sku: 's' }] };

async function failure(call: Promise<unknown>): Promise<CoinslotError> {
  const error = await call.then(
    () => new Error('it did not fail'),
    (reason: unknown) => reason,
  );
  expect(error).toBeInstanceOf(CoinslotError);
  expect(JSON.stringify(error) + String(error)).not.toContain(KEY);
  return error as CoinslotError;
}

describe('a try that failed', () => {
  it('is repeated after a lost connection, a 503 and a 429, with the same body and idempotency key', async () => {
    const steps = [reset, problem(503, 'unavailable', AT_ONCE), problem(429, 'rate_limited', AT_ONCE), ok];
    const { seen, coinslot } = await start(...steps);
    expect(await coinslot.orders.create(AN_ORDER)).toMatchObject({ order_id: 'ord_1' });
    expect(seen).toHaveLength(4);
    expect(new Set(seen.map(({ headers }) => headers['idempotency-key'])).size).toBe(1);
    expect(new Set(seen.map(({ body }) => body))).toEqual(new Set([JSON.stringify(AN_ORDER)]));
  });

  it('is repeated after 500, 502 and 504, of the service or of a proxy, where that is safe', async () => {
    const page: Step = response =>
      void response.writeHead(502, { 'content-type': 'text/html', ...AT_ONCE }).end('<h1>Bad');
    const cut: Step = (response, request) => {
      response.writeHead(200, { 'content-type': 'application/json', 'content-length': '100' });
      response.write('{"order_id":', () => request.socket.resetAndDestroy());
    };
    const safe = await start(problem(500, 'internal', AT_ONCE), page, problem(504, 'unavailable', AT_ONCE), ok);
    expect(await safe.coinslot.orders.create(AN_ORDER)).toMatchObject({ order_id: 'ord_1' });
    expect(safe.seen).toHaveLength(4);
    const cutOff = await start(cut, ok);
    expect(await cutOff.coinslot.orders.get('ord_1')).toMatchObject({ order_id: 'ord_1' });
    const unsafe = await start(problem(500, 'internal', AT_ONCE), ok);
    expect(await failure(unsafe.coinslot.webhooks.rotateSecret('whk_1'))).toMatchObject({ status: 500 });
    expect([cutOff.seen.length, unsafe.seen.length]).toEqual([2, 1]);
  });

  it('is repeated as often as it is told, then its error is given', async () => {
    const { seen, baseUrl } = await start(problem(503, 'unavailable', AT_ONCE));
    const coinslot = createCoinslot({ key: KEY, baseUrl, retries: 2 });
    expect(await failure(coinslot.orders.get('ord_1'))).toMatchObject({
      code: 'unavailable',
      status: 503,
      requestId: 'req_7',
      retryAfterSeconds: 0,
    });
    expect(seen).toHaveLength(3);
    await failure(coinslot.orders.get('ord_1', { retries: 0 }));
    expect(seen).toHaveLength(4);
  });

  it('is not repeated when waiting would take too long, or when the answer is final', async () => {
    const late = await start(problem(429, 'rate_limited', { 'retry-after': '3600' }));
    expect(await failure(late.coinslot.orders.get('ord_1'))).toMatchObject({ retryAfterSeconds: 3600 });
    const final = await start(problem(404, 'order_not_found'));
    expect(await failure(final.coinslot.orders.get('ord_1'))).toMatchObject({ code: 'order_not_found', status: 404 });
    expect([late.seen.length, final.seen.length]).toEqual([1, 1]);
  });

  it('is not repeated when a second one would do more than the first, unless nothing was done', async () => {
    const lost = await start(reset, ok);
    expect(await failure(lost.coinslot.webhooks.rotateSecret('whk_1'))).toMatchObject({ code: 'connection_failed' });
    const limited = await start(problem(429, 'rate_limited', AT_ONCE), ok);
    await limited.coinslot.webhooks.rotateSecret('whk_1');
    expect([lost.seen.length, limited.seen.length]).toEqual([1, 2]);
  });
});

it('two orders never share an idempotency key, and one of your own is used as it is', async () => {
  const { seen, coinslot } = await start(ok);
  await coinslot.orders.create(AN_ORDER);
  await coinslot.orders.create(AN_ORDER);
  await coinslot.orders.create(AN_ORDER, { idempotencyKey: 'purchase-1001' });
  const keys = seen.map(({ headers }) => headers['idempotency-key']);
  expect(new Set(keys).size).toBe(3);
  expect(keys[2]).toBe('purchase-1001');
  expect(seen[0]!.headers).toMatchObject({
    authorization: `Bearer ${KEY}`,
    'content-type': 'application/json',
    'user-agent': expect.stringMatching(/^coinslot-sdk\/\d/),
  });
});

describe('a call ends', () => {
  it('when its time is over, also while the body drips in', async () => {
    const drip: Step = response => {
      response.writeHead(200, { 'content-type': 'application/json' });
      response.write('{');
    };
    for (const step of [hang, drip]) {
      const { coinslot } = await start(step);
      const call = coinslot.orders.get('ord_1', { timeoutMs: 60, retries: 0 });
      expect(await failure(call)).toMatchObject({ code: 'timeout', status: 0, requestId: null });
    }
  });

  it('when its signal says so: before, during, and between two tries', async () => {
    const { seen, coinslot } = await start(hang);
    expect(await failure(coinslot.orders.get('ord_1', { signal: AbortSignal.abort() }))).toMatchObject({
      code: 'aborted',
    });
    expect(seen).toHaveLength(0);
    const during = new AbortController();
    const call = coinslot.orders.get('ord_1', { signal: during.signal });
    await expect.poll(() => seen.length).toBe(1);
    during.abort(new Error('the player left'));
    expect(await failure(call)).toMatchObject({ code: 'aborted', cause: { message: 'the player left' } });

    const busy = await start(problem(503, 'unavailable', { 'retry-after': '50' }));
    const between = new AbortController();
    const waiting = busy.coinslot.orders.get('ord_1', { signal: between.signal });
    await expect.poll(() => busy.seen.length).toBe(1);
    between.abort();
    expect(await failure(waiting)).toMatchObject({ code: 'aborted' });
  });
});

describe('an answer that is not from Coinslot', () => {
  it('is told as such', async () => {
    const page: Step = response => void response.writeHead(502, { 'content-type': 'text/html' }).end('<h1>Bad</h1>');
    const { coinslot } = await start(page);
    const error = await failure(coinslot.orders.get('ord_1', { retries: 0 }));
    expect(error).toMatchObject({ code: 'invalid_answer', status: 502 });
    expect(error.message).toBe(
      '502 with an HTML page ("Bad") instead of a Coinslot response. Check baseUrl, and whether a proxy responded.',
    );
    const half = await start(response => void response.writeHead(200).end('{"order_id":'));
    expect(await failure(half.coinslot.orders.get('ord_1'))).toMatchObject({ code: 'invalid_answer', status: 200 });
  });

  it('does not get the key by a redirect', async () => {
    const thief = await start(ok);
    const { coinslot } = await start(response => void response.writeHead(307, { location: thief.baseUrl }).end());
    expect(await failure(coinslot.orders.get('ord_1'))).toMatchObject({ code: 'invalid_answer', status: 307 });
    expect(thief.seen).toHaveLength(0);
  });

  it('and a service that is not there', async () => {
    const { baseUrl } = await start(ok);
    for (const close of closers.splice(0)) close();
    const error = await failure(createCoinslot({ key: KEY, baseUrl, retries: 0 }).orders.get('ord_1'));
    expect(error).toMatchObject({ code: 'connection_failed', status: 0 });
    expect(error.message).toContain('ECONNREFUSED');
    expect(isCoinslotError(error)).toBe(true);
  });
});

it('wrong fields are all in the error', async () => {
  const errors = [{ pointer: '/items/0/sku', code: 'required', message: 'The field is missing.' }];
  const { coinslot } = await start(json(422, { code: 'validation_failed', title: 'Some fields are wrong', errors }));
  const error = await failure(coinslot.orders.create(AN_ORDER));
  expect(error.errors).toEqual(errors);
  expect(error.message).toBe('422 validation_failed: Some fields are wrong (/items/0/sku: The field is missing.)');
});

it('request reaches any path, with query and headers', async () => {
  const { seen, coinslot } = await start(json(200, { fine: true }, { 'x-request-id': 'req_9' }));
  const query = { a: 'x&y', b: 2, c: undefined, d: null };
  const answer = await coinslot.request<{ fine: boolean }>({ method: 'GET', path: '/s2s/v1/new', query });
  expect(answer).toMatchObject({ status: 200, body: { fine: true }, requestId: 'req_9' });
  expect(seen[0]!.url).toBe('/s2s/v1/new?a=x%26y&b=2');
});

it('a base address with a path keeps it', async () => {
  const { seen, baseUrl } = await start(ok);
  await createCoinslot({ key: KEY, baseUrl: `${baseUrl}/shop/` }).orders.get('ord_1');
  expect(seen[0]!.url).toBe('/shop/s2s/v1/orders/ord_1');
});
