import { execFileSync } from 'node:child_process';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Game, startGame } from '@coinslot/testing/game-receiver';
import { startProgram, type TestProgram } from '@coinslot/testing/program';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Ran, type RunOptions, runCli } from '../testing/run-cli.ts';

let shop: TestProgram;
let game: Game;
let home: string;
let env: Record<string, string>;

beforeAll(async () => {
  shop = await startProgram();
  env = { COINSLOT_KEY: shop.account.sandbox.s2sKey, COINSLOT_URL: shop.url };
  game = await startGame({ secret: shop.account.sandbox.s2sKey });
  home = await mkdtemp(join(tmpdir(), 'coinslot-cli-'));
});
afterAll(async () => {
  await game?.close();
  await shop?.close();
  await rm(home, { recursive: true, force: true });
});

const cli = (argv: string[], options: RunOptions = {}): Promise<Ran> =>
  runCli(argv, { env, fetch: globalThis.fetch, ...options });

async function json<T>(...argv: string[]): Promise<T> {
  const { out, err, code } = await cli([...argv, '--json']);
  expect([code, err]).toEqual([0, '']);
  return JSON.parse(out) as T;
}

describe('items', () => {
  it('are put, read, listed and removed', async () => {
    await cli(['items', 'put', 'gold_100', '--name', '100 gold', '--price', '0.99', '--currency', 'eur']);
    expect(await json('items', 'get', 'gold_100')).toMatchObject({
      name: '100 gold',
      price_decimal: 0.99,
      currency: 'EUR',
    });
    expect((await cli(['items', 'list'])).out).toMatch(/gold_100 +100 gold +0.99 EUR/);
    expect(await json('items', 'remove', 'gold_100')).toEqual({ sku: 'gold_100', removed: true });
    expect(await cli(['items', 'get', 'gold_100'])).toMatchObject({ code: 5 });
  });
});

describe('request', () => {
  it('makes any call, with a body, a query and standard input', async () => {
    const body = '{"player_id":"ann","items":[{"sku":"sword"}]}';
    const made = await json<{ order_id: string }>('request', 'POST', '/s2s/v1/orders', '--data', body);
    const { out } = await cli(['request', 'get', '/s2s/v1/orders', '--query', 'limit=1']);
    expect(JSON.parse(out)).toMatchObject({ data: [{ order_id: made.order_id }] });
    const piped = await cli(['request', 'POST', '/s2s/v1/orders', '--data', '-'], { input: body });
    expect(JSON.parse(piped.out)).toMatchObject({ status: 'created' });
    expect(await cli(['request', 'GET', '/healthz'])).toMatchObject({ code: 2 });
  });
});

describe('trigger --real', () => {
  interface Made {
    order_id: string;
    status: string;
  }
  let webhook: { id: string };

  beforeAll(async () => {
    webhook = await json('webhooks', 'add', game.url);
  });
  afterAll(() => cli(['webhooks', 'remove', webhook.id]));

  it.each([
    ['order.created', 'created'],
    ['order.canceled', 'canceled'],
    ['order.expired', 'expired'],
    ['payment.declined', 'created'],
    ['order.paid', 'paid'],
    ['item.remove', 'refunded'],
    ['order.charged_back', 'charged_back'],
  ])('makes an order that %s is about, and orders get finds it', async (kind, status) => {
    const made = await json<Made>('trigger', kind, '--real', '--player', 'bob', '--sku', 'bow');
    const waited = status === 'refunded' ? ['--wait-for', 'refunded'] : [];
    expect(await json('orders', 'get', made.order_id, ...waited)).toMatchObject({ status, player_id: 'bob' });
    const events = await json<{ data: { event_type: string }[] }>(
      'request',
      'GET',
      '/s2s/v1/events',
      '--query',
      `order_id=${made.order_id}`,
    );
    // That an order was created is stored only while it is observed.
    if (kind !== 'order.created') expect(events.data.map(({ event_type }) => event_type)).toContain(kind);
  });

  it('says which kinds only a game can bring about', async () => {
    expect(await cli(['trigger', 'order.rejected', '--real'])).toMatchObject({
      code: 2,
      err: expect.stringContaining('only your game can decline'),
    });
  });
});

