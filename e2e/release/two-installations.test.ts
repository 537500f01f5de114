/** The way past one installation: games that share nothing, each with its own program and database, behind one proxy. */
import { once } from 'node:events';
import { request as ask, createServer, type Server } from 'node:http';
import type { AddressInfo, LookupFunction } from 'node:net';
import { type Game, startGame } from '@coinslot/testing/game-receiver';
import { Agent, getGlobalDispatcher, setGlobalDispatcher } from 'undici';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { A_PURCHASE, createStudio, type Studio } from '../game-studio.ts';
import { type Account, type Coinslot, startCoinslot } from '../start-coinslot.ts';

interface Installation {
  url: string;
  coinslot: Coinslot;
  account: Account;
  studio: Studio;
  game: Game;
}

const HOSTS = ['castle.localhost', 'racing.localhost'] as const;
const upstreams = new Map<string, string>();
const usual = getGlobalDispatcher();
const installations: Installation[] = [];
let proxy: Server;

/** The studio's own: which host, which installation. */
function startRouting(): Server {
  return createServer((incoming, outgoing) => {
    const upstream = upstreams.get((incoming.headers.host ?? '').split(':')[0]!);
    if (!upstream) return void outgoing.writeHead(421).end();
    const { hostname, port } = new URL(upstream);
    const { method, url: path, headers } = incoming;
    const passed = ask({ hostname, port, method, path, headers }, answer => {
      outgoing.writeHead(answer.statusCode!, answer.headers);
      answer.pipe(outgoing);
    });
    passed.on('error', () => outgoing.headersSent || outgoing.writeHead(502).end());
    incoming.pipe(passed);
  });
}

/** Names under `localhost` are this machine, whatever its resolver says. */
const lookup: LookupFunction = (_host, _options, done) => done(null, [{ address: '127.0.0.1', family: 4 }]);

async function install(host: string, port: number): Promise<Installation> {
  const url = `http://${host}:${port}`;
  const coinslot = await startCoinslot({ PUBLIC_URL: url, TRUST_PROXY: '127.0.0.1' });
  upstreams.set(host, coinslot.url);
  const account = await coinslot.setup();
  const studio = createStudio({ ...coinslot, url }, account);
  const game = await startGame({ secret: account.sandbox.s2s_key });
  await studio.call('POST', '/s2s/v1/webhooks', { url: game.url, events: ['item.add', 'item.remove'] });
  return { url, coinslot, account, studio, game };
}

beforeAll(async () => {
  setGlobalDispatcher(new Agent({ connect: { lookup } }));
  proxy = startRouting().listen(0, '127.0.0.1');
  await once(proxy, 'listening');
  const { port } = proxy.address() as AddressInfo;
  installations.push(...(await Promise.all(HOSTS.map(host => install(host, port)))));
});

afterAll(async () => {
  setGlobalDispatcher(usual);
  for (const { coinslot, game } of installations) {
    await coinslot.stop();
    await game.close();
  }
  proxy?.close();
});

test('two games on two installations behind one proxy sell side by side and know nothing of each other', async () => {
  const [castle, racing] = installations as [Installation, Installation];
  const bought = await Promise.all(
    installations.map(({ studio }, i) => studio.buy({ player_id: `player-${HOSTS[i]}` })),
  );
  for (const [i, { coinslot, game }] of installations.entries()) {
    expect(await coinslot.query('select id, status from orders')).toEqual([{ id: bought[i], status: 'paid' }]);
    expect([...game.inventory.keys()]).toEqual([`player-${HOSTS[i]}`]);
  }
  const { checkout_url, order_id } = await castle.studio.createOrder();
  expect(new URL(checkout_url).origin).toBe(castle.url);
  expect((await fetch(checkout_url)).status).toBe(200);
  expect((await fetch(racing.url + new URL(checkout_url).pathname)).status).toBe(404);
  const foreign = { authorization: `Bearer ${castle.account.sandbox.s2s_key}` };
  expect((await racing.studio.call('GET', `/s2s/v1/orders/${order_id}`, undefined, foreign)).status).toBe(401);
});

test('one of them can be down, and the other sells', async () => {
  const [castle, racing] = installations as [Installation, Installation];
  await castle.coinslot.kill();
  const body = JSON.stringify(A_PURCHASE);
  expect((await fetch(`${castle.url}/s2s/v1/orders`, { method: 'POST', body })).status).toBe(502);
  await racing.studio.buy();
});
