import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, openSync, readFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type Game, startGame } from '@coinslot/testing/game-receiver';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { patience } from './game-studio.ts';
import { type Account, type Coinslot, startCoinslot } from './start-coinslot.ts';

const BINARY = fileURLToPath(new URL('../packages/cli/dist/main.js', import.meta.url));

let coinslot: Coinslot;
let account: Account;
let laptop: Game;
let home: string;
const children: ChildProcess[] = [];

beforeAll(async () => {
  [coinslot, home] = await Promise.all([startCoinslot(), mkdtemp(join(tmpdir(), 'coinslot-home-'))]);
  account = await coinslot.setup();
  laptop = await startGame({ secret: account.sandbox.s2s_key });
});
afterAll(async () => {
  for (const child of children) child.kill('SIGKILL');
  await laptop?.close();
  await coinslot?.stop();
  await rm(home, { recursive: true, force: true });
});

const envWith = (key: string | undefined): NodeJS.ProcessEnv => ({
  PATH: process.env.PATH,
  HOME: home,
  COINSLOT_URL: coinslot.url,
  ...(key && { COINSLOT_KEY: key }),
});

interface Ended {
  code: number;
  out: string;
  err: string;
}

function cli(args: string[], key: string | undefined = account.sandbox.s2s_key, input?: string): Promise<Ended> {
  return new Promise(resolve => {
    const child = execFile(process.execPath, [BINARY, ...args], { env: envWith(key) }, (error, out, err) =>
      resolve({ code: typeof error?.code === 'number' ? error.code : 0, out, err }),
    );
    child.stdin?.end(input);
  });
}

async function json<T = Record<string, unknown>>(...args: string[]): Promise<T> {
  const { out, err } = await cli([...args, '--json']);
  expect(err).toBe('');
  return JSON.parse(out) as T;
}

interface Started {
  out(): string;
  err(): string;
  stop(): Promise<number | null>;
}

function start(...args: string[]): Started {
  const child = spawn(process.execPath, [BINARY, ...args], { env: envWith(account.sandbox.s2s_key) });
  children.push(child);
  let out = '';
  let err = '';
  child.stdout.on('data', chunk => {
    out += String(chunk);
  });
  child.stderr.on('data', chunk => {
    err += String(chunk);
  });
  return {
    out: () => out,
    err: () => err,
    async stop() {
      child.kill('SIGINT');
      const [code] = (await once(child, 'exit')) as [number | null];
      return code;
    },
  };
}

test('a checkout completes against a laptop, and everything about it can be seen and done by hand', async () => {
  const listening = start('listen', '--forward-to', laptop.url);
  const tail = start('events', 'tail', '--json');
  await expect.poll(listening.err, patience).toContain('Ready. item.add, item.remove of Castle Quest (sandbox)');
  const listeners = 'select id from webhook_subscriptions where listening_until is not null';
  await expect.poll(async () => (await coinslot.query(listeners)).length, patience).toBe(2);

  const order = await json<{ order_id: string }>('orders', 'create', '--player', 'ann', '--sku', 'sword');
  const paid = await json<{ order: { status: string } }>('orders', 'pay', order.order_id, '--card', 'success');
  expect(paid.order.status).toBe('paid');
  expect(laptop.inventory.get('ann')?.get('sword')).toBe(1);
  expect(laptop.requests.map(({ verified }) => verified)).toEqual([true]);

  expect((await json('orders', 'refund', order.order_id)).status).toBe('refunded');
  await laptop.waitFor(({ requests }) => requests.length === 2);
  expect(laptop.inventory.get('ann')?.get('sword')).toBe(0);

  const triggered = await json('trigger', 'item.add', '--player', 'bob', '--sku', 'shield');
  expect(triggered).toMatchObject({
    deliveries: [{ listener: true }],
    outcomes: [{ status: 'succeeded', test: true }],
  });
  expect(laptop.inventory.get('bob')?.get('shield')).toBe(1);

  await expect.poll(tail.out, patience).toContain('"test":true');
  const kinds = tail
    .out()
    .trimEnd()
    .split('\n')
    .map(line => (JSON.parse(line) as { event_type: string }).event_type);
  expect(kinds).toEqual(
    expect.arrayContaining(['order.created', 'item.add', 'order.paid', 'item.remove', 'order.refunded']),
  );

  expect(await listening.stop()).toBe(0);
  expect(await tail.stop()).toBe(0);
  expect(listening.out()).toMatch(/item.add .* 200 in \d+ ms {2}granted/);
  // The listener is gone with its connection, so no endpoint is left to ask.
  const later = await json<{ order_id: string }>('orders', 'create', '--player', 'ann', '--sku', 'sword');
  const unasked = await json<{ order: { status: string } }>('orders', 'pay', later.order_id, '--card', 'success');
  expect(unasked.order.status).toBe('authorized');
});