describe('deep-links', () => {
  const PRINT = Array.from({ length: 32 }, () => 'AB').join(':');
  const apps = [
    '--ios',
    'ABCDE12345.com.example.game',
    '--android',
    'com.example.game',
    '--sha256',
    PRINT.toLowerCase(),
  ];

  it('writes the files that iOS and Android read, and an intent that opens the game', async () => {
    const out = join(home, 'public');
    const made = await cli(['deep-links', '--host', 'play.example.com', ...apps, '--out', out, '--json']);
    expect(JSON.parse(made.out)).toMatchObject({
      back_to_game_url: 'https://play.example.com/paid?order={order_id}',
      android_intent:
        'intent://play.example.com/paid?order={order_id}#Intent;scheme=https;package=com.example.game;S.browser_fallback_url=https%3A%2F%2Fplay.example.com%2Fpaid;end',
    });
    const read = async (name: string) => JSON.parse(await readFile(join(out, '.well-known', name), 'utf8')) as unknown;
    expect(await read('apple-app-site-association')).toMatchObject({
      applinks: { details: [{ appIDs: ['ABCDE12345.com.example.game'], components: [{ '/': '/paid*' }] }] },
    });
    expect(await read('assetlinks.json')).toMatchObject([
      { target: { package_name: 'com.example.game', sha256_cert_fingerprints: [PRINT] } },
    ]);
  });

  it('refuses what the stores would not understand', async () => {
    const wrong = [
      ['deep-links', ...apps],
      ['deep-links', '--host', 'play.example.com'],
      ['deep-links', '--host', 'play.example.com', '--ios', 'com.example.game'],
      ['deep-links', '--host', 'play.example.com', '--android', 'com.example.game'],
      ['deep-links', '--host', 'play.example.com', '--android', 'com.example.game', '--sha256', 'AB:CD'],
    ];
    for (const argv of wrong) expect([argv, (await cli(argv)).code]).toEqual([argv, 2]);
  });
});

describe('payments get', () => {
  it('shows one payment', async () => {
    const { order_id } = await shop.createOrder();
    await cli(['orders', 'pay', order_id, '--card', 'decline']);
    const [line = ''] = (await cli(['payments', 'list', '--order', order_id, '--json'])).out.split('\n');
    const { payment_id } = JSON.parse(line) as { payment_id: string };
    expect((await cli(['payments', 'get', payment_id])).out).toMatch(/status +declined/);
  });
});

describe('webhooks', () => {
  it('are updated, rotated and replayed', async () => {
    const { id } = await json<{ id: string }>('webhooks', 'add', game.url);
    expect(await json('webhooks', 'update', id, '--description', 'Mine', '--disable')).toMatchObject({
      description: 'Mine',
      enabled: false,
    });
    expect(await cli(['webhooks', 'update', id])).toMatchObject({ code: 2, err: expect.stringContaining('Nothing') });
    expect(await json('webhooks', 'update', id, '--enable')).toMatchObject({ enabled: true });
    expect(await json('webhooks', 'replay', id, '--since', '1h')).toEqual({ replayed: 0 });
    const { secret } = await json<{ secret: string }>('webhooks', 'rotate', id);
    expect(secret.length).toBeGreaterThan(20);
    await cli(['webhooks', 'remove', id]);
  });
});

describe('doctor', () => {
  interface Report {
    ok: boolean;
    findings: { what: string; state: string; said: string; hint: string | null }[];
  }
  const look = async (more: Record<string, string> = {}): Promise<Report & { code: number }> => {
    const { out, code } = await cli(['doctor', '--json'], { env: { ...env, ...more } });
    return { ...(JSON.parse(out) as Report), code };
  };
  const wrong = ({ findings }: Report): string[] =>
    findings.filter(({ state }) => state === 'bad').map(({ what }) => what);

  it('names the first thing that is wrong: address, key, webhook, receiver, signature', async () => {
    expect(wrong(await look({ COINSLOT_URL: 'http://127.0.0.1:1' }))).toEqual(['address']);
    expect(wrong(await look({ COINSLOT_KEY: `sk_sandbox_${'x'.repeat(40)}` }))).toEqual(['key']);
    expect(wrong(await look())).toEqual(['webhook']);
    const { id } = await json<{ id: string }>('webhooks', 'add', game.url);
    const good = await look();
    expect([good.ok, good.code, good.findings.map(({ what }) => what)]).toEqual([
      true,
      0,
      ['address', 'clock', 'key', 'webhook', 'reachable', 'signature'],
    ]);
    game.answer({ status: 403 });
    const refused = await look();
    expect([refused.code, wrong(refused), refused.findings.at(-1)?.hint]).toEqual([
      7,
      ['signature'],
      expect.stringContaining('raw bytes'),
    ]);
    const gone = await startGame({ secret: shop.account.sandbox.s2sKey });
    await gone.close();
    await cli(['webhooks', 'update', id, '--to', gone.url]);
    expect(wrong(await look())).toEqual(['reachable']);
    await cli(['webhooks', 'update', id, '--disable']);
    expect(wrong(await look())).toEqual(['webhook']);
    await cli(['webhooks', 'remove', id]);
  });
});

