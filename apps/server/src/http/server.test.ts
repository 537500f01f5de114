import { once } from 'node:events';
import { request } from 'node:http';
import { connect } from 'node:net';
import { createOrder, ENDPOINTS, ERRORS, type ErrorCode, getOrder } from '@coinslot/contract';
import type { FastifyInstance } from 'fastify';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { AppError } from '../kit/app-error.ts';
import { createLogger } from './log.ts';
import { type Door, mount } from './mount.ts';
import { buildServer } from './server.ts';

const publicUrl = 'https://pay.example.com';
const logged: string[] = [];
const openDoor: Door<null> = { authenticate: () => null };

let app: FastifyInstance;
let base: string;
let port: number;
/** Waits for no slow caller, nor for a busy machine: only the tests about that ask it. */
let impatient: FastifyInstance;
let impatientPort: number;

beforeAll(async () => {
  const logger = createLogger('info', { write: line => void logged.push(line) });
  app = buildServer({ publicUrl, logger });
  impatient = buildServer({ publicUrl, logger, headersTimeoutMs: 300, requestTimeoutMs: 600 });
  mount(impatient, createOrder, () => Promise.reject(new Error('reached')), openDoor);
  impatientPort = Number(new URL(await impatient.listen({ port: 0, host: '127.0.0.1' })).port);
  mount(app, createOrder, () => Promise.reject(new Error('boom: secret sk_live_canary')), openDoor);
  mount(
    app,
    getOrder,
    () => Promise.reject(Object.assign(new Error('down'), { code: 'ECONNREFUSED', syscall: 'connect' })),
    openDoor,
  );
  app.get('/checkout/:token', () => Promise.reject(new Error('no card for you')));
  app.get('/teapot', () => Promise.reject(new AppError('order_wrong_status', { detail: 'It is paid.' })));
  base = await app.listen({ port: 0, host: '127.0.0.1' });
  port = Number(new URL(base).port);
});

afterAll(() => Promise.all([app.close(), impatient.close()]));

const padded = (bytes: number) => `{}${' '.repeat(bytes - 2)}`;

/** Sends bytes as they are and reads until the server ends the connection. */
async function raw(bytes: string, half = false, at = port): Promise<string> {
  const socket = connect(at, '127.0.0.1');
  let answer = '';
  socket.setEncoding('utf8').on('data', chunk => {
    answer += chunk;
  });
  socket.on('error', () => {});
  socket.write(bytes);
  if (!half) socket.end();
  await once(socket, 'close');
  return answer;
}

const order = (
  body: string | Uint8Array<ArrayBuffer>,
  headers: Record<string, string> = { 'content-type': 'application/json' },
) => fetch(`${base}/s2s/v1/orders`, { method: 'POST', headers, body });

