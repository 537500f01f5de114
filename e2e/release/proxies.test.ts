/** The proxies of `ops/`, each that is on this machine: run as they are shipped, but for ports and certificates. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type Game, startGame } from '@coinslot/testing/game-receiver';
import { Agent, getGlobalDispatcher, setGlobalDispatcher } from 'undici';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { freePort } from '../free-port.ts';
import { createStudio, patience, type Studio } from '../game-studio.ts';
import { proxiesHere, type RunningProxy, shippedFile, startProxy } from '../rolling/shipped-proxies.ts';
import { type Account, type Coinslot, startCoinslot } from '../start-coinslot.ts';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));
const here = proxiesHere();
const usual = getGlobalDispatcher();
const scratch = mkdtempSync(join(tmpdir(), 'coinslot-proxies-'));
afterAll(() => rmSync(scratch, { recursive: true, force: true }));

test('both are shipped', () => {
  for (const file of ['ops/nginx.conf', 'ops/Caddyfile']) expect(shippedFile(file)).toContain('/metrics');
});

/** Reads on until the text holds what is waited for. */
function reading(response: Response) {
  const reader = response.body!.getReader();
  let text = '';
  return {
    async until(what: string | RegExp): Promise<string> {
      while (text.search(what) < 0) {
        const { done, value } = await reader.read();
        if (done) throw new Error(`it ended before ${String(what)} came: ${text}`);
        text += new TextDecoder().decode(value);
      }
      return text;
    },
    close: () => reader.cancel(),
  };
}

describe.each(here)('$name', proxy => {
  const folder = join(scratch, proxy.name);
  const children: ChildProcess[] = [];
  let url: string;
  let plainUrl: string;
  let ca: string;
  let running: RunningProxy | undefined;
  let coinslot: Coinslot;
  let account: Account;
  let studio: Studio;
  let game: Game;

  beforeAll(async () => {
    const [http, https] = [await freePort(), await freePort()];
    url = `https://localhost:${https}`;
    plainUrl = `http://localhost:${http}`;
    coinslot = await startCoinslot({ PUBLIC_URL: url, TRUST_PROXY: '127.0.0.1' });
    const port = Number(new URL(coinslot.url).port);
    running = await startProxy(proxy, folder, { http, https, addresses: ['127.0.0.1'], port });
    ca = running.ca;
    setGlobalDispatcher(new Agent({ connect: { ca: readFileSync(ca, 'utf8') } }));
    account = await coinslot.setup();
    studio = createStudio({ ...coinslot, url }, account);
    game = await startGame({ secret: account.sandbox.s2s_key });
  }, 90_000);

  afterAll(async () => {
    setGlobalDispatcher(usual);
    for (const child of children) {
      child.kill('SIGTERM');
      if (child.exitCode === null && child.signalCode === null) await once(child, 'exit');
    }
    await running?.stop();
    await game?.close();
    await coinslot?.stop();
  });

  test('leads to TLS, and keeps the inside from the outside', async () => {
    const plain = await fetch(`${plainUrl}/healthz`, { redirect: 'manual' });
    expect(plain.headers.get('location')).toMatch(/^https:\/\/localhost[:/].*healthz$/);
    expect([301, 308]).toContain(plain.status);
    for (const path of ['/metrics', '/readyz']) expect((await fetch(url + path)).status).toBe(404);
    const page = await fetch(`${url}/dashboard/sign-in`);
    expect(page.headers.get('strict-transport-security')).toBe('max-age=31536000');
  });

  test('a body that is too long is refused in our own words', async () => {
    const answer = await studio.call('POST', '/s2s/v1/orders', { player_id: 'x'.repeat(300 * 1024) });
    expect(answer).toMatchObject({ status: 413, body: { code: expect.any(String) } });
  });

  test('the page hears of news while it waits, before it is paid and after', async () => {
    const { checkout_url, order_id } = await studio.createOrder();
    expect(checkout_url).toContain(`${url}/`);
    const { version } = (await (await fetch(`${checkout_url}/status`)).json()) as { version: number };
    const waiting = reading(await fetch(`${checkout_url}/status?version=${version}`));
    await waiting.until('\n');
    const order = studio.call('GET', `/s2s/v1/orders/${order_id}?wait=25`);
    await studio.pay(checkout_url);
    expect(await waiting.until(/\}$/)).toContain('"version"');
    expect((await order).status).toBe(200);
  });

  test('the dashboard hears of changes, and a forged address is not believed', async () => {
    const api = `${url}/dashboard/api`;
    const opened = await fetch(`${api}/session`);
    const cookieOf = (response: Response): string => /^[^;]+/.exec(response.headers.get('set-cookie') ?? '')?.[0] ?? '';
    const { csrf_token } = (await opened.json()) as { csrf_token: string };
    const signedIn = await fetch(`${api}/sign_in`, {
      method: 'POST',
      headers: {
        cookie: cookieOf(opened),
        origin: url,
        'sec-fetch-site': 'same-origin',
        'x-csrf-token': csrf_token,
        'content-type': 'application/json',
        'x-forwarded-for': '203.0.113.9',
      },
      body: JSON.stringify({ email: 'owner@studio.example', password: 'orange lamp on the roof' }),
    });
    expect(signedIn.status).toBe(200);
    const cookie = cookieOf(signedIn);
    expect(cookie).toMatch(/^__Host-coinslot=/);
    const addresses = await coinslot.query<{ ip: string }>('select distinct ip from sessions where ip is not null');
    expect(addresses.map(({ ip }) => ip)).toEqual(['127.0.0.1']);

    const changes = `${api}/games/${account.game_id}/sandbox/changes`;
    const stream = reading(await fetch(changes, { headers: { cookie } }));
    await stream.until('retry');
    await studio.createOrder({ player_id: 'watched' });
    expect(await stream.until('event: changed')).toContain('orders');
    await stream.close();
  });

  test('a checkout completes against a laptop that listens', async () => {
    const args = [join(ROOT, 'packages/cli/dist/main.js'), 'listen', '--forward-to', game.url];
    const child = spawn(process.execPath, args, {
      env: {
        PATH: process.env.PATH,
        HOME: folder,
        NODE_EXTRA_CA_CERTS: ca,
        COINSLOT_URL: url,
        COINSLOT_KEY: account.sandbox.s2s_key,
      },
    });
    children.push(child);
    let said = '';
    child.stderr.on('data', chunk => (said += String(chunk)));
    await expect.poll(() => said, patience).toContain('Ready.');
    await studio.buy({ player_id: 'ann' });
    expect(game.inventory.get('ann')?.get('sword')).toBe(1);
  });
});
