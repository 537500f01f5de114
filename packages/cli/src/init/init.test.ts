/** Each receiver that `init` writes: written, started, and passed by the exam in full. */
import { execFileSync } from 'node:child_process';
import { mkdir, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { CASES, type ExamReport } from '@coinslot/exam';
import { afterAll, beforeAll, expect, it } from 'vitest';
import serverManifest from '../../../../apps/server/package.json' with { type: 'json' };
import rootManifest from '../../../../package.json' with { type: 'json' };
import { runCli } from '../testing/run-cli.ts';
import { fileOf, TEMPLATE, TEMPLATES, type TemplateName } from './templates.ts';

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'coinslot-init-'));
  await symlink(fileURLToPath(new URL('../../../../node_modules', import.meta.url)), join(folder, 'node_modules'));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

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
const OFFLINE = ['--no-install', '--no-register'];

function isInstalled(program: string, ...args: string[]): boolean {
  try {
    execFileSync(program, args, { stdio: 'ignore', timeout: 30_000 });
    return true;
  } catch {
    return false;
  }
}

/** Next itself is not installed here: its route is served by a few lines that do what Next does with it. */
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

async function examined(template: TemplateName): Promise<ExamReport> {
  const port = String(await freePort());
  const to = join(folder, template);
  if (template !== 'next') {
    const { out, err } = await runCli(['init', to, '--template', template, '--port', port, ...OFFLINE, '--json'], {
      env,
    });
    expect([template, err]).toEqual([template, '']);
    return JSON.parse(out) as ExamReport;
  }
  await runCli(['init', to, '--template', template, ...OFFLINE, '--no-exam'], { env });
  await writeFile(join(to, 'serve.mjs'), IN_PLACE_OF_NEXT);
  const start = ['--start', `cd ${to} && exec ${process.execPath} serve.mjs`];
  return JSON.parse(
    (await runCli(['exam', `http://localhost:${port}/webhook`, ...start, '--json'], { env })).out,
  ) as ExamReport;
}

const HERE = TEMPLATES.filter(
  name =>
    (name !== 'python' || isInstalled('python3', '-c', 'import hashlib, hmac, http.server')) &&
    (name !== 'go' || isInstalled('go', 'version')),
);

it(`what init writes passes the exam in full: ${HERE.join(', ')}`, async () => {
  const reports = await Promise.all(HERE.map(examined));
  for (const [nth, { results, score }] of reports.entries()) {
    expect([HERE[nth], results.filter(({ outcome }) => outcome !== 'passed')]).toEqual([HERE[nth], []]);
    expect([score, results.length]).toEqual([100, CASES.length]);
  }
}, 300_000);

it('nothing of the reader’s is overwritten, no secret is written, and the way on is told', async () => {
  const to = join(folder, 'My Shop');
  const { code, err } = await runCli(['init', to, '--template', 'express', ...OFFLINE, '--no-exam'], { env });
  expect([code, err]).toEqual([0, expect.stringContaining('node index.js')]);
  const manifest = await readFile(join(to, 'package.json'), 'utf8');
  expect(JSON.parse(manifest)).toMatchObject({ name: 'my-shop', dependencies: { express: '5.3.0' } });
  for (const file of ['package.json', 'coinslot.js', 'index.js', '.gitignore'])
    expect(await readFile(join(to, file), 'utf8')).not.toContain(env.COINSLOT_SECRET);
  const again = await runCli(['init', to, '--template', 'go', ...OFFLINE, '--no-exam'], { env });
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
