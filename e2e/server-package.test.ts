/** The server as npm would publish it: packed, unpacked into an empty folder, started there without a clone. */
import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, mkdtemp, readFile, realpath, rm, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { freePort } from './free-port.ts';

const ROOT = fileURLToPath(new URL('../', import.meta.url));
const exec = promisify(execFile);
const waiting = { timeout: 90_000, interval: 200 };

interface Manifest {
  bin: Record<string, string>;
  dependencies: Record<string, string>;
  optionalDependencies: Record<string, string>;
}

let folder: string;
let bin: string;

/** What npm would install beside it, from where it is already: the test has no network. */
async function linkDependencies({ dependencies, optionalDependencies }: Manifest, modules: string): Promise<void> {
  for (const name of Object.keys({ ...dependencies, ...optionalDependencies })) {
    if (name.startsWith('@coinslot/')) continue;
    const from = await realpath(join(ROOT, 'node_modules', name)).catch(() => null);
    if (from === null && name in optionalDependencies) continue;
    await mkdir(dirname(join(modules, name)), { recursive: true });
    await symlink(from!, join(modules, name));
  }
}

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'coinslot-server-'));
  await exec(process.execPath, [join(ROOT, 'tools/pack.mjs'), '--out', join(folder, 'out')]);
  const env = { PATH: process.env.PATH, HOME: folder, npm_config_offline: 'true', npm_config_update_notifier: 'false' };
  const { stdout } = await exec('npm', ['pack', '--json', '--pack-destination', folder], {
    cwd: join(folder, 'out/server'),
    env,
    maxBuffer: 64 * 1024 * 1024,
  });
  const [{ filename }] = JSON.parse(stdout) as [{ filename: string }];
  const installed = join(folder, 'node_modules/coinslot-server');
  await mkdir(installed, { recursive: true });
  await exec('tar', ['-xzf', join(folder, filename), '-C', installed, '--strip-components=1']);
  const manifest = JSON.parse(await readFile(join(installed, 'package.json'), 'utf8')) as Manifest;
  await linkDependencies(manifest, join(folder, 'node_modules'));
  bin = join(installed, manifest.bin['coinslot-server']!);
});

afterAll(() => rm(folder, { recursive: true, force: true }));

test('it does what npm start does: its own database, the API, the dashboard and the docs', async () => {
  const cwd = join(folder, 'empty');
  await mkdir(cwd);
  const port = await freePort();
  const url = `http://localhost:${port}`;
  const env = { PATH: process.env.PATH, HOME: folder, PORT: String(port) };
  const server = spawn(process.execPath, [bin], { cwd, env, stdio: ['ignore', 'pipe', 'pipe'] });
  let printed = '';
  for (const stream of [server.stdout, server.stderr]) stream.on('data', chunk => (printed += String(chunk)));
  try {
    await expect.poll(() => printed, waiting).toContain(` is running at ${url}`);
    expect(printed).toContain(`PORT=${port} npx coinslot-server setup --email`);
    const registration = ['--email=you@studio.example', '--password=eleven small lamps', '--company=Your Studio'];
    const game = '--game-url=https://play.google.com/store/apps/details?id=com.example.game';
    const { stdout } = await exec(process.execPath, [bin, 'setup', ...registration, game, '--json'], { cwd, env });
    const { sandbox } = JSON.parse(stdout) as { sandbox: { s2s_key: string } };
    const headers = { authorization: `Bearer ${sandbox.s2s_key}`, 'content-type': 'application/json' };
    const body = JSON.stringify({ player_id: 'player-1', items: [{ sku: 'gold_100' }] });
    const created = await fetch(`${url}/s2s/v1/orders`, { method: 'POST', headers, body });
    const { checkout_url: page } = (await created.json()) as { checkout_url: string };
    const pages = [page, `${url}/dashboard/`, `${url}/docs`, `${url}/docs/sdk`, `${url}/openapi.json`];
    for (const one of pages) expect([one, (await fetch(one)).status]).toEqual([one, 200]);
  } finally {
    server.kill('SIGTERM');
    if (server.exitCode === null) await once(server, 'exit');
  }
  expect(server.exitCode).toBe(0);
});