test('exit codes tell scripts what happened', async () => {
  const order = await json<{ order_id: string }>('orders', 'create', '--player', 'eve', '--sku', 'sword');
  const codes = await Promise.all([
    cli(['orders', 'pay', order.order_id, '--card', 'decline']),
    cli(['orders', 'get', 'ord_00000000000000000000000000']),
    cli(['orders', 'refund', order.order_id]),
    cli(['orders', 'get', 'nonsense']),
    cli(['orders', 'list'], `sk_sandbox_${'x'.repeat(40)}`),
    cli(['orders', 'list', '--url', 'http://127.0.0.1:1']),
    cli(['events', 'tail'], account.live.s2s_key),
    cli(['--version']),
  ]);
  expect(codes.map(({ code }) => code)).toEqual([7, 5, 6, 2, 4, 3, 2, 0]);
  for (const { out, err } of codes) expect(out + err).not.toContain(account.sandbox.s2s_key);
});

test('the requests of a key are watched as they come, with what was wrong', async () => {
  const tail = execFile(process.execPath, [BINARY, 'logs', 'tail', '--errors', '--count', '1'], {
    env: envWith(account.sandbox.s2s_key),
  });
  children.push(tail);
  const ended = once(tail, 'exit');
  let [out, err] = ['', ''];
  tail.stdout!.on('data', chunk => (out += String(chunk)));
  tail.stderr!.on('data', chunk => (err += String(chunk)));
  await expect.poll(() => err, patience).toContain('Watching the requests');
  expect((await cli(['orders', 'get', 'ord_01kb2m3n4p5q6r7s8t9v0w1x2y'])).code).not.toBe(0);
  expect(await ended).toEqual([0, null]);
  expect(out).toMatch(/404 .*GET .*\/s2s\/v1\/orders\/ord_\S+ .*order_not_found/);
  expect(err).not.toContain('Warning');
});

test('a key that is kept serves the next commands', async () => {
  expect(await cli(['login'], '', `${account.sandbox.s2s_key}\n`)).toMatchObject({ code: 0 });
  expect(await cli(['orders', 'list', '--json'], '')).toMatchObject({ code: 0, out: expect.stringContaining('"ann"') });
  expect(await cli(['logout'], '')).toMatchObject({ code: 0 });
  expect(await cli(['orders', 'list'], '')).toMatchObject({ code: 2 });
  expect(coinslot.log()).not.toContain(account.sandbox.s2s_key);
});

test('events that are followed into a file go on from its last line after each kill, without a loss or a double (row 169)', async () => {
  const file = join(home, 'events.ndjson');
  const eventsIn = (text: string) =>
    text
      .trimEnd()
      .split('\n')
      .map(line => JSON.parse(line) as { event_id: string; cursor: string });
  const stored = () => {
    const text = readFileSync(file, 'utf8');
    return text === '' ? [] : eventsIn(text);
  };
  const follow = (from: string): ChildProcess => {
    const out = openSync(file, 'a');
    const args = [BINARY, 'events', '--follow', '--from', from, '--format', 'ndjson'];
    const child = spawn(process.execPath, args, {
      env: envWith(account.sandbox.s2s_key),
      stdio: ['ignore', out, 'ignore'],
    });
    closeSync(out);
    children.push(child);
    return child;
  };
  const key = account.sandbox.s2s_key;
  const create = (player: string) =>
    fetch(`${coinslot.url}/s2s/v1/orders`, {
      method: 'POST',
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
      body: JSON.stringify({ player_id: player, items: [{ sku: 'sword' }] }),
    });
  let child = follow('start');
  const player = 'followed';
  for (let round = 0; round < 4; round++) {
    const before = stored().length;
    const making = Promise.all([1, 2, 3, 4, 5, 6].map(() => create(player)));
    // Somewhere in the middle of what comes, so that some is behind the kill and some before it.
    await expect.poll(() => stored().length, { ...patience, interval: 1 }).toBeGreaterThan(before);
    child.kill('SIGKILL');
    await once(child, 'exit');
    await making;
    child = follow(stored().at(-1)!.cursor);
  }
  const whole = (await cli(['events', '--format', 'ndjson'])).out;
  await expect.poll(() => stored().length, patience).toBe(eventsIn(whole).length);
  expect(readFileSync(file, 'utf8')).toBe(whole);
  const [{ orders }] = (await coinslot.query(
    `select count(1)::int as orders from orders where player_id = '${player}'`,
  )) as [{ orders: number }];
  expect(orders).toBe(24);
  expect(new Set(stored().map(({ event_id: id }) => id)).size).toBe(stored().length);
  child.kill('SIGINT');
  expect(await once(child, 'exit')).toEqual([0, null]);
  expect(await cli(['events', '--from', 'nonsense'])).toMatchObject({ code: 6 });
});
