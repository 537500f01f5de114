/**
 * Installs and registers each receiver that `init` writes, lets it pass the exam in full, and grants a purchase with
 * it.
 */
import { execFileSync, spawn } from 'node:child_process';
import { mkdir, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { CASES, type ExamReport } from '@coinslot/exam';
import { MASTER_KEY, startProgram, type TestProgram } from '@coinslot/testing/program';
import { registerTestAccount } from '@coinslot/testing/registered-game';
import { afterAll, beforeAll, expect, it } from 'vitest';
import serverManifest from '../../../../apps/server/package.json' with { type: 'json' };
import { createSeal } from '../../../../apps/server/src/kit/seal.ts';
import { type LocalRegistry, startLocalRegistry } from '../../../../e2e/release/local-registry.ts';
import rootManifest from '../../../../package.json' with { type: 'json' };
import { runCli } from '../testing/run-cli.ts';
import { fileOf, TEMPLATE, TEMPLATES, type TemplateName } from './templates.ts';

let folder: string;
let program: TestProgram;
let registry: LocalRegistry;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'coinslot-init-'));
  await symlink(fileURLToPath(new URL('../../../../node_modules', import.meta.url)), join(folder, 'node_modules'));
  registry = await startLocalRegistry([]);
  program = await startProgram();
});
afterAll(async () => {
  await program?.close();
  registry?.close();
  await rm(folder, { recursive: true, force: true });
});

async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise(resolve => server.close(resolve));
  return port;
}

const env = {
  PATH: process.env.PATH ?? '',
  HOME: process.env.HOME ?? '',
  COINSLOT_SECRET: 'the secret of this webhook',
};
const FILES_ALONE = ['--no-install', '--no-register', '--no-exam'];

/** A busy machine is slow to start a program. */
const patience = { timeout: 60_000, interval: 100 };

function isInstalled(language: string, ...args: string[]): boolean {
  try {
    execFileSync(language, args, { stdio: 'ignore', timeout: 30_000 });
    return true;
  } catch {
    return false;
  }
}

/** Next itself is not installed here, so a few lines serve its route as Next does. */
const IN_PLACE_OF_NEXT = `
import { createServer } from 'node:http';
import { POST } from './app/webhook/route.js';
createServer(async (request, response) => {
  try {
    const chunks = [];
    for await (const chunk of request) chunks.push(chunk);
    const headers = Object.fromEntries(Object.entries(request.headers).map(([name, value]) => [name, String(value)]));
    const answer = await POST(new Request('http://localhost/webhook', { method: 'POST', headers, body: Buffer.concat(chunks) }));
    response.writeHead(answer.status, { 'content-type': 'application/json' }).end(await answer.text());
  } catch { response.destroy(); }
}).listen(Number(process.env.PORT), '127.0.0.1');
`;

/** Each test has its own sandbox, because a game has one webhook for items. */
async function newSandbox(): Promise<string> {
  const { sandbox } = await registerTestAccount(program.database.db, createSeal(MASTER_KEY));
  return sandbox.s2sKey;
}

interface Tried {
  template: TemplateName;
  key: string;
  port: string;
  start: string;
  /** Started from this folder as a developer has it, with what npm installed. */
  folder: string;
  report: ExamReport;
}

/** Pays for a purchase with a test card while the receiver runs from its folder. */
async function statusOfPurchase(start: string, to: string, port: string, key: string): Promise<string> {
  const receiver = spawn('sh', ['-c', `exec ${start}`], {
    cwd: to,
    env: { ...env, PORT: port, WEBHOOK_SECRET: key, LC_ALL: 'C.UTF-8' },
    stdio: 'ignore',
    detached: true,
  });
  try {
    await expect
      .poll(
        () =>
          fetch(`http://127.0.0.1:${port}/webhook`, { method: 'POST' }).then(
            () => true,
            () => false,
          ),
        patience,
      )
      .toBe(true);
    const body = { player_id: 'ann', items: [{ sku: 'gem' }], price_decimal: 1, currency: 'EUR' };
    const { body: order } = await program.call<{ order_id: string }>('POST', '/s2s/v1/orders', body, { key });
    await program.call('POST', `/s2s/v1/orders/${order.order_id}/pay`, { card: 'success' }, { key });
    const read = () => program.call<{ status: string }>('GET', `/s2s/v1/orders/${order.order_id}`, undefined, { key });
    await expect.poll(async () => (await read()).body.status, patience).not.toMatch(/created|pending|authorized/);
    return (await read()).body.status;
  } finally {
    process.kill(-receiver.pid!, 'SIGKILL');
  }
}

