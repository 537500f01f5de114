/** The server and the command line as a user gets them: by `npx`, in an empty folder, without a clone. */
import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { freePort } from '../free-port.ts';
import { type LocalRegistry, startLocalRegistry } from './local-registry.ts';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));
const exec = promisify(execFile);
/** npm installs a hundred packages here, which takes a busy machine minutes. */
const LONGEST_MS = 600_000;
const waiting = { timeout: LONGEST_MS - 60_000, interval: 200 };

let folder: string;
let empty: string;
let url: string;
let env: NodeJS.ProcessEnv;
let tarball: string;
let registry: LocalRegistry;
let server: ChildProcess;
let printed = '';

async function pack(name: string): Promise<string> {
  const { stdout } = await exec('npm', ['pack', '--json', '--pack-destination', folder], {
    cwd: join(folder, 'out', name),
    env: { PATH: process.env.PATH, HOME: folder, npm_config_update_notifier: 'false' },
    maxBuffer: 64 * 1024 * 1024,
  });
  const [{ filename }] = JSON.parse(stdout) as [{ filename: string }];
  return join(folder, filename);
}

/** Typed in the empty folder; answers with what is printed. */
const npx = async (...args: string[]): Promise<string> =>
  (await exec('npx', ['--yes', ...args], { cwd: empty, env })).stdout;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'coinslot-server-'));
  empty = join(folder, 'empty');
  await mkdir(empty);
  await exec(process.execPath, [join(ROOT, 'tools/pack/pack.mjs'), '--out', join(folder, 'out')]);
  tarball = await pack('server');
  registry = await startLocalRegistry([await pack('cli')]);
  const port = await freePort();
  url = `http://localhost:${port}`;
  env = { ...registry.env(folder), PORT: String(port) };
  server = spawn('npx', ['--yes', `--package=${tarball}`, 'coinslot-server'], { cwd: empty, env, detached: true });
  for (const stream of [server.stdout, server.stderr]) stream?.on('data', chunk => (printed += String(chunk)));
});

afterAll(async () => {
  // npx may have left a child behind if a test failed: its whole group ends.
  if (server?.exitCode === null && server.signalCode === null) {
    const gone = once(server, 'exit');
    process.kill(-server.pid!, 'SIGKILL');
    await gone;
  }
  registry?.close();
  await rm(folder, { recursive: true, force: true, maxRetries: 5 });
});

test('npx of the server does what npm start does: its own database, the API, the dashboard and the docs', {
  timeout: LONGEST_MS,
}, async () => {
  await expect.poll(() => printed, waiting).toContain(` is running at ${url}`);
  // It names no package, because a stranger can take a free name in a registry.
  expect(printed).not.toContain('npx ');
  const [, program = ''] = new RegExp(`PORT=${new URL(url).port} node (\\S+) setup --email`).exec(printed) ?? [];
  // No package of it refuses this Node.
  expect(printed).not.toMatch(/EBADENGINE|Unsupported engine/);
  expect(await readdir(empty)).toEqual(['data']);
  const said = async (...args: string[]): Promise<string> =>
    (await exec(process.execPath, [program, ...args], { cwd: empty, env })).stdout;
  for (const asked of ['--help', 'help']) expect(await said(asked)).toMatch(/^ {2}setup +Registers a user/m);
  expect(await said('help', 'setup')).toContain(`Usage: node ${program} setup [options]`);
  const registration = ['--email=you@studio.example', '--password=eleven small lamps', '--company=Your Studio'];
  const game = '--game-url=https://play.google.com/store/apps/details?id=com.example.game';
  const { sandbox } = JSON.parse(
    (await exec(process.execPath, [program, 'setup', ...registration, game, '--json'], { cwd: empty, env })).stdout,
  ) as {
    sandbox: { s2s_key: string };
  };
  env = { ...env, COINSLOT_KEY: sandbox.s2s_key, COINSLOT_URL: url };
  const headers = { authorization: `Bearer ${sandbox.s2s_key}`, 'content-type': 'application/json' };
  const body = JSON.stringify({ player_id: 'player-1', items: [{ sku: 'gold_100' }] });
  const created = await fetch(`${url}/s2s/v1/orders`, { method: 'POST', headers, body });
  const { checkout_url: page } = (await created.json()) as { checkout_url: string };
  const pages = ['/dashboard/', '/docs', '/docs/sdk', '/docs/reference/calls/create-order', '/openapi.json'];
  for (const one of [page, ...pages.map(path => url + path)])
    expect([one, (await fetch(one)).status]).toEqual([one, 200]);
});

test('npx of the command line, by its name, makes an order there', async () => {
  const made = await npx('coinslot-cli', 'orders', 'create', '--player', 'ann', '--sku', 'sword', '--json');
  const { order_id } = JSON.parse(made) as { order_id: string };
  const headers = { authorization: `Bearer ${env.COINSLOT_KEY}` };
  const read = await fetch(`${url}/s2s/v1/orders/${order_id}`, { headers });
  expect(await read.json()).toMatchObject({ player_id: 'ann' });
  expect(await readdir(empty)).toEqual(['data']);
});

test('Ctrl-C ends it, and leaves nothing running', async () => {
  const gone = once(server, 'exit');
  process.kill(-server.pid!, 'SIGINT');
  await gone;
  await expect.poll(() => fetch(url).catch(() => 'gone'), waiting).toBe('gone');
  expect(printed).not.toMatch(/EADDRINUSE|Error:/);
});
