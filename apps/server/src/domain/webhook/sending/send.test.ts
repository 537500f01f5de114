import type { ServerResponse } from 'node:http';
import { createServer } from 'node:net';
import { type Behavior, type Game, type GameOptions, startGame } from '@coinslot/testing/game-receiver';
import { afterEach, describe, expect, it } from 'vitest';
import type { Exchange } from './exchange.ts';
import { createSender, type Sender, type SenderOptions } from './send.ts';
import { signHeaders } from './signature.ts';

const SECRET = 's2s_sandbox_secret';
const BODY =
  '{ "event_type":"item.add",\n "idempotency_key":"evt_1","event_data":{"player_id":"Zoë","items":[{"sku":"gem"}]} }';

const cleanups: (() => Promise<unknown>)[] = [];

afterEach(async () => {
  for (const cleanup of cleanups.splice(0).toReversed()) await cleanup();
});

async function gameFor(options: GameOptions = { secret: SECRET }): Promise<Game> {
  const game = await startGame(options);
  cleanups.push(() => game.close());
  return game;
}

function senderFor(options: Partial<SenderOptions> = {}): Sender {
  const policy = { production: false, hosts: [], allowNetworks: [] };
  const sender = createSender({ policy, resolve: async () => ['127.0.0.1'], version: '1.2.3', ...options });
  cleanups.push(() => sender.close());
  return sender;
}

function deliver(sender: Sender, url: string, body: string | Uint8Array = BODY): Promise<Exchange> {
  const facts = { timestampSeconds: 1_700_000_000, idempotencyKey: 'evt_1', attempt: 1, secret: SECRET };
  return sender.send({ url, body, headers: signHeaders({ ...facts, body }) });
}

async function exchangeWith(behavior: Behavior, options: Partial<SenderOptions> = {}): Promise<[Exchange, Game]> {
  const game = await gameFor();
  game.answer(behavior);
  return [await deliver(senderFor(options), game.url), game];
}

describe('a delivery', () => {
  it('reaches a receiver written from the interface, byte for byte, and is verified there', async () => {
    const game = await gameFor();
    const exchange = await deliver(senderFor(), game.url, new Uint8Array(Buffer.from(BODY)));

    expect(exchange).toMatchObject({ status: 200, succeeded: true, error: null, failure: null, declined: false });
    expect(exchange.responseBody).toBe('{"status":"ok"}');
    expect(exchange.responseHeaders['content-type']).toBe('application/json');
    const [request] = game.requests;
    expect(request).toMatchObject({ method: 'POST', path: '/hooks', rawBody: BODY, verified: true });
    expect(request?.headers).toMatchObject({
      'content-type': 'application/json',
      'user-agent': 'Coinslot/1.2.3',
      'content-length': String(Buffer.byteLength(BODY)),
      host: `127.0.0.1:${game.port}`,
    });
    expect(request?.headers).not.toHaveProperty('accept-encoding');
    expect(game.inventory.get('Zoë')?.get('gem')).toBe(1);
  });

  it.each([200, 201, 202, 204, 299])('succeeds with %i', async status => {
    expect((await exchangeWith({ status }))[0]).toMatchObject({ status, succeeded: true, error: null });
  });

  it.each([301, 302, 303, 307, 308])('fails with %i; the redirect is shown and not followed', async status => {
    const [exchange, game] = await exchangeWith({ status, headers: { location: '/elsewhere' } });
    expect(exchange).toMatchObject({ status, succeeded: false, failure: 'status' });
    expect(exchange.error).toBe(`answered ${status}, redirects are not followed`);
    expect(exchange.responseHeaders.location).toBe('/elsewhere');
    expect(game.requests).toHaveLength(1);
  });

  it.each([400, 403, 404, 410, 500])('fails with %i, which is no final refusal', async status => {
    const [exchange] = await exchangeWith({ status, body: '{"error":"no such player"}' });
    expect(exchange).toMatchObject({ status, succeeded: false, declined: false, error: `answered ${status}` });
  });

  it('tells a final refusal from a failure', async () => {
    expect((await exchangeWith('decline'))[0]).toMatchObject({ status: 422, succeeded: false, declined: true });
  });

  it('passes on how long the receiver asks to wait', async () => {
    const [exchange] = await exchangeWith({ status: 429, headers: { 'retry-after': '999999' } });
    expect(exchange.retryAfterSeconds).toBe(999_999);
  });

  it('uses a connection again', async () => {
    const game = await gameFor();
    const sender = senderFor();
    for (let i = 0; i < 5; i++) {
      expect((await deliver(sender, game.url)).succeeded).toBe(true);
    }
    expect(game.connections).toBe(1);
  });
});

