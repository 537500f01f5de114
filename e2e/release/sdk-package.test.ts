/** The SDK as npm would publish it: packed, installed into an empty project, used from JavaScript and TypeScript. */
import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

const REPOSITORY = 'https://git.example.com/studio/coinslot';
const ROOT = fileURLToPath(new URL('../../', import.meta.url));
const TSC = join(ROOT, 'node_modules/typescript/bin/tsc');
const exec = promisify(execFile);

let project: string;
let installed: string;

async function npm(folder: string, ...args: string[]): Promise<string> {
  const env = {
    PATH: process.env.PATH,
    HOME: project,
    npm_config_offline: 'true',
    npm_config_update_notifier: 'false',
  };
  return (await exec('npm', args, { cwd: folder, env })).stdout;
}

async function allFiles(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { withFileTypes: true, recursive: true });
  return entries
    .filter(entry => entry.isFile())
    .map(entry => join(entry.parentPath, entry.name).slice(folder.length + 1));
}

beforeAll(async () => {
  project = await mkdtemp(join(tmpdir(), 'coinslot-sdk-'));
  await exec(process.execPath, [
    join(ROOT, 'tools/pack/pack.mjs'),
    '--out',
    join(project, 'out'),
    '--repository',
    REPOSITORY,
  ]);
  const copy = join(project, 'out/sdk');
  const packed = JSON.parse(await npm(copy, 'pack', '--json', '--pack-destination', project)) as { filename: string }[];
  await writeFile(join(project, 'package.json'), JSON.stringify({ name: 'empty', private: true, type: 'module' }));
  await npm(project, 'install', '--offline', '--no-audit', '--no-fund', `./${packed[0]!.filename}`);
  installed = join(project, 'node_modules/@coinslot/sdk');
});

afterAll(() => rm(project, { recursive: true, force: true }));

test('is installed from git too, from a branch that holds nothing else', async () => {
  const [repository, other] = [join(project, 'repository'), join(project, 'from-git')];
  for (const folder of [repository, other]) await mkdir(folder);
  const author = { GIT_AUTHOR_NAME: 'a', GIT_AUTHOR_EMAIL: 'a@example.com' };
  const committer = { GIT_COMMITTER_NAME: 'a', GIT_COMMITTER_EMAIL: 'a@example.com' };
  const env = { PATH: process.env.PATH, HOME: project, ...author, ...committer };
  for (const args of [
    ['init', '-q'],
    ['commit', '-q', '--allow-empty', '-m', 'first'],
  ])
    await exec('git', args, { cwd: repository, env });
  const given = ['--folder', join(project, 'out/sdk'), '--repository', repository];
  const putOnBranch = () => exec(process.execPath, [join(ROOT, 'tools/pack/pack-branch.mjs'), ...given], { env });
  expect((await putOnBranch()).stdout).toContain('is on packages/sdk');
  expect((await putOnBranch()).stdout).toContain('already');
  await writeFile(join(other, 'package.json'), JSON.stringify({ name: 'empty', private: true }));
  // Offline, npm does not even ask a repository on this machine.
  await npm(other, 'install', '--offline=false', '--no-audit', '--no-fund', `git+file://${repository}#packages/sdk`);
  const script = "console.log(typeof require('@coinslot/sdk').createCoinslot)";
  expect((await exec(process.execPath, ['-e', script], { cwd: other })).stdout.trim()).toBe('function');
});

describe('the package', () => {
  test('brings nothing with it and needs nothing', async () => {
    const { dependencies, peerDependencies, type, sideEffects } = JSON.parse(
      await readFile(join(installed, 'package.json'), 'utf8'),
    ) as Record<string, unknown>;
    expect([dependencies, peerDependencies, type, sideEffects]).toEqual([undefined, undefined, 'module', false]);
    expect((await readdir(join(project, 'node_modules'))).filter(name => !name.startsWith('.'))).toEqual(['@coinslot']);
  });

  test('is entered by what every reader of packages knows: types and code, no condition of ours', async () => {
    const tarball = (await readdir(project)).find(name => name.endsWith('.tgz'))!;
    const { stdout } = await exec('tar', ['-xOzf', join(project, tarball), 'package/package.json']);
    const { exports } = JSON.parse(stdout) as { exports: Record<string, unknown> };
    expect(exports).toEqual({
      '.': {
        import: { types: './dist/index.d.ts', default: './dist/index.js' },
        require: { types: './dist/cjs/index.d.ts', default: './dist/cjs/index.js' },
      },
      './package.json': './package.json',
    });
  });

  test('holds code, types, maps and sources, and no test', async () => {
    const files = await allFiles(installed);
    expect(files).toEqual(
      expect.arrayContaining(['LICENSE', 'README.md', 'dist/index.js', 'dist/index.d.ts', 'src/index.ts']),
    );
    expect(files.filter(file => /\.test\.|tsbuildinfo|tsconfig/.test(file))).toEqual([]);
  });

  test('has only links that work outside the repository', async () => {
    const readme = await readFile(join(installed, 'README.md'), 'utf8');
    const links = [...readme.matchAll(/\]\(([^)]+)\)/g)].map(([, href = '']) => href);
    expect(links).toContain(`${REPOSITORY}/blob/main/docs/reference/api.md`);
    expect(links.filter(href => !/^https:|^#/.test(href))).toEqual([]);
  });

  test('would be published as it is', async () => {
    const env = { PATH: process.env.PATH, HOME: project, npm_config_update_notifier: 'false' };
    const { stderr } = await exec('npm', ['publish', '--dry-run', '--access', 'public', '--tag', 'next'], {
      cwd: join(project, 'out/sdk'),
      env,
    });
    expect(stderr).toMatch(/name: @coinslot\/sdk/);
    expect(stderr).toMatch(/LICENSE/);
  });

  test('imports only its own files, and names neither Node nor the contract in its types', async () => {
    for (const file of await allFiles(join(installed, 'dist'))) {
      if (!/\.(?:js|d\.ts)$/.test(file)) continue;
      const text = await readFile(join(installed, 'dist', file), 'utf8');
      const imports = text.matchAll(/^(?:import|export)\b[^;'"]*from ['"]([^'"]+)['"]|import\(['"]([^'"]+)['"]\)/gm);
      const isOwn = (path: string): boolean => path.startsWith('.') && !join(dirname(file), path).startsWith('..');
      const outside = [...imports].map(([, from, lazily]) => (from ?? lazily)!).filter(path => !isOwn(path));
      expect([file, outside]).toEqual([file, []]);
      expect(text).not.toMatch(/reference types=|NodeJS\.|\bBuffer\b/);
    }
  });
});

