import { type Certificate, createAuthority, EXPIRED, selfSigned } from '@coinslot/testing/certificates';
import { type Game, startGame } from '@coinslot/testing/game-receiver';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Exchange } from './exchange.ts';
import { createSender, type Sender } from './send.ts';

const authority = createAuthority();
const development = { production: false, hosts: [], allowNetworks: [] };
const production = { production: true, hosts: [], allowNetworks: [] };

/** What DNS says, question by question; the last answer stays. */
let dns: string[][] = [];
let questions: string[] = [];
const cleanups: (() => Promise<unknown>)[] = [];

beforeEach(() => {
  dns = [['127.0.0.1']];
  questions = [];
});

afterEach(async () => {
  for (const cleanup of cleanups.splice(0).toReversed()) await cleanup();
});

async function tlsGame(certificate: Certificate = authority.issue(['game.test'])): Promise<Game> {
  const game = await startGame({ tls: certificate });
  cleanups.push(() => game.close());
  return game;
}

async function resolve(host: string): Promise<string[]> {
  questions.push(host);
  const answer = dns.length > 1 ? dns.shift() : dns[0];
  if (!answer?.length) throw Object.assign(new Error('not found'), { code: 'ENOTFOUND' });
  return answer;
}

function senderFor(policy = development, trusted: { extraCa?: string } = { extraCa: authority.ca }): Sender {
  const sender = createSender({ policy, resolve, version: '1', ...trusted });
  cleanups.push(() => sender.close());
  return sender;
}

function deliver(sender: Sender, url: string): Promise<Exchange> {
  const body = '{"event_type":"webhook.test"}';
  return sender.send({ url, body, headers: {} });
}

const BLOCKED = { status: null, succeeded: false, failure: 'blocked', error: 'address not allowed', responseBody: '' };

describe('TLS (row 55)', () => {
  it('is made with the vetted address, under the original name', async () => {
    const game = await tlsGame();
    expect(await deliver(senderFor(), `https://GAME.test.:${game.port}/a?b=c`)).toMatchObject({ status: 200 });
    expect(game.requests[0]).toMatchObject({ servername: 'game.test', localAddress: '127.0.0.1', path: '/a?b=c' });
    expect(game.requests[0]?.headers.host).toBe(`game.test:${game.port}`);
    expect(questions).toEqual(['game.test']);
  });

  it('works for an address as well', async () => {
    const game = await tlsGame(authority.issue(['127.0.0.1']));
    expect(await deliver(senderFor(), game.url)).toMatchObject({ status: 200 });
    expect(questions).toEqual([]);
  });

  it.each([
    ['certificate has expired', authority.issue(['game.test'], EXPIRED)],
    ['certificate is for another host name', authority.issue(['other.test'])],
    ['certificate is self-signed', selfSigned(['game.test'])],
    ['certificate is not from a known authority', createAuthority('Another authority').issue(['game.test'])],
  ])('fails clearly and sends nothing: %s', async (error, certificate) => {
    const game = await tlsGame(certificate);
    const exchange = await deliver(senderFor(), `https://game.test:${game.port}/`);
    expect(exchange).toMatchObject({ status: null, failure: 'certificate', error });
    expect(game.requests).toHaveLength(0);
  });

  it('trusts only the known authorities unless told', async () => {
    const game = await tlsGame();
    const exchange = await deliver(senderFor(development, {}), `https://game.test:${game.port}/`);
    expect(exchange).toMatchObject({ failure: 'certificate', error: 'certificate is not from a known authority' });
  });

  it('is not replaced by plain http', async () => {
    const game = await startGame();
    cleanups.push(() => game.close());
    const exchange = await deliver(senderFor(), `https://game.test:${game.port}/`);
    expect(exchange).toMatchObject({ failure: 'connect', error: 'could not connect: TLS handshake failed' });
    expect(game.requests).toHaveLength(0);
  });
});

describe('DNS (rows 52, 53)', () => {
  it('is asked once for each delivery', async () => {
    const game = await tlsGame();
    const sender = senderFor();
    await deliver(sender, `https://game.test:${game.port}/`);
    await deliver(sender, `https://game.test:${game.port}/`);
    expect(questions).toHaveLength(2);
    expect(game.connections).toBe(1);
  });

  it('that rebinds to a private address stops deliveries, although a connection is still open', async () => {
    const game = await tlsGame();
    const sender = senderFor();
    dns = [['127.0.0.1'], ['10.0.0.1']];
    expect((await deliver(sender, `https://game.test:${game.port}/`)).succeeded).toBe(true);
    expect(game.openConnections).toBe(1);
    expect(await deliver(sender, `https://game.test:${game.port}/`)).toMatchObject(BLOCKED);
    expect(game.requests).toHaveLength(1);
  });

  it('with one bad address among good ones is refused as a whole', async () => {
    const game = await tlsGame();
    for (const bad of ['10.0.0.1', '::ffff:127.0.0.1', '64:ff9b::7f00:1', 'fe80::1%eth0', '169.254.169.254']) {
      dns = [['127.0.0.1', bad]];
      expect(await deliver(senderFor(), `https://game.test:${game.port}/`)).toMatchObject(BLOCKED);
    }
    expect(game.connections).toBe(0);
  });

  it('with other addresses than before gets a new connection', async () => {
    const game = await tlsGame();
    const sender = senderFor();
    dns = [['127.0.0.1'], ['127.0.0.1', '127.0.0.2'], ['127.0.0.2', '127.0.0.1']];
    for (const connections of [1, 2, 2]) {
      expect((await deliver(sender, `https://game.test:${game.port}/`)).succeeded).toBe(true);
      expect(game.connections).toBe(connections);
    }
  });

  it('with a dead address beside a living one still delivers', async () => {
    const game = await tlsGame();
    dns = [['::1', '127.0.0.1']];
    expect((await deliver(senderFor(), `https://game.test:${game.port}/`)).succeeded).toBe(true);
  });

  it('that knows no such name is a failure', async () => {
    dns = [[]];
    expect(await deliver(senderFor(), 'https://game.test/')).toMatchObject({
      failure: 'dns',
      error: 'could not find the host name',
    });
  });
});

describe('in production', () => {
  it('this machine is blocked by name, by number and by DNS, and nothing of its answer is seen (row 77)', async () => {
    const game = await tlsGame();
    const sender = senderFor(production);
    for (const host of ['game.test', 'localhost', '127.0.0.1', '2130706433', '0x7f.1', '127.1', '[::ffff:127.0.0.1]']) {
      expect(await deliver(sender, `https://${host}:${game.port}/`)).toMatchObject({ ...BLOCKED, responseHeaders: {} });
    }
    expect(game.connections).toBe(0);
  });

  it('a URL that was allowed when it was saved is judged again', async () => {
    const sender = senderFor(production);
    for (const url of ['http://93.184.216.34/', 'https://user:pass@game.test/', 'https://game.test:22/', 'nonsense']) {
      expect(await deliver(sender, url)).toMatchObject({ failure: 'blocked', status: null });
    }
    expect(questions).toEqual([]);
  });
});
