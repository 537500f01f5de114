import { type ChildProcess, execFile, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { findRunning } from '../../apps/server/src/db/embedded/start-embedded.ts';
import { freePort } from '../free-port.ts';

const ROOT = dirname(dirname(dirname(fileURLToPath(import.meta.url))));
const PROGRAM = join(ROOT, 'apps/server/dist/main.js');
const ACCOUNT = [
  '--email=owner@studio.example',
  '--password=orange lamp on the roof',
  '--company=Northwind Games',
  '--game-url=https://apps.apple.com/us/app/castle-quest/id1234567890',
];
const KILLS = 3;
const ORDERS_AT_ONCE = 16;

let dataDir: string;
let port: number;
let child: ChildProcess | undefined;

const env = () => ({
  PATH: process.env.PATH,
  DATA_DIR: dataDir,
  HOST: '127.0.0.1',
  PORT: String(port),
  PUBLIC_URL: `http://127.0.0.1:${port}`,
  RATE_LIMIT_PER_MINUTE: '0',
});

beforeAll(async () => {
  // Quick when nothing changed; without it the test would run an earlier build.
  const compiled = spawnSync(process.execPath, [join(ROOT, 'node_modules/typescript/bin/tsc'), '-b'], { cwd: ROOT });
  if (compiled.status !== 0) throw new Error(String(compiled.stdout));
  dataDir = await mkdtemp(join(tmpdir(), 'coinslot-killed-'));
  port = await freePort();
});
afterAll(async () => {
  if (child && child.exitCode === null && child.signalCode === null) {
    child.kill('SIGTERM');
    await once(child, 'exit');
  }
  await rm(dataDir, { recursive: true, force: true });
});

async function start(): Promise<ChildProcess> {
  const started = spawn(process.execPath, [PROGRAM], { env: env(), stdio: ['ignore', 'pipe', 'pipe'] });
  let log = '';
  await new Promise<void>((ready, failed) => {
    const hear = (chunk: Buffer): void => {
      log += String(chunk);
      if (log.includes(' is running at ')) ready();
    };
    started.stdout.on('data', hear);
    started.stderr.on('data', hear);
    started.once('exit', code => failed(new Error(`ended with ${code}: ${log}`)));
  });
  return started;
}

test('the program as people start it, killed while it creates orders, has every order it answered', async () => {
  child = await start();
  const { stdout } = await promisify(execFile)(process.execPath, [PROGRAM, 'setup', ...ACCOUNT, '--json'], {
    env: env(),
  });
  const key = (JSON.parse(stdout) as { sandbox: { s2s_key: string } }).sandbox.s2s_key;
  const url = `http://127.0.0.1:${port}/s2s/v1/orders`;
  const authorization = `Bearer ${key}`;
  const created: string[] = [];

  async function createUntilItDies(): Promise<void> {
    for (;;) {
      const response = await fetch(url, {
        method: 'POST',
        headers: { authorization, 'content-type': 'application/json' },
        body: JSON.stringify({ player_id: 'p1', items: [{ sku: 'gems' }] }),
      }).catch(() => null);
      const body = (await response?.json().catch(() => null)) as { order_id: string } | null | undefined;
      if (!body) return;
      created.push(body.order_id);
    }
  }

  for (let kill = 1; kill <= KILLS; kill++) {
    const loading = Array.from({ length: ORDERS_AT_ONCE }, createUntilItDies);
    while (created.length < kill * 100) await new Promise(setImmediate);
    const postmaster = await findRunning(dataDir);
    child.kill('SIGKILL');
    await Promise.all(loading);
    // The server outlives it and is adopted: same address, no recovery.
    child = await start();
    expect(await findRunning(dataDir)).toBe(postmaster);
  }
  expect(created.length).toBeGreaterThanOrEqual(KILLS * 100);
  for (const id of created) {
    const response = await fetch(`${url}/${id}`, { headers: { authorization } });
    expect(response.status, id).toBe(200);
    await response.body?.cancel();
  }
  child.kill('SIGTERM');
  const [code] = (await once(child, 'exit')) as [number | null];
  expect(code).toBe(0);
  expect(await findRunning(dataDir)).toBeUndefined();
});