describe('a receiver that never ends', () => {
  it('is given up when it does not answer', async () => {
    const [exchange, game] = await exchangeWith('hang', { timeoutMs: 100 });
    expect(exchange).toMatchObject({ status: null, failure: 'timeout', error: 'no answer within 0.1 s' });
    await game.waitFor(({ openConnections }) => openConnections === 0);
    expect(game.connections).toBeLessThanOrEqual(1);
  });

  it('does not delay the deliveries to others', async () => {
    const [slow, quick] = await Promise.all([gameFor(), gameFor()]);
    slow.answerAlways('hang');
    const sender = senderFor({ timeoutMs: 60_000 });
    let over = 0;
    const hanging = Array.from({ length: 40 }, () => deliver(sender, slow.url).finally(() => over++));
    await slow.waitFor(game => game.requests.length === 40);
    expect((await deliver(sender, quick.url)).succeeded).toBe(true);
    expect(over).toBe(0);
    await slow.close();
    for (const exchange of await Promise.all(hanging)) expect(exchange.failure).toBe('broken');
  });

  it('is given up when DNS does not answer', async () => {
    const sender = senderFor({ timeoutMs: 50, resolve: () => new Promise(() => {}) });
    expect(await deliver(sender, 'https://game.example/')).toMatchObject({ failure: 'timeout', status: null });
  });

  it('is given up when TLS does not begin', async () => {
    const server = createServer(() => {});
    await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve));
    cleanups.push(async () => server.close());
    const address = server.address();
    const port = typeof address === 'object' ? address?.port : 0;
    const exchange = await deliver(senderFor({ timeoutMs: 100 }), `https://127.0.0.1:${port}/`);
    expect(exchange).toMatchObject({ failure: 'timeout', error: 'no answer within 0.1 s' });
  });

  it('has succeeded with the headers of a 2xx, although the body drips for ever (row 18)', async () => {
    const [exchange, game] = await exchangeWith('ok then drip', { successBodyMs: 100 });
    expect(exchange).toMatchObject({ status: 200, succeeded: true, responseBodyCut: true, error: null });
    await game.waitFor(({ openConnections }) => openConnections === 0);
  });

  it('has failed with the headers of a 500, although the body drips for ever', async () => {
    const [exchange] = await exchangeWith((_request, response) => response.writeHead(500).write('{"code":'), {
      timeoutMs: 1000,
    });
    expect(exchange).toMatchObject({ status: 500, responseBody: '{"code":', responseBodyCut: true, declined: false });
  });

  it('cannot keep us busy with endless 1xx answers: they are read no further than a few (row 173)', async () => {
    const [exchange, game] = await exchangeWith('endless 1xx', { timeoutMs: 600_000 });
    expect(exchange).toMatchObject({ status: null, failure: 'broken', error: expect.stringContaining('1xx') });
    await game.waitFor(({ openConnections }) => openConnections === 0);
  });

  it('may send early hints before the real answer', async () => {
    const [exchange] = await exchangeWith((_request, response) => {
      response.writeProcessing();
      response.writeEarlyHints({ link: '</x>; rel=preload' });
      response.writeHead(200).end('late');
    });
    expect(exchange).toMatchObject({ status: 200, responseBody: 'late' });
  });

  it('is read no further than 64 KiB', async () => {
    const [exchange, game] = await exchangeWith('huge body');
    expect(exchange).toMatchObject({ status: 200, succeeded: true, responseBodyCut: true });
    expect(exchange.responseBody).toBe('x'.repeat(65_536));
    await game.waitFor(({ openConnections }) => openConnections === 0);
  });

  it('is not cut at exactly the limit', async () => {
    const [exchange] = await exchangeWith({ status: 200, body: 'abcd' }, { maxBodyBytes: 4 });
    expect(exchange).toMatchObject({ responseBody: 'abcd', responseBodyCut: false });
  });

  it('cannot make us unpack a bomb', async () => {
    const [exchange] = await exchangeWith('gzip bomb');
    expect(exchange).toMatchObject({ status: 200, succeeded: true });
    expect(exchange.responseBody.length).toBeLessThan(20_000);
    expect(exchange.responseBody).not.toContain('\0');
  });
});

