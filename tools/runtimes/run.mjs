// The SDK as it is published, under every runtime that npm has for this machine: npm run lab -- runtimes
// It needs the network and is no part of npm test.
import { execFile, spawn } from 'node:child_process';
import { cpSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { arch, platform, tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { build } from 'esbuild';

const HERE = dirname(fileURLToPath(import.meta.url));
const ROOT = dirname(dirname(HERE));
const run = promisify(execFile);
const folder = mkdtempSync(join(tmpdir(), 'coinslot-runtimes-'));
const LIMIT = { timeout: 120_000 };

const cpu = arch();
const isLinux = platform() === 'linux';
const bunCpu = cpu === 'arm64' ? 'aarch64' : cpu;
/** The packages that hold the programs themselves, so that no install script need run. */
const RUNTIMES = [
  ...['18.20.8', '20.20.2', '22.23.3', '24.21.0', '26.10.0'].map(version => ({
    name: `Node ${version}`,
    spec: `node-${platform()}-${cpu}@${version}`,
    binary: 'bin/node',
    args: ['main.mjs'],
    cjs: true,
  })),
  { name: 'Bun', spec: `@oven/bun-${platform()}-${bunCpu}@1.4.4`, binary: 'bin/bun', args: ['main.mjs'] },
  {
    name: 'Deno',
    spec: `@deno/${platform()}-${cpu}${isLinux ? '-glibc' : ''}@2.9.5`,
    binary: 'deno',
    args: ['run', '--allow-read', '--allow-env', 'main.mjs'],
  },
  {
    name: 'workerd (Cloudflare Workers)',
    spec: `@cloudflare/workerd-${platform()}-${cpu === 'x64' ? '64' : cpu}@1.20261104.1`,
    binary: 'bin/workerd',
    isWorker: true,
  },
];

async function freePort() {
  const server = createServer();
  await new Promise(resolve => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address();
  await new Promise(resolve => server.close(resolve));
  return port;
}

async function packSdk() {
  await run(process.execPath, [join(ROOT, 'tools/pack/pack.mjs'), '--out', join(folder, 'built')]);
  await run('npm', ['pack', '--ignore-scripts', join(folder, 'built/sdk')], { cwd: folder });
  return readdirSync(folder).find(name => name.endsWith('.tgz'));
}

/** An empty project with the tarball and the runtime in it, as a stranger would have it. */
async function prepare(nth, { spec }, tarball) {
  const project = join(folder, `project-${nth}`);
  cpSync(join(HERE, 'smoke.mjs'), join(project, 'smoke.mjs'));
  writeFileSync(join(project, 'package.json'), '{"private":true}');
  writeFileSync(join(project, 'main.mjs'), "import { smoke } from './smoke.mjs';\nconsole.log(await smoke());\n");
  const given = [join(folder, tarball), spec];
  await run('npm', ['install', '--no-audit', '--no-fund', '--ignore-scripts', ...given], { cwd: project });
  return project;
}

async function inWorker(project, binary) {
  const stdin = {
    contents:
      "import { smoke } from './smoke.mjs';\nexport default { fetch: async () => new Response(await smoke()) };",
    resolveDir: project,
  };
  await build({ stdin, outfile: join(project, 'worker.js'), bundle: true, format: 'esm', external: ['node:crypto'] });
  const port = await freePort();
  writeFileSync(
    join(project, 'config.capnp'),
    `using Workerd = import "/workerd/workerd.capnp";
const config :Workerd.Config = (
  services = [(name = "main", worker = .worker)],
  sockets = [(name = "http", address = "127.0.0.1:${port}", http = (), service = "main")]);
const worker :Workerd.Worker = (modules = [(name = "main", esModule = embed "worker.js")], compatibilityDate = "2026-01-01");
`,
  );
  const child = spawn(binary, ['serve', 'config.capnp'], { cwd: project, stdio: ['ignore', 'ignore', 'pipe'] });
  let said = '';
  child.stderr.on('data', chunk => {
    said += chunk;
  });
  try {
    for (let tries = 0; tries < 100; tries++) {
      const answer = await fetch(`http://127.0.0.1:${port}/`).catch(() => null);
      if (answer?.ok) return await answer.text();
      if (answer) throw new Error(said || `it answered ${answer.status}`);
      await new Promise(resolve => setTimeout(resolve, 100));
    }
    throw new Error(said || 'it did not start');
  } finally {
    child.kill('SIGKILL');
  }
}

async function tryRuntime(nth, runtime, tarball) {
  let project;
  try {
    project = await prepare(nth, runtime, tarball);
  } catch (error) {
    const why =
      String(error.stderr)
        .split('\n')
        .find(line => /npm error/.test(line)) ?? error.message;
    return { name: runtime.name, result: `cannot be had: ${why}` };
  }
  const binary = join(project, 'node_modules', runtime.spec.slice(0, runtime.spec.lastIndexOf('@')), runtime.binary);
  try {
    const { stdout } = await run(binary, ['--version'], LIMIT);
    const version = stdout.trim().split('\n')[0];
    if (runtime.isWorker) return { name: runtime.name, version, result: await inWorker(project, binary) };
    const inModule = (await run(binary, runtime.args, { ...LIMIT, cwd: project })).stdout.trim();
    if (!runtime.cjs) return { name: runtime.name, version, result: inModule };
    const required = "console.log(typeof require('@coinslot/sdk').createCoinslot)";
    const { stdout: cjs } = await run(binary, ['-e', required], { ...LIMIT, cwd: project });
    return { name: runtime.name, version, result: inModule, require: cjs.trim() === 'function' ? 'works' : 'fails' };
  } catch (error) {
    return {
      name: runtime.name,
      result: `fails: ${String(error.stderr || error.message)
        .trim()
        .split('\n')
        .at(-1)}`,
    };
  }
}

try {
  const tarball = await packSdk();
  const rows = [];
  for (const [nth, runtime] of RUNTIMES.entries()) rows.push(await tryRuntime(nth, runtime, tarball));
  console.table(rows);
  process.exitCode = rows.some(({ result, require = 'works' }) => result.startsWith('fails') || require !== 'works')
    ? 1
    : 0;
} finally {
  rmSync(folder, { recursive: true, force: true });
}