/** Registers and examines the receiver with one command. Next is not installed, so its stand-in is examined. */
async function tried(template: TemplateName): Promise<Tried> {
  const port = String(await freePort());
  const to = join(folder, template);
  const key = await newSandbox();
  const more = { ...env, COINSLOT_URL: program.url, COINSLOT_KEY: key, COINSLOT_SECRET: key };
  const options = { env: more, fetch: globalThis.fetch };
  const alone = template === 'next' ? '--no-exam' : '--json';
  let { out } = await runCli(['init', to, '--template', template, '--port', port, '--no-install', alone], options);
  let { start } = TEMPLATE[template];
  if (template === 'next') {
    await writeFile(join(to, 'serve.mjs'), IN_PLACE_OF_NEXT);
    start = `${process.execPath} serve.mjs`;
    const exam = ['exam', `http://localhost:${port}/webhook`, '--start', `cd ${to} && exec ${start}`, '--json'];
    ({ out } = await runCli(exam, options));
  }
  return { template, key, port, start, folder: to, report: JSON.parse(out) as ExamReport };
}

/** Installs a template's dependencies into a folder of its own. */
async function installed(template: TemplateName): Promise<string> {
  const apart = await mkdtemp(join(tmpdir(), 'coinslot-installed-'));
  const options = { env: { ...(registry.env(apart) as Record<string, string>), ...env } };
  const to = join(apart, 'shop');
  const { code } = await runCli(['init', to, '--template', template, '--no-register', '--no-exam'], options);
  expect([template, code]).toEqual([template, 0]);
  return to;
}

const HERE = TEMPLATES.filter(
  name =>
    (name !== 'python' || isInstalled('python3', '-c', 'import hashlib, hmac, http.server')) &&
    (name !== 'go' || isInstalled('go', 'version')),
);

it(`what init writes is registered and passes the exam in full, then grants a purchase: ${HERE.join(', ')}`, async () => {
  const all = await Promise.all(HERE.map(tried));
  for (const { template, report, key, port, start, folder: written } of all) {
    const failed = report.results.filter(({ outcome }) => outcome !== 'passed');
    expect([template, failed, report.score, report.results.length]).toEqual([template, [], 100, CASES.length]);
    const { body } = await program.call<{ data: object[] }>('GET', '/s2s/v1/webhooks', undefined, { key });
    const url = `http://localhost:${port}/webhook`;
    expect(body.data).toMatchObject([{ url, events: ['item.add', 'item.remove'] }]);
    const needsNpm = TEMPLATE[template].install !== undefined && template !== 'next';
    const to = needsNpm ? await installed(template) : written;
    expect([template, await statusOfPurchase(start, to, port, key)]).toEqual([template, 'paid']);
    if (needsNpm) await rm(join(to, '..'), { recursive: true, force: true });
  }
}, 600_000);

it('a webhook that is there already is left alone, and a live key is not used', async () => {
  const initIn = async (name: string, key: string, port: string): Promise<string> => {
    const argv = ['init', join(folder, name), '--template', 'python', '--port', port, '--no-exam'];
    const options = { env: { ...env, COINSLOT_URL: program.url, COINSLOT_KEY: key }, fetch: globalThis.fetch };
    return (await runCli(argv, options)).err;
  };
  const key = await newSandbox();
  expect(await initIn('first', key, '4301')).toContain('Registered for item.add');
  expect(await initIn('again', key, '4301')).toContain('Registered already');
  expect(await initIn('other', key, '4302')).toMatch(/Not registered: .+listen --forward-to/);
  expect(await initIn('live', program.account.live.s2sKey, '4301')).toContain('there is no sandbox key');
});

it('nothing of the reader’s is overwritten, no secret is written, and the way on is told', async () => {
  const to = join(folder, 'My Shop');
  const { code, err } = await runCli(['init', to, '--template', 'express', ...FILES_ALONE], { env });
  expect([code, err]).toEqual([0, expect.stringContaining('node index.js')]);
  const manifest = await readFile(join(to, 'package.json'), 'utf8');
  expect(JSON.parse(manifest)).toMatchObject({ name: 'my-shop', dependencies: { express: '5.3.0' } });
  for (const file of ['package.json', 'coinslot.js', 'index.js', '.gitignore'])
    expect(await readFile(join(to, file), 'utf8')).not.toContain(env.COINSLOT_SECRET);
  const again = await runCli(['init', to, '--template', 'go', ...FILES_ALONE], { env });
  expect([again.code, again.err]).toEqual([2, expect.stringContaining('is not empty')]);
});

it('every template exists, and names the versions that are tried here', async () => {
  await mkdir(folder, { recursive: true });
  const versions: Record<string, string> = { ...rootManifest.devDependencies, ...serverManifest.dependencies };
  for (const { files, dependencies = {} } of Object.values(TEMPLATE)) {
    for (const source of Object.values(files))
      expect((await readFile(fileOf(source), 'utf8')).length).toBeGreaterThan(100);
    for (const [name, version] of Object.entries(dependencies))
      if (name in versions) expect([name, version]).toEqual([name, versions[name]]);
  }
});