describe('profiles', () => {
  const at = (argv: string[], more: RunOptions = {}): Promise<Ran> => cli(argv, { env: {}, homeFolder: home, ...more });

  it('keep several keys apart, and one without a name beside them', async () => {
    const { s2sKey } = shop.account.sandbox;
    const live = shop.account.live.s2sKey;
    const login = (key: string, ...more: string[]) => at(['login', '--url', shop.url, ...more], { input: key });
    expect(await login(live, '--profile', 'production')).toMatchObject({ code: 0 });
    expect(await at(['orders', 'list'])).toMatchObject({ code: 2, err: expect.stringContaining('No S2S key') });
    expect(await login(s2sKey)).toMatchObject({ code: 0 });
    const shown = async (argv: string[], more: RunOptions = {}) =>
      JSON.parse((await at([...argv, '--json'], more)).out) as { profile: string | null; key: string };
    expect(await shown(['config'])).toMatchObject({ profile: null, key: `sk_sandbox_…${s2sKey.slice(-4)}` });
    expect(await shown(['config'], { env: { COINSLOT_PROFILE: 'production' } })).toMatchObject({
      profile: 'production',
      key: `sk_live_…${live.slice(-4)}`,
    });
    const listed = (await at(['profiles'])).out;
    expect(listed).toMatch(/production +live/);
    expect(listed).not.toContain(live);
    expect(await at(['orders', 'list', '--profile', 'none'])).toMatchObject({
      code: 2,
      err: expect.stringContaining('login --profile none'),
    });
    await at(['logout']);
    expect((await at(['profiles'])).out).toContain('production');
    await at(['logout', '--profile', 'production']);
    await expect(readFile(join(home, '.config/coinslot/config.json'))).rejects.toThrow('ENOENT');
  });
});

describe('completion', () => {
  /** What bash offers at the end of this line. */
  function offered(script: string, line: string): string[] {
    const words = line.split(' ');
    const quoted = words.map(word => `'${word}'`).join(' ');
    const run = `${script}\nCOMP_WORDS=(${quoted}); COMP_CWORD=${words.length - 1}; _coinslot; printf '%s\\n' "\${COMPREPLY[@]}"`;
    return execFileSync('bash', ['-c', run], { encoding: 'utf8' }).trim().split('\n');
  }

  it('of bash knows commands, their commands and their options, also after an id', async () => {
    const { out } = await cli(['completion', 'bash']);
    expect(offered(out, 'coinslot or')).toEqual(['orders']);
    expect(offered(out, 'coinslot webhooks r')).toEqual(['rotate', 'replay', 'remove']);
    expect(offered(out, 'coinslot orders get ord_1 --wai')).toEqual(['--wait-for']);
    expect(offered(out, 'coinslot --he')).toEqual(['--help']);
  });

  it('of bash and fish knows the values of options and arguments', async () => {
    const { out } = await cli(['completion', 'bash']);
    expect(offered(out, 'coinslot orders list --status pa')).toEqual(['paid']);
    expect(offered(out, 'coinslot orders get ord_1 --wait-for ref')).toEqual(['refund_requested', 'refunded']);
    expect(offered(out, 'coinslot listen --events order.*')).toEqual(['order.*']);
    expect(offered(out, 'coinslot trigger item.')).toEqual(['item.add', 'item.remove']);
    expect(offered(out, 'coinslot completion z')).toEqual(['zsh']);
    expect(offered(out, 'coinslot chaos o')).toEqual(['on', 'off']);
    const fish = (await cli(['completion', 'fish'])).out;
    expect(fish).toMatch(/from payments; and __fish_seen_subcommand_from list' -l status -x -a '[a-z_ ]*succeeded/);
  });

  it('of zsh and fish names the same commands', async () => {
    const zsh = (await cli(['completion', 'zsh'])).out;
    expect(zsh).toMatch(/^#compdef coinslot\n/);
    const fish = (await cli(['completion', 'fish'])).out;
    for (const command of ['orders', 'webhooks', 'doctor', 'items']) {
      expect(zsh).toContain(command);
      expect(fish).toMatch(new RegExp(`-n '__fish_use_subcommand' -a ${command} -d `));
    }
    expect(fish).toContain(
      `-n '__fish_seen_subcommand_from webhooks; and __fish_seen_subcommand_from replay' -l since`,
    );
  });
});