test('is used from JavaScript', async () => {
  await writeFile(
    join(project, 'use.mjs'),
    `import { createCoinslot, isCoinslotError, verifyWebhook } from '@coinslot/sdk';
     const coinslot = createCoinslot({ key: 'k', baseUrl: 'http://127.0.0.1:9', retries: 0 });
     const error = await coinslot.orders.get('ord_1').catch(error => error);
     const verified = await verifyWebhook({ rawBody: '{}', headers: {}, secret: 'a signing secret' });
     console.log(JSON.stringify([isCoinslotError(error), error.code, verified]));`,
  );
  const { stdout } = await exec(process.execPath, ['use.mjs'], { cwd: project });
  expect(JSON.parse(stdout)).toEqual([true, 'connection_failed', { ok: false, reason: 'missing_headers' }]);
});

test('is used from CommonJS, with and without types', async () => {
  await writeFile(
    join(project, 'use.cjs'),
    `const { createCoinslot, CoinslotError, verifyWebhook } = require('@coinslot/sdk');
     const coinslot = createCoinslot({ key: 'k', baseUrl: 'http://127.0.0.1:9', retries: 0 });
     coinslot.orders.get('ord_1').catch(async error => {
       const verified = await verifyWebhook({ rawBody: '{}', headers: {}, secret: 'a signing secret' });
       console.log(JSON.stringify([error instanceof CoinslotError, error.code, verified]));
     });`,
  );
  const { stdout } = await exec(process.execPath, ['use.cjs'], { cwd: project });
  expect(JSON.parse(stdout)).toEqual([true, 'connection_failed', { ok: false, reason: 'missing_headers' }]);
  await writeFile(
    join(project, 'use.cts'),
    `import { createCoinslot, type Order } from '@coinslot/sdk';
     export const read = (id: string): Promise<Order> => createCoinslot({ key: 'k', baseUrl: 'http://localhost' }).orders.get(id);`,
  );
  const options = '--noEmit --strict --target es2022 --lib es2022,dom --module nodenext --ignoreConfig use.cts';
  const { stdout: said } = await exec(process.execPath, [TSC, ...options.split(' ')], { cwd: project });
  expect(said).toBe('');
});

describe('in TypeScript', () => {
  const compile = async (source: string): Promise<string> => {
    await writeFile(join(project, 'use.ts'), source);
    const options =
      '--noEmit --strict --target es2022 --lib es2022,dom --module nodenext --skipLibCheck false --ignoreConfig';
    const run = exec(process.execPath, [TSC, ...options.split(' '), 'use.ts'], { cwd: project });
    return run.then(
      () => '',
      (error: { stdout: string }) => error.stdout,
    );
  };

  test('it is typed, with web types and without those of Node', async () => {
    expect(
      await compile(`
        import { createCoinslot, createWebhookHandler, decline, memoryStore, type Order, sqlStore } from '@coinslot/sdk';
        const coinslot = createCoinslot({ key: 'k', baseUrl: 'http://localhost' });
        export async function buy(): Promise<Order> {
          const { order_id } = await coinslot.orders.create({ player_id: 'p', items: [{ sku: 's' }] });
          for await (const payment of coinslot.payments.list({ order_id })) payment.last4?.length;
          return coinslot.orders.waitFor(order_id, 'paid');
        }
        export const POST: (request: Request) => Promise<Response> = createWebhookHandler({
          secret: 'a signing secret',
          store: Math.random() > 2 ? memoryStore() : sqlStore({ query: async () => ({ rows: [] }) }),
          onItemAdd: ({ event_data }) => (event_data.items.length > 9 ? decline('too many') : undefined),
          onItemRemove: async ({ event_data }) => void event_data.player_id.length,
          on: { 'payment.declined': ({ event_data }) => void event_data.response_code?.length },
        });`),
    ).toBe('');
  });

  test('wrong calls are errors of the compiler', async () => {
    const said = await compile(`
      import { createCoinslot } from '@coinslot/sdk';
      const coinslot = createCoinslot({ key: 'k', baseUrl: 'http://localhost' });
      coinslot.orders.create({ items: [{ sku: 's' }] });
      coinslot.orders.create({ player_id: 'p', items: [{ sku: 's' }], price_decimal: '1' });
      coinslot.orders.waitFor('ord_1', 'payed');
      coinslot.orders.get('ord_1').then(order => order.orderId);
      coinslot.orders.get('ord_1').then(order => order.order_id);`);
    const lines = [...said.matchAll(/^use\.ts\((\d+),/gm)].map(([, line]) => Number(line));
    expect(lines).toEqual([4, 5, 6, 7]);
    for (const word of ['player_id', 'number', 'payed', 'orderId']) expect(said).toContain(word);
  });
});