async function problem(response: Response) {
  expect(response.headers.get('content-type')).toBe('application/problem+json; charset=utf-8');
  const body = (await response.json()) as {
    code: ErrorCode;
    status: number;
    detail?: string;
    request_id: string;
  };
  expect(body.status).toBe(response.status);
  expect(body.status).toBe(ERRORS[body.code].status);
  expect(body).toMatchObject({ type: `${publicUrl}/errors/${body.code}`, title: ERRORS[body.code].title });
  expect(response.headers.get('x-request-id')).toBe(body.request_id);
  expect(body.request_id).toMatch(/^req_[0-9a-z]{26}$/);
  // Only a fault of ours says nothing about itself.
  expect(body.detail).toEqual(body.code === 'internal' ? undefined : expect.stringMatching(/^[^`]+\.$/));
  return body;
}

describe('what no route takes', () => {
  it.each(['/', '/s2s/v1/nothing', '/s2s/v2/orders', '/s2s/v1/orders/a/b/c'])('%s is a 404', async path => {
    expect((await problem(await fetch(base + path))).code).toBe('not_found');
  });

  it('a body of any kind does not change a 404', async () => {
    const response = await fetch(`${base}/nowhere`, {
      method: 'POST',
      body: '<x/>',
      headers: { 'content-type': 'text/xml' },
    });
    expect((await problem(response)).code).toBe('not_found');
  });

  it.each(['DELETE', 'PUT', 'PATCH'])('%s on a known path is a 405 that says what is allowed', async method => {
    const response = await fetch(`${base}/s2s/v1/orders/ord_1`, { method });
    expect(response.headers.get('allow')).toBe('GET, HEAD, OPTIONS');
    expect((await problem(response)).code).toBe('method_not_allowed');
  });

  it('TRACE sends nothing back', async () => {
    const path = '/s2s/v1/orders/ord_1';
    const status = await new Promise((resolve, reject) => {
      const sent = request(`${base}${path}`, { method: 'TRACE' }, answer => {
        answer.resume();
        resolve(answer.statusCode);
      });
      sent.on('error', reject).end();
    });
    expect([404, 405, 501]).toContain(status);
  });

  it('OPTIONS lists the methods and opens no other origin', async () => {
    const response = await fetch(`${base}/s2s/v1/orders`, {
      method: 'OPTIONS',
      headers: { origin: 'https://evil.example' },
    });
    expect([
      response.status,
      response.headers.get('allow'),
      response.headers.get('access-control-allow-origin'),
    ]).toEqual([204, 'POST, OPTIONS', null]);
  });

  it('a URL that cannot be decoded is a 400', async () => {
    expect((await problem(await fetch(`${base}/s2s/v1/orders/%ff`))).code).toBe('invalid_request');
  });

  it('an endless path part is refused', async () => {
    expect((await problem(await fetch(`${base}/s2s/v1/orders/${'x'.repeat(5_000)}`))).status).toBe(414);
  });
});

describe('bodies', () => {
  it.each([
    'text/plain',
    'application/x-www-form-urlencoded',
    'application/merge-patch+json',
    'application/json; charset=latin1',
    'application/json; charset=utf-16',
    'x',
    'application/jsonp',
  ])('%s is a 415', async type =>
    expect((await problem(await order('{}', { 'content-type': type }))).code).toBe('unsupported_media_type'),
  );

  it.each(['application/json;charset=UTF-8', 'Application/JSON ; charset = "utf-8" ;', 'application/json;'])(
    '%s is read',
    async type => expect((await problem(await order('{}', { 'content-type': type }))).code).toBe('validation_failed'),
  );

  it('a type of 15,000 spaces is a 415 (row 129)', async () => {
    const type = `application/json; charset=utf-8${' '.repeat(15_000)}x`;
    expect((await problem(await order('{}', { 'content-type': type }))).code).toBe('unsupported_media_type');
  });

  it('a body without a type is a 415', async () => {
    expect((await problem(await order(Buffer.from('{}'), {}))).code).toBe('unsupported_media_type');
  });

  it('a compressed body is a 415', async () => {
    const headers = { 'content-type': 'application/json', 'content-encoding': 'gzip' };
    expect((await problem(await order('{}', headers))).code).toBe('unsupported_media_type');
  });

  it.each([
    'application/json',
    'application/json; charset=utf-8',
    'application/json;charset=UTF-8',
    'Application/JSON',
    'application/json; charset="utf-8"',
  ])('%s is read', async type =>
    expect((await problem(await order('{}', { 'content-type': type }))).code).toBe('validation_failed'),
  );

  it.each(['', '{', '{"a":1,"a":2}', '\uFEFF{}'])('%j is a 400', async text => {
    expect((await problem(await order(text))).code).toBe('invalid_json');
  });

  it.each([
    [[0x22, 0xff, 0x22]],
    [[0x22, 0xc0, 0x80, 0x22]],
    [[0x22, 0xed, 0xa0, 0x80, 0x22]],
    [[0xff, 0xfe, 0x7b, 0, 0x7d, 0]],
  ])('bytes %j are not UTF-8', async bytes => {
    expect((await problem(await order(new Uint8Array(bytes)))).code).toBe('invalid_json');
  });

  it('bad JSON does not cost the connection', async () => {
    expect((await order('{')).headers.get('connection')).toBe('keep-alive');
  });

  it('256 KiB are read, one byte more is a 413', async () => {
    expect((await problem(await order(padded(256 * 1024)))).code).toBe('validation_failed');
    expect((await problem(await order(padded(256 * 1024 + 1)))).code).toBe('body_too_large');
    expect((await problem(await order(padded(3 * 1024 * 1024)))).code).toBe('body_too_large');
  });

  it('a chunked body is limited too', async () => {
    const stream = new ReadableStream({
      start(controller) {
        for (let i = 0; i < 300; i++) controller.enqueue(new Uint8Array(1024).fill(0x20));
        controller.close();
      },
    });
    const init = { method: 'POST', headers: { 'content-type': 'application/json' }, body: stream, duplex: 'half' };
    expect((await problem(await fetch(`${base}/s2s/v1/orders`, init as RequestInit))).code).toBe('body_too_large');
  });
});

describe('faults of ours', () => {
  const valid = '{"player_id":"p","items":[{"sku":"s"}]}';

  it('show only the request id, and the log has them under it', async () => {
    const body = await problem(await order(valid));
    expect(Object.keys(body)).toEqual(['type', 'title', 'status', 'code', 'request_id']);
    const line = logged.find(entry => entry.includes(body.request_id));
    expect(line).toContain('boom');
  });

  it('a database that is away is a 503 with Retry-After', async () => {
    const response = await fetch(`${base}/s2s/v1/orders/ord_1`);
    expect(response.headers.get('retry-after')).toBe('1');
    expect((await problem(response)).code).toBe('unavailable');
  });

  it('the log names the route and never the URL', async () => {
    await fetch(`${base}/checkout/tok_canary_123?x=canary_456`);
    const lines = logged.join('');
    expect(lines).toContain('/checkout/:token');
    expect(lines).not.toMatch(/canary_123|canary_456/);
  });

  it('an expected refusal is not an error in the log', async () => {
    const before = logged.length;
    expect(await problem(await fetch(`${base}/teapot`))).toMatchObject({
      code: 'order_wrong_status',
      detail: 'It is paid.',
    });
    expect(logged.length).toBe(before);
  });

  it('every code has a page', async () => {
    const page = await fetch(`${base}/errors/price_unknown`);
    expect(page.status).toBe(200);
    expect(await page.text()).toContain('PUT /s2s/v1/items/{sku}');
    expect((await fetch(`${base}/errors/constructor`)).status).toBe(404);
  });
});

describe('bytes that are not HTTP (row 80)', () => {
  const head = 'POST /s2s/v1/orders HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n';

  it.each([
    ['garbage', 'hello\r\n\r\n'],
    ['two lengths', `${head}Content-Length: 2\r\nContent-Length: 3\r\n\r\n{}`],
    ['length and chunks', `${head}Content-Length: 2\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n`],
    ['a bad chunk', `${head}Transfer-Encoding: chunked\r\n\r\nzz\r\n{}\r\n0\r\n\r\n`],
    ['an unknown coding', `${head}Transfer-Encoding: chunked, x\r\n\r\n0\r\n\r\n`],
    ['a space before the colon', `${head}Content-Length : 2\r\n\r\n{}`],
    ['a bare line feed', 'GET / HTTP/1.1\nHost: x\n\n'],
    ['a rolled up header', `${head}X-A: 1\r\n b\r\nContent-Length: 2\r\n\r\n{}`],
    ['no host', 'GET / HTTP/1.1\r\n\r\n'],
    ['two hosts', 'GET / HTTP/1.1\r\nHost: pay.example.com\r\nhost: evil.example\r\n\r\n'],
    ['the same host twice', 'GET / HTTP/1.1\r\nHost: x\r\nHost: x\r\n\r\n'],
  ])('%s is refused and the connection ends', async (_, bytes) => {
    const answer = await raw(bytes, true);
    expect(answer).toMatch(/^HTTP\/1\.1 400 /);
    expect(answer.match(/HTTP\/1\.1/g)).toHaveLength(1);
  });

  it.each([
    ['garbage', 'hello\r\n\r\n'],
    ['no host', 'GET / HTTP/1.1\r\n\r\n'],
    ['two hosts', 'GET / HTTP/1.1\r\nHost: a\r\nHost: b\r\n\r\n'],
  ])('%s gets a problem too, and no browser guesses what it is', async (_, bytes) => {
    const answer = await raw(bytes, true);
    expect(answer).toMatch(/x-content-type-options: nosniff/i);
    expect(answer).toMatch(/application\/problem\+json[\s\S]*"code":"invalid_request"/);
    const [, id] = /"request_id":"(req_[0-9a-z]{26})"/.exec(answer) ?? [];
    expect(answer.toLowerCase()).toContain(`x-request-id: ${id}`);
  });

  it('an unknown expectation is ignored, and HTTP/1.0 needs no host', async () => {
    const expecting = await raw(
      'GET /nothing HTTP/1.1\r\nHost: x\r\nExpect: coffee\r\nConnection: close\r\n\r\n',
      true,
    );
    const old = await raw('GET /nothing HTTP/1.0\r\n\r\n', true);
    for (const answer of [expecting, old]) expect(answer).toMatch(/^HTTP\/1\.1 404 [\s\S]*"code":"not_found"/);
  });

  it('headers beyond 16 KiB are a 431', async () => {
    expect(await raw(`GET / HTTP/1.1\r\nHost: x\r\nX-A: ${'a'.repeat(20_000)}\r\n\r\n`, true)).toMatch(
      /^HTTP\/1\.1 431 [\s\S]*headers_too_large/,
    );
  });

  it('headers that never end are cut off', async () => {
    expect(await raw('GET / HTTP/1.1\r\nHost: x\r\nX-A: 1\r\n', true, impatientPort)).toMatch(
      /^HTTP\/1\.1 408 [\s\S]*request_timeout/,
    );
  });

  it('a body that never ends is cut off', async () => {
    expect(await raw(`${head}Content-Length: 100\r\n\r\n{`, true, impatientPort)).toMatch(/408|^$/);
  });

  it('a body cut short by the caller reaches no handler', async () => {
    await raw(`${head}Content-Length: 100\r\n\r\n{"player_id"`);
    expect((await fetch(`${base}/errors/internal`)).status).toBe(200);
  });
});

it('every endpoint of the contract can be mounted', async () => {
  const server = buildServer({ publicUrl, logger: createLogger('silent') });
  for (const endpoint of Object.values(ENDPOINTS))
    mount(server, endpoint as typeof getOrder, () => Promise.reject(new AppError('order_not_found')), openDoor);
  await server.ready();
  await server.close();
});
