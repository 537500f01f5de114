import { chmod, mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { runCli } from './testing/run-cli.ts';

const KEY = `sk_sandbox_${'a'.repeat(40)}`;
let homeFolder: string;

beforeAll(async () => {
  homeFolder = await mkdtemp(join(tmpdir(), 'coinslot-cli-'));
});
afterAll(() => rm(homeFolder, { recursive: true, force: true }));

/** A server that knows one sandbox key. */
const knows = (key: string): typeof globalThis.fetch =>
  (async (_url: string, init: RequestInit) => {
    const isKnown = new Headers(init.headers).get('authorization') === `Bearer ${key}`;
    const body = isKnown
      ? { data: [], next_cursor: null }
      : { code: 'unauthorized', title: 'No valid key', status: 401 };
    return Response.json(body, { status: isKnown ? 200 : 401 });
  }) as typeof globalThis.fetch;

describe('login', () => {
  it('tries the key, keeps it for its owner alone, and prints it nowhere', async () => {
    const done = await runCli(['login'], { homeFolder, secret: KEY, fetch: knows(KEY) });
    expect(done).toMatchObject({ code: 0, out: expect.stringContaining('The sandbox key works') });
    expect(done.out + done.err).not.toContain(KEY);
    const file = join(homeFolder, '.config/coinslot/config.json');
    expect((await stat(file)).mode & 0o777).toBe(0o600);
    expect(JSON.parse(await readFile(file, 'utf8'))).toEqual({ url: 'http://localhost:4242', key: KEY });
    const shown = await runCli(['config', '--json'], { homeFolder });
    expect(JSON.parse(shown.out)).toMatchObject({ key: 'sk_sandbox_…aaaa', key_from: 'file', url_from: 'file' });
  });

  it('keeps nothing that does not work or is no key', async () => {
    const other = await mkdtemp(join(tmpdir(), 'coinslot-cli-'));
    const wrong = await runCli(['login'], { homeFolder: other, input: `${KEY}\n`, fetch: knows('another') });
    expect(wrong).toMatchObject({ code: 4, err: expect.stringContaining('unauthorized') });
    for (const input of ['', 'sk_sandbox_short', `Bearer ${KEY}`, 'my key']) {
      expect(await runCli(['login'], { homeFolder: other, input })).toMatchObject({ code: 2 });
    }
    await expect(stat(join(other, '.config'))).rejects.toThrow();
    await rm(other, { recursive: true });
  });

  it('a stored key is sent to its own server only', async () => {
    const asked = await runCli(['orders', 'list'], { homeFolder, env: { COINSLOT_URL: 'https://elsewhere.example' } });
    expect(asked).toMatchObject({ code: 2, err: expect.stringContaining('is not sent to https://elsewhere.example') });
  });

  it('the environment comes before the file, an option before both', async () => {
    const env = { COINSLOT_KEY: `sk_sandbox_${'b'.repeat(40)}`, COINSLOT_URL: 'https://pay.example.com/' };
    const fromEnv = JSON.parse((await runCli(['config', '--json'], { homeFolder, env })).out);
    expect(fromEnv).toMatchObject({ key: 'sk_sandbox_…bbbb', key_from: 'environment', url: 'https://pay.example.com' });
    const argv = ['config', '--json', '--url', 'http://localhost:1', '--key', `sk_sandbox_${'c'.repeat(40)}`];
    expect(JSON.parse((await runCli(argv, { homeFolder, env })).out)).toMatchObject({
      key: 'sk_sandbox_…cccc',
      key_from: 'option',
      url_from: 'option',
    });
  });

  it('warns when others can read the file', async () => {
    const file = join(homeFolder, '.config/coinslot/config.json');
    await chmod(file, 0o644);
    expect((await runCli(['config'], { homeFolder })).err).toContain('chmod 600');
    await writeFile(file, '{');
    expect(await runCli(['config'], { homeFolder })).toMatchObject({
      code: 2,
      err: expect.stringContaining('is not JSON'),
    });
  });

  it('logout forgets it', async () => {
    expect((await runCli(['logout'], { homeFolder })).out).toBe('The key was deleted.\n');
    expect((await runCli(['logout'], { homeFolder })).out).toBe('No key was saved.\n');
    expect((await runCli(['config'], { homeFolder })).out).toContain('none');
  });
});

describe('what is wrong is said before the network is asked:', () => {
  const env = { COINSLOT_KEY: KEY };
  const live = { COINSLOT_KEY: KEY.replace('sandbox', 'live') };

  it.each<[string, string[], Record<string, string>, RegExp]>([
    ['no key', ['orders', 'list'], {}, /COINSLOT_KEY/],
    ['half a key', ['orders', 'list'], { COINSLOT_KEY: 'sk_sandbox_1' }, /not a complete S2S key/],
    ['a live key to play with', ['orders', 'pay', 'ord_1', '--card', 'success'], live, /sk_sandbox_/],
    ['a live key that listens', ['listen', '--forward-to', '3000'], live, /live key/],
    ['a server that is none', ['orders', 'list'], { ...env, COINSLOT_URL: 'localhost' }, /http:\/\/localhost:4242/],
    ['an order without a player', ['orders', 'create', '--sku', 'a'], env, /needs a player and an item/],
    ['a price without currency', ['orders', 'create', '--player', 'p', '--sku', 'a', '--price', '1'], env, /currency/],
    [
      'a price that is none',
      ['orders', 'create', '--player', 'p', '--sku', 'a', '--price', '1,50'],
      env,
      /such as 4.99/,
    ],
    ['another id', ['orders', 'get', 'pay_1'], env, /starts with ord_/],
    ['an unknown card', ['orders', 'pay', 'ord_1', '--card', 'visa'], env, /one of success, decline/],
    ['no card', ['orders', 'pay', 'ord_1'], env, /either --card or --challenge/],
    ['an unknown kind', ['trigger', 'item.added'], env, /Did you mean item.add\?/],
    ['items where there are none', ['trigger', 'payment.declined', '--sku', 'a'], env, /has no items/],
    ['no place to forward to', ['listen'], env, /--forward-to/],
    ['a place that is none', ['listen', '--forward-to', 'ftp://localhost'], env, /http:\/\/localhost:3000\/webhook/],
    [
      'an unknown kind to listen to',
      ['listen', '--forward-to', '3000', '--events', 'items'],
      env,
      /--events is one of/,
    ],
    [
      'a file that is not there',
      ['signature', 'verify', '--body', 'no.json', '--timestamp', '1', '--signature', 'x'],
      env,
      /File not found/,
    ],
    ['an unknown command', ['order', 'list'], env, /Did you mean orders\?/],
    ['an unknown option', ['orders', 'list', '--statsu', 'paid'], env, /--status/],
  ])('%s', async (_, argv, given, words) => {
    const done = await runCli(argv, { env: given });
    expect(done).toMatchObject({ code: 2, out: '' });
    expect(done.err).toMatch(words);
    expect(done.err).not.toContain(KEY);
  });

  it('as JSON when JSON was asked for', async () => {
    const done = await runCli(['orders', 'get', 'x', '--json'], { env });
    expect(JSON.parse(done.err)).toMatchObject({ error: { code: 'invalid_argument', message: expect.any(String) } });
  });
});

it('help teaches: every command has an example, and the exit codes are listed', async () => {
  const { out } = await runCli([]);
  expect(out).toContain('Exit codes:');
  const words = [
    'listen',
    'trigger',
    'login',
    'orders create',
    'orders get',
    'orders list',
    'orders pay',
    'orders refund',
  ];
  for (const command of [...words, 'orders cancel', 'payments list', 'events tail', 'events list', 'deliveries list']) {
    const help = await runCli([...command.split(' '), '--help']);
    expect([command, help.code, help.out.includes('Examples:\n  $ ')]).toEqual([command, 0, true]);
  }
});
