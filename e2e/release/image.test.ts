/** Builds the image without Docker: the context as the ignore rules make it, in an empty folder, and every step of the Dockerfile in it. */
import { execFileSync, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { chmodSync, cpSync, lstatSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { testDatabase } from '@coinslot/testing/database';
import { afterAll, expect, test } from 'vitest';
import { freePort } from '../free-port.ts';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));
const MIB = 1024 ** 2;
/** What the image is to weigh at most, and of it what the base brings: Debian's slim image and Node with npm, unpacked. */
const IMAGE_MIB = 250;
const BASE_MIB = 226;

const scratch = mkdtempSync(join(tmpdir(), 'coinslot-image-'));
const context = join(scratch, 'context');
const built = join(scratch, 'build');
const image = join(scratch, 'image');
const data = join(scratch, 'data');
afterAll(() => rmSync(scratch, { recursive: true, force: true }));

interface Step {
  instruction: string;
  given: string;
}

const [buildSteps = [], imageSteps = []] = readFileSync(join(ROOT, 'Dockerfile'), 'utf8')
  .replace(/\\\n/g, ' ')
  .split(/^FROM .*$/m)
  .slice(1)
  .map(stage =>
    stage
      .split('\n')
      .filter(line => /^[A-Z]+ /.test(line))
      .map((line): Step => ({ instruction: line.split(' ')[0]!, given: line.slice(line.indexOf(' ') + 1).trim() })),
  );

const expressionOf = (rule: string): RegExp => {
  const parts = rule.replace(/^!/, '').split(/(\*\*\/|\*)/);
  const text = parts.map(part => {
    if (part === '**/') return '(?:.*/)?';
    return part === '*' ? '[^/]*' : part.replaceAll(/[.+?^$()[\]{}|\\]/g, '\\$&');
  });
  return new RegExp(`^${text.join('')}$`);
};

/** The last rule that fits a path or a folder above it decides, as Docker does it. */
function isIgnored(path: string, rules: string[]): boolean {
  const above = path.split('/').map((_, i, parts) => parts.slice(0, i + 1).join('/'));
  let ignored = false;
  for (const rule of rules) {
    if (above.some(folder => expressionOf(rule).test(folder))) ignored = !rule.startsWith('!');
  }
  return ignored;
}

/** Of a working copy: what git knows or would add, never what lies about. */
function makeContext(): void {
  const rules = readFileSync(join(ROOT, '.dockerignore'), 'utf8')
    .split('\n')
    .filter(line => line.trim() !== '' && !line.startsWith('#'));
  const listed = execFileSync('git', ['ls-files', '--cached', '--others', '--exclude-standard', '-z'], { cwd: ROOT });
  for (const path of new Set(listed.toString().split('\0'))) {
    if (path === '' || isIgnored(path, rules)) continue;
    cpSync(join(ROOT, path), join(context, path));
  }
}

const environment: Record<string, string> = { PATH: process.env.PATH ?? '', HOME: scratch };
if (process.env.npm_config_cache) environment.npm_config_cache = process.env.npm_config_cache;

function copy(given: string, folder: string): void {
  const words = given.split(/\s+/).filter(word => !word.startsWith('--'));
  const from = given.includes('--from=build') ? built : context;
  const target = words.at(-1)!;
  const sources = words.slice(0, -1).map(word => word.replace(/^\/app\/?/, ''));
  const intoFolder = target.endsWith('/') || sources.length > 1;
  for (const source of sources) {
    const to = join(folder, intoFolder ? join(target, source.split('/').at(-1)!) : target);
    mkdirSync(dirname(to), { recursive: true });
    cpSync(join(from, source), to, { recursive: true, verbatimSymlinks: true });
  }
}

/** Only root may give files away, and `/data` is a folder of this test. */
const runHere = (command: string): string =>
  command.replaceAll(/(?<=\s)\/data\b/g, data).replaceAll(/&& chown \S+ \S+/g, '');

function take({ instruction, given }: Step, folder: string): void {
  if (instruction === 'COPY') copy(given, folder);
  if (instruction === 'ENV')
    for (const [, name = '', value = ''] of given.matchAll(/(\w+)=(\S+)/g)) environment[name] = value;
  if (instruction === 'RUN')
    execFileSync('sh', ['-ec', runHere(given)], {
      cwd: folder,
      env: environment,
      stdio: ['ignore', 'inherit', 'inherit'],
    });
}

function bytesOf(path: string): number {
  const found = lstatSync(path);
  if (!found.isDirectory()) return found.size;
  return readdirSync(path).reduce((sum, name) => sum + bytesOf(join(path, name)), 0);
}

// A second try would find the folders of the first.
test('every step of the Dockerfile works in the context that the ignore rules make, and the program starts', {
  timeout: 1_200_000,
  retry: 0,
}, async () => {
  for (const folder of [context, built, image]) mkdirSync(folder, { recursive: true });
  chmodSync(scratch, 0o755);
  makeContext();
  for (const step of buildSteps) take(step, built);
  for (const step of imageSteps) take(step, image);

  const sizes = readdirSync(image).map(name => [name, Math.round(bytesOf(join(image, name)) / MIB)] as const);
  const total = Math.round(bytesOf(image) / MIB);
  process.stdout.write(
    `the image: ${BASE_MIB} MiB of its base and ${total} MiB of ours: ${sizes.map(one => one.join(' ')).join(', ')}\n`,
  );
  expect(BASE_MIB + total).toBeLessThanOrEqual(IMAGE_MIB);

  const commandOf = (name: string): string[] =>
    JSON.parse(imageSteps.find(({ instruction }) => instruction === name)!.given);
  const [port, opsPort] = [await freePort(), await freePort()];
  const database = await testDatabase();
  const [program = '', ...args] = [...commandOf('ENTRYPOINT'), ...commandOf('CMD')];
  const env = {
    ...environment,
    DATA_DIR: data,
    DATABASE_URL: database.url,
    MASTER_KEY: randomBytes(32).toString('base64'),
    PUBLIC_URL: 'https://pay.example.com',
    PORT: String(port),
    OPS_PORT: String(opsPort),
  };
  const child = spawn(program, args, { cwd: image, env, stdio: ['ignore', 'ignore', 'inherit'] });
  try {
    const status = (path: string): Promise<number> =>
      fetch(`http://127.0.0.1:${opsPort}${path}`).then(
        answer => answer.status,
        () => 0,
      );
    await expect.poll(() => status('/readyz'), { timeout: 120_000 }).toBe(200);
    for (const page of ['/dashboard/', '/docs', '/openapi.json'])
      expect((await fetch(`http://127.0.0.1:${port}${page}`)).status, page).toBe(200);
  } finally {
    child.kill('SIGTERM');
    await once(child, 'exit');
    await database.drop();
  }
});
