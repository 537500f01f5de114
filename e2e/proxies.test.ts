/** The proxies of `ops/`, each that is on this machine: run as they are shipped, but for ports and certificates. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Agent, getGlobalDispatcher, setGlobalDispatcher } from 'undici';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { createAuthority } from '../apps/server/src/testing/certificates.ts';
import { type Game, startGame } from '../apps/server/src/testing/game-receiver.ts';
import { freePort } from './free-port.ts';
import { createStudio, patience, type Studio } from './game-studio.ts';
import { type Account, type Coinslot, startCoinslot } from './start-coinslot.ts';

const ROOT = fileURLToPath(new URL('../', import.meta.url));
const read = (path: string): string => readFileSync(join(ROOT, path), 'utf8');

interface Ports {
  http: number;
  https: number;
  upstream: number;
}

interface Proxy {
  name: string;
  /** Writes what it needs into the folder; answers with the command and the file of the authority to trust. */
  prepare(folder: string, ports: Ports): { command: [string, ...string[]]; env: NodeJS.ProcessEnv; ca: string };
}

const nginx: Proxy = {
  name: 'nginx',
  prepare(folder, { http, https, upstream }) {
    const { ca, issue } = createAuthority();
    const { cert, key } = issue(['localhost']);
    const files = { 'ca.pem': ca, 'cert.pem': cert, 'key.pem': key };
    for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text);
    const shipped = read('ops/nginx.conf')
      .replace(/^ *listen \[::\].*\n/gm, '')
      .replace('listen 80;', `listen 127.0.0.1:${http};`)
      .replace('listen 443 ', `listen 127.0.0.1:${https} `)
      .replace('127.0.0.1:4242', `127.0.0.1:${upstream}`)
      .replace(/\/etc\/.*fullchain\.pem/, join(folder, 'cert.pem'))
      .replace(/\/etc\/.*privkey\.pem/, join(folder, 'key.pem'))
      .replaceAll('/var/log/nginx', folder)
      .replaceAll('pay.example.com', 'localhost');
    const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map(
      kind => `${kind}_temp_path ${folder}/${kind};`,
    );
    // Its workers would else be another user, who may not read the folder.
    const user = process.getuid?.() === 0 ? 'user root; ' : '';
    const around = `${user}daemon off; pid ${folder}/pid; events {} http { access_log off; ${temporary.join(' ')}`;
    writeFileSync(join(folder, 'nginx.conf'), `${around}\n${shipped}}\n`);
    const command = ['nginx', '-e', 'stderr', '-p', folder, '-c', join(folder, 'nginx.conf')];
    return { command: command as [string, ...string[]], env: {}, ca: join(folder, 'ca.pem') };
  },
};

const caddy: Proxy = {
  name: 'caddy',
  prepare(folder, { http, https, upstream }) {
    const options = `{\n http_port ${http}\n https_port ${https}\n admin off\n skip_install_trust\n}\n`;
    writeFileSync(join(folder, 'Caddyfile'), `${options}${read('ops/Caddyfile')}`);
    return {
      command: ['caddy', 'run', '--config', join(folder, 'Caddyfile')],
      env: {
        HOME: folder,
        XDG_DATA_HOME: folder,
        XDG_CONFIG_HOME: folder,
        DOMAIN: 'localhost',
        UPSTREAM_HOST: '127.0.0.1',
        UPSTREAM_PORT: String(upstream),
      },
      ca: join(folder, 'caddy/pki/authorities/local/root.crt'),
    };
  },
};

const onPath = (program: string): boolean =>
  (process.env.PATH ?? '').split(delimiter).some(folder => existsSync(join(folder, program)));
const here = [nginx, caddy].filter(({ name }) => onPath(name));

const usual = getGlobalDispatcher();
const scratch = mkdtempSync(join(tmpdir(), 'coinslot-proxies-'));
afterAll(() => rmSync(scratch, { recursive: true, force: true }));

test('both are shipped', () => {
  for (const file of ['ops/nginx.conf', 'ops/Caddyfile']) expect(read(file)).toContain('/metrics');
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
  let coinslot: Coinslot;
  let account: Account;
  let studio: Studio;
  let game: Game;

  beforeAll(async () => {
    mkdirSync(folder);
    const [http, https] = [await freePort(), await freePort()];
    url = `https://localhost:${https}`;
    plainUrl = `http://localhost:${http}`;
    coinslot = await startCoinslot({ PUBLIC_URL: url, TRUST_PROXY: '127.0.0.1' });
    const prepared = proxy.prepare(folder, { http, https, upstream: Number(new URL(coinslot.url).port) });
    ca = prepared.ca;
    const [program, ...args] = prepared.command;
    const child = spawn(program, args, { env: { PATH: process.env.PATH, ...prepared.env } });
    children.push(child);
    let said = '';
    child.stderr.on('data', chunk => (said += String(chunk)));
    await vi
      .waitFor(async () => {
        setGlobalDispatcher(new Agent({ connect: { ca: readFileSync(ca, 'utf8') } }));
        expect((await fetch(`${url}/healthz`)).status).toBe(200);
      }, patience)
      .catch((error: unknown) => {
        throw new Error(`${proxy.name} does not answer:\n${said}`, { cause: error });
      });
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
