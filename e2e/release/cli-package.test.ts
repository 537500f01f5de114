/** The command line as npm would publish it: packed, installed into an empty project, used against the running program. */
import { execFile } from 'node:child_process';
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Account, type Coinslot, startCoinslot } from '../start-coinslot.ts';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));
const exec = promisify(execFile);

interface Manifest {
  name: string;
  dependencies?: Record<string, string>;
}

let project: string;
let coinslot: Coinslot;
let account: Account;

const readManifest = async (folder: string): Promise<Manifest> =>
  JSON.parse(await readFile(join(folder, 'package.json'), 'utf8')) as Manifest;

async function npm(...args: string[]): Promise<string> {
  const env = {
    PATH: process.env.PATH,
    HOME: project,
    npm_config_offline: 'true',
    npm_config_update_notifier: 'false',
  };
  return (await exec('npm', args, { cwd: project, env })).stdout;
}

/** Everything that the packages need, from where it is already: the test has no network. */
async function closure(manifest: Manifest, found = new Map<string, string>()): Promise<Map<string, string>> {
  for (const name of Object.keys(manifest.dependencies ?? {})) {
    if (name.startsWith('@coinslot/') || found.has(name)) continue;
    const folder = join(ROOT, 'node_modules', name);
    found.set(name, folder);
    await closure(await readManifest(folder), found);
  }
  return found;
}

beforeAll(async () => {
  project = await mkdtemp(join(tmpdir(), 'coinslot-cli-'));
  const starting = startCoinslot();
  const built = join(project, 'built');
  await exec(process.execPath, [join(ROOT, 'tools/pack/pack.mjs'), '--out', built]);
  // Alone: what it needs of ours is in it.
  const ours = [join(built, 'cli')];
  const theirs = await closure(await readManifest(join(ROOT, 'packages/cli')));
  const folders = [...ours, ...theirs.values()];
  await writeFile(join(project, 'package.json'), JSON.stringify({ name: 'empty', private: true }));
  const packed = JSON.parse(await npm('pack', '--json', '--ignore-scripts', ...folders)) as { filename: string }[];
  await npm('install', '--offline', '--no-audit', '--no-fund', ...packed.map(({ filename }) => `./${filename}`));
  coinslot = await starting;
  account = await coinslot.setup();
}, 120_000);

afterAll(async () => {
  await coinslot?.stop();
  await rm(project, { recursive: true, force: true });
});

const run = async (...args: string[]): Promise<string> => {
  const env = {
    PATH: process.env.PATH,
    HOME: project,
    COINSLOT_URL: coinslot.url,
    COINSLOT_KEY: account.sandbox.s2s_key,
  };
  return (await exec(join(project, 'node_modules/.bin/coinslot'), args, { cwd: project, env })).stdout;
};

test('holds the program and what tells about it, and neither tests nor sources', async () => {
  const files = await readdir(join(project, 'node_modules/coinslot-cli'), { recursive: true });
  expect(files).toEqual(expect.arrayContaining(['README.md', 'package.json', 'dist/main.js']));
  expect(files).toContain('node_modules/@coinslot/exam/dist/index.js');
  expect(files.filter(file => /^src|\.test\.|tsbuildinfo|tsconfig/.test(file))).toEqual([]);
});

test('is packed with the SDK in it, without the condition that leads to sources', async () => {
  const [tarball = ''] = (await readdir(project)).filter(name => /^coinslot-cli-\d.*\.tgz$/.test(name));
  for (const inside of ['', 'node_modules/@coinslot/sdk/', 'node_modules/@coinslot/exam/']) {
    const { stdout } = await exec('tar', ['-xOzf', join(project, tarball), `package/${inside}package.json`]);
    expect(stdout).toContain('"version"');
    expect(stdout).not.toContain('"source"');
  }
});

test('teaches, and says its version', async () => {
  expect(await run('--help')).toMatch(/listen[\s\S]+trigger[\s\S]+orders/);
  const { version } = (await readManifest(join(ROOT, 'packages/cli'))) as Manifest & { version: string };
  expect((await run('--version')).trim()).toBe(version);
});

test('writes a receiver from the templates that are in it', async () => {
  for (const template of ['express', 'go'])
    await run('init', join(project, template), '--template', template, '--no-install', '--no-register', '--no-exam');
  expect(await readdir(join(project, 'express'))).toEqual(
    expect.arrayContaining(['coinslot.js', 'index.js', 'package.json']),
  );
  expect(await readdir(join(project, 'go'))).toEqual(['receiver.go']);
});

test('creates an order and reads it', async () => {
  const created = JSON.parse(await run('orders', 'create', '--player', 'ann', '--sku', 'sword', '--json'));
  expect(created).toMatchObject({ order_id: expect.stringMatching(/^ord_/), checkout_url: expect.any(String) });
  expect(await run('orders', 'get', created.order_id)).toContain('ann');
});