describe('a connection that breaks', () => {
  it('after the headers of a 2xx has succeeded', async () => {
    const [exchange] = await exchangeWith('ok then reset');
    expect(exchange).toMatchObject({ status: 200, succeeded: true, responseBodyCut: true, error: null });
  });

  it('before any answer is a failure, and a POST is not sent again silently', async () => {
    const game = await gameFor();
    const sender = senderFor();
    await deliver(sender, game.url);
    game.answer('reset');
    expect(await deliver(sender, game.url)).toMatchObject({
      status: null,
      failure: 'broken',
      error: 'the connection was closed before an answer',
    });
    expect(game.requests).toHaveLength(2);
    expect(game.connections).toBe(1);
    expect((await deliver(sender, game.url)).succeeded).toBe(true);
  });

  it('or speaks something else is a failure', async () => {
    expect((await exchangeWith('not http'))[0]).toMatchObject({
      failure: 'broken',
      error: 'the answer is not HTTP/1.1',
    });
    const [exchange] = await exchangeWith('huge headers');
    expect(exchange).toMatchObject({ failure: 'broken', error: 'the answer has too many headers' });
  });

  it('or is never made says why', async () => {
    const game = await gameFor();
    await game.close();
    const exchange = await deliver(senderFor(), game.url);
    expect(exchange).toMatchObject({ failure: 'connect', error: 'could not connect: connection refused' });
  });

  it('is not blamed when the request itself cannot be sent (rows 64, 79)', async () => {
    const game = await gameFor({});
    const sender = senderFor();
    const poison = await sender.send({ url: game.url, body: '{}', headers: { 'x-name': 'a\r\nx-evil: 1' } });
    expect(poison).toMatchObject({ failure: 'unsendable', error: 'the request could not be built' });
    expect(game.requests).toHaveLength(0);
    expect((await deliver(sender, game.url)).succeeded).toBe(true);
  });
});

describe('the sender', () => {
  it('keeps connections to no more targets than it may', async () => {
    const [first, second] = await Promise.all([gameFor(), gameFor()]);
    const sender = senderFor({ maxTargets: 1 });
    await deliver(sender, first.url);
    expect(first.openConnections).toBe(1);
    await deliver(sender, second.url);
    await first.waitFor(game => game.openConnections === 0);
    expect((await deliver(sender, first.url)).succeeded).toBe(true);
  });

  it('finishes what is in flight when it is closed, and sends nothing afterwards', async () => {
    const game = await gameFor();
    const sender = senderFor();
    let waiting: ServerResponse | undefined;
    game.answer((_request, response) => {
      waiting = response;
    });
    const inFlight = deliver(sender, game.url);
    await game.waitFor(({ requests }) => requests.length === 1);
    const closed = sender.close();
    waiting?.end('granted');
    expect(await inFlight).toMatchObject({ status: 200, responseBody: 'granted' });
    await closed;
    expect(await deliver(sender, game.url)).toMatchObject({ failure: 'unsendable', error: 'the sender is closed' });
    expect(game.requests).toHaveLength(1);
  });
});
