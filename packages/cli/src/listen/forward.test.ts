import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { forward } from './forward.ts';
import { readTarget } from './local-target.ts';

let server: Server;
let target: URL;
let behave: (request: IncomingMessage, response: ServerResponse) => void;

beforeEach(async () => {
  server = createServer((request, response) => behave(request, response));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  target = new URL(`http://127.0.0.1:${(server.address() as AddressInfo).port}/hook?x=1`);
});
afterEach(async () => {
  server.closeAllConnections();
  server.close();
  await once(server, 'close');
});

const WEBHOOK = { id: 'req_1', headers: { 'x-service-signature': 'abc' }, body: '{"name":"剣"}', timeout_ms: 800 };

describe('a webhook at the local server', () => {
  it('arrives byte for byte with its headers, and the answer comes back', async () => {
    const got: Record<string, unknown> = {};
    behave = (request, response) => {
      const chunks: Buffer[] = [];
      request.on('data', (chunk: Buffer) => chunks.push(chunk));
      request.on('end', () => {
        Object.assign(got, { body: Buffer.concat(chunks).toString(), url: request.url, headers: request.headers });
        response.writeHead(402, { 'retry-after': '7' }).end('{"code":"declined"}');
      });
    };
    expect(await forward(target, WEBHOOK, false)).toEqual({
      type: 'answer',
      status: 402,
      headers: expect.objectContaining({ 'retry-after': '7' }),
      body: '{"code":"declined"}',
      cut: false,
    });
    expect(got).toMatchObject({ body: WEBHOOK.body, url: '/hook?x=1', headers: { 'x-service-signature': 'abc' } });
  });

  it('is given up when it hangs, and when it never ends a refusal', async () => {
    behave = () => {};
    expect(await forward(target, WEBHOOK, false)).toMatchObject({ type: 'failed', failure: 'timeout' });
    behave = (_, response) => response.writeHead(500).write('half');
    expect(await forward(target, WEBHOOK, false)).toMatchObject({ status: 500, body: 'half', cut: true });
  });

  it('is a success once the headers of a 2xx are there, whatever follows', async () => {
    behave = (_, response) => {
      response.writeHead(200);
      response.write('half', () => response.destroy());
    };
    expect(await forward(target, WEBHOOK, false)).toMatchObject({ type: 'answer', status: 200, cut: true });
  });

  it('is read up to 64 KiB', async () => {
    behave = (_, response) => response.end('x'.repeat(200_000));
    const answer = await forward(target, WEBHOOK, false);
    expect(answer).toMatchObject({ status: 200, cut: true });
    expect('body' in answer && answer.body.length).toBe(65_536);
  });

  it('that resets the connection says so', async () => {
    behave = request => request.socket.resetAndDestroy();
    expect(await forward(target, WEBHOOK, false)).toEqual({
      type: 'failed',
      failure: 'connect',
      reason: 'local server: connection reset',
    });
  });
});

it.each([
  ['http://localhost:3000/webhook', 'http://localhost:3000/webhook'],
  ['localhost:3000/webhook', 'http://localhost:3000/webhook'],
  ['3000/webhook', 'http://localhost:3000/webhook'],
  ['3000', 'http://localhost:3000/'],
  ['https://game.test', 'https://game.test/'],
])('%s is %s', (text, url) => expect(readTarget(text).href).toBe(url));

it.each(['', 'ftp://localhost', 'http://', 'http://a:b@localhost', 'http://local host', 'file:///etc/passwd'])(
  '%j is no local server',
  text => expect(() => readTarget(text)).toThrow(/--forward-to/),
);
