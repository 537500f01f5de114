/** `npm run release -- VERSION` in a clone of its own: what it refuses, what it writes, and what the packages are worth elsewhere. */
import { execFile, execFileSync } from 'node:child_process';
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { gunzipSync } from 'node:zlib';
import { emptyDatabase } from '@coinslot/testing/database';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { expectedFiles } from '../../tools/release/artifacts.ts';
import { lacksOf, PARTS } from '../../tools/release/changelog.ts';
import { countOrders, loadDatabase } from '../../tools/release/fixture-database.ts';
import type { Release } from '../../tools/release/released.ts';
import { freePort } from '../free-port.ts';
import { inSequence } from '../in-sequence.ts';
import { missing } from './debian-packages.ts';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));
const VERSION = '9.0.0-rc.1';
const LONGEST_MS = 1_200_000;
const exec = promisify(execFile);
const scratch = mkdtempSync(join(tmpdir(), 'coinslot-releasing-'));
const clone = join(scratch, 'clone');
const out = join(clone, 'build/release');
const person = {
  GIT_AUTHOR_NAME: 'a',
  GIT_AUTHOR_EMAIL: 'a@example.com',
  GIT_COMMITTER_NAME: 'a',
  GIT_COMMITTER_EMAIL: 'a@example.com',
};
const env = { PATH: process.env.PATH, HOME: process.env.HOME, ...person };
const noPython = await missing({
  probe: ['python3', '-c', 'import ensurepip, pip'],
  packages: ['python3-venv', 'python3-pip'],
});

const git = (...args: string[]): string => execFileSync('git', args, { cwd: clone, env, encoding: 'utf8' }).trim();

interface Said {
  code: number;
  text: string;
}

const { date: listed } = JSON.parse(readFileSync(join(ROOT, 'tools/advisories/advisories.json'), 'utf8')) as {
  date: string;
};

async function release(...args: string[]): Promise<Said> {
  const argv = ['run', '--silent', 'release', '--', ...args, '--advisories-as-of', listed];
  const options = { cwd: clone, env, maxBuffer: 64 * 1024 * 1024 };
  return exec('npm', argv, options).then(
    ({ stdout, stderr }) => ({ code: 0, text: stdout + stderr }),
    (error: { code: number; stdout: string; stderr: string }) => ({
      code: error.code,
      text: error.stdout + error.stderr,
    }),
  );
}

/** The quick checks are those of `npm test`, which runs them itself; here each answers as the test wants. */
function setCheck(name: string, code: number): void {
  const file = join(clone, 'node_modules/.bin', name);
  rmSync(file, { force: true });
  writeFileSync(file, `#!/bin/sh\necho ${name} was asked\nexit ${code}\n`, { mode: 0o755 });
}

/** Right after a release nothing is left to release, and the command would say so before anything else. */
function addToChangelog(): void {
  const file = join(clone, 'CHANGELOG.md');
  const text = readFileSync(file, 'utf8');
  if (lacksOf(text).length === 0) return;
  const at = text.indexOf('## [Unreleased]');
  const end = text.indexOf('\n## [', at + 1);
  const said = PARTS.map(part => `### ${part}\n\nNothing new.`).join('\n\n');
  const unreleased = `## [Unreleased]\n\n${said}\n\n### Added\n\n- Something.\n`;
  writeFileSync(file, text.slice(0, at) + unreleased + text.slice(end));
}

/** The clone has what is not committed yet too, so that a developer tests what is there. */
function cloneTree(): void {
  execFileSync('git', ['clone', '--quiet', ROOT, clone], { env });
  const list = (...args: string[]): string[] =>
    execFileSync('git', ['ls-files', '-z', ...args], { cwd: ROOT, encoding: 'utf8' })
      .split('\0')
      .filter(Boolean);
  for (const file of list('--deleted')) rmSync(join(clone, file), { force: true });
  for (const file of list('--modified', '--others', '--exclude-standard')) {
    if (!existsSync(join(ROOT, file))) continue;
    mkdirSync(dirname(join(clone, file)), { recursive: true });
    copyFileSync(join(ROOT, file), join(clone, file));
  }
  git('checkout', '--quiet', '-B', 'main');
  addToChangelog();
  git('add', '--all');
  git('commit', '--quiet', '--allow-empty', '--message', 'What is not committed yet');
  execFileSync('cp', ['-a', join(ROOT, 'node_modules'), join(clone, 'node_modules')]);
  if (existsSync(join(ROOT, 'apps/server/node_modules')))
    execFileSync('cp', ['-a', join(ROOT, 'apps/server/node_modules'), join(clone, 'apps/server/node_modules')]);
  for (const name of ['biome', 'tsc', 'oxlint', 'vitest']) setCheck(name, 0);
}

inSequence();

beforeAll(cloneTree, LONGEST_MS);
afterAll(() => rmSync(scratch, { recursive: true, force: true }));

test('a red check, an unknown branch and a dirty tree stop it, and nothing is changed', {
  timeout: LONGEST_MS,
}, async () => {
  const before = git('rev-parse', 'HEAD');
  setCheck('tsc', 1);
  const red = await release(VERSION);
  expect(red.text).toMatch(/tsc was asked\nNot released: types is red\./);
  expect(red.code).toBe(1);
  setCheck('tsc', 0);
  git('checkout', '--quiet', '-b', 'side');
  writeFileSync(join(clone, 'README.md'), 'nothing');
  const dirty = await release('1');
  expect(dirty.text).toMatch(/not committed: README\.md[\s\S]*the branch side[\s\S]*"1" is no version/);
  expect(dirty.code).toBe(1);
  git('checkout', '--quiet', 'README.md');
  git('checkout', '--quiet', 'main');
  expect([git('rev-parse', 'HEAD'), git('status', '--porcelain'), git('tag')]).toEqual([before, '', git('tag')]);
});

test('it writes version, changelog, fixtures, packages, bill and checksums, and ends with a commit and a tag', {
  timeout: LONGEST_MS,
}, async () => {
  const { code, text } = await release(VERSION);
  expect([code, text]).toEqual([0, expect.stringContaining(`Released ${VERSION} here`)]);
  expect(git('status', '--porcelain')).toBe('');
  expect(git('log', '-1', '--format=%s')).toBe(`Release ${VERSION}`);
  expect(git('cat-file', '-t', `v${VERSION}`)).toBe('tag');
  expect(git('rev-parse', `v${VERSION}^{commit}`)).toBe(git('rev-parse', 'HEAD'));
  expect(readFileSync(join(clone, 'CHANGELOG.md'), 'utf8')).toMatch(/^## \[9\.0\.0-rc\.1\] - \d{4}-\d\d-\d\d$/m);
  expect(readdirSync(out)).toEqual(expect.arrayContaining(expectedFiles(VERSION)));
  await exec('sha256sum', ['--check', '--strict', 'SHA256SUMS'], { cwd: out });
  const sums = readFileSync(join(out, 'SHA256SUMS'), 'utf8');
  for (const name of readdirSync(out)) if (name !== 'SHA256SUMS') expect(sums).toContain(`  ${name}\n`);
});

test('the note of origin names the commit, and the bill every package with its license', () => {
  const read = (name: string) => JSON.parse(readFileSync(join(out, name), 'utf8'));
  const { subject, predicate } = read('provenance.intoto.json');
  expect(predicate.buildDefinition.resolvedDependencies[0].digest.gitCommit).toBe(git('rev-parse', 'HEAD'));
  expect(subject.map(({ name }: { name: string }) => name)).toEqual(expect.arrayContaining(expectedFiles(VERSION)));
  const bill = read(`coinslot-${VERSION}.cdx.json`);
  expect(bill).toMatchObject({
    bomFormat: 'CycloneDX',
    metadata: { component: { name: 'coinslot', version: VERSION } },
  });
  const components = bill.components as { name: string; purl: string; licenses?: object[] }[];
  const names = components.map(({ name }) => name);
  for (const name of ['fastify', 'pg', 'preact', 'ws']) expect(names).toContain(name);
  // Packages for other platforms are not installed here, and the lock file says no license of some of them.
  const bare = components.filter(
    ({ licenses = [], purl }) =>
      licenses.length === 0 && !/-(?:linux|darwin|win|wasm|android|freebsd|openharmony)/.test(purl),
  );
  expect(bare.map(({ purl }) => purl)).toEqual([]);
});

test('the same version again, an older one, and a changed migration are refused', { timeout: LONGEST_MS }, async () => {
  expect((await release(VERSION)).text).toContain(`Version ${VERSION} was released already`);
  const schema = join(clone, 'apps/server/migrations/0001_schema.sql');
  const text = readFileSync(schema, 'utf8');
  writeFileSync(schema, `${text}-- changed\n`);
  git('commit', '--quiet', '--all', '--message', 'Change what was released');
  const { text: said } = await release('9.0.0-beta.1');
  expect(said).toMatch(/not newer than 9\.0\.0-rc\.1/);
  expect(said).toContain(`0001_schema.sql is not as it was released with ${VERSION}`);
  git('reset', '--quiet', '--hard', `v${VERSION}`);
});

test('its small database and its backup are what the program goes on with', { timeout: LONGEST_MS }, async () => {
  const folder = join(clone, 'releases', VERSION);
  const sizes = readdirSync(folder).map(name => statSync(join(folder, name)).size);
  expect(sizes.reduce((sum, size) => sum + size, 0)).toBeLessThan(200_000);
  const { masterKey, orders } = JSON.parse(readFileSync(join(folder, 'release.json'), 'utf8')) as Release;
  expect(orders).toEqual({ canceled: 1, created: 1, paid: 3, refunded: 1, rejected: 1 });
  const { openapi, info } = JSON.parse(gunzipSync(readFileSync(join(folder, 'openapi.json.gz'))).toString('utf8'));
  expect([openapi, info.version]).toEqual([expect.stringMatching(/^3\.1/), expect.anything()]);
  const [loaded, restored] = [await emptyDatabase(), await emptyDatabase()];
  const run = (url: string, ...args: string[]) => {
    const settings = {
      PATH: process.env.PATH,
      HOME: scratch,
      DATA_DIR: scratch,
      DATABASE_URL: url,
      MASTER_KEY: masterKey,
    };
    return exec(process.execPath, [join(clone, 'apps/server/dist/main.js'), ...args], { env: settings });
  };
  try {
    await loadDatabase(loaded.url, gunzipSync(readFileSync(join(folder, 'database.sql.gz'))).toString('utf8'));
    expect((await run(loaded.url, 'migrate')).stdout).not.toContain('0001');
    await run(restored.url, 'restore', join(folder, 'shop.backup.gz'));
    for (const { url } of [loaded, restored]) expect(await countOrders(url)).toEqual(orders);
    const judged = await run(loaded.url, 'doctor').catch((error: { stdout: string }) => error);
    for (const what of ['schema', 'master key']) expect(judged.stdout).toMatch(new RegExp(`^ok +${what}:`, 'm'));
  } finally {
    for (const database of [loaded, restored]) await database.drop();
  }
});

test('the exam is a package that examines alone, in an empty folder', { timeout: LONGEST_MS }, async () => {
  const empty = mkdtempSync(join(scratch, 'exam-'));
  writeFileSync(join(empty, 'package.json'), JSON.stringify({ name: 'empty', private: true, type: 'module' }));
  const home = { PATH: process.env.PATH, HOME: empty, npm_config_offline: 'true', npm_config_audit: 'false' };
  await exec('npm', ['install', '--no-fund', join(out, `coinslot-exam-${VERSION}.tgz`)], { cwd: empty, env: home });
  // The program of its README, with a receiver that believes everything.
  const [, program = ''] = /```js\n(.*?)```/s.exec(readFileSync(join(ROOT, 'packages/exam/README.md'), 'utf8')) ?? [];
  const receiver = `import { createServer } from 'node:http';
const server = createServer((request, response) => request.resume().on('end', () => response.end())).listen(4300);\n`;
  const port = String(await freePort());
  writeFileSync(
    join(empty, 'try.js'),
    (receiver + program).replaceAll('4300', port).concat('server.close();\nserver.closeAllConnections();\n'),
  );
  const options = { cwd: empty, env: { ...home, WEBHOOK_SECRET: 'the secret of this webhook' } };
  const said = await exec(process.execPath, ['try.js'], options).catch(
    (error: { code: number; stdout: string; stderr: string }) => error,
  );
  expect(said.stdout + said.stderr).toMatch(/^missed wrong_signature /m);
  expect(said).toMatchObject({ code: 1 });
});

test.skipIf(noPython)(
  'archives hold what their engine or language wants at the top, and the wheel bears the version',
  {
    timeout: LONGEST_MS,
  },
  async () => {
    const listing = async (name: string): Promise<string> =>
      (await exec('python3', ['-m', 'zipfile', '-l', join(out, `${name}-${VERSION}.zip`)])).stdout;
    for (const name of ['coinslot-godot4', 'coinslot-godot3'])
      expect(await listing(name)).toMatch(
        /^LICENSE[\s\S]*^addons\/coinslot\/plugin\.cfg|^addons\/coinslot\/plugin\.cfg[\s\S]*^LICENSE/m,
      );
    expect(await listing('coinslot-unreal')).toMatch(/^Coinslot\/Coinslot\.uplugin/m);
    const csharp = await listing('coinslot-csharp');
    expect(csharp).toMatch(/^Coinslot\.csproj/m);
    expect(csharp).not.toContain('tests/');
    const go = (await exec('tar', ['-tzf', join(out, `coinslot-go-${VERSION}.tar.gz`)])).stdout;
    expect(go).toContain(`coinslot-go-${VERSION}/go.mod`);
    const unity = (await exec('tar', ['-tzf', join(out, `com.coinslot.checkout-${VERSION}.tgz`)])).stdout;
    expect(unity).toMatch(/^package\/Runtime\/.*\.cs$/m);
    const wheel = join(out, 'coinslot-9.0.0rc1-py3-none-any.whl');
    const code = `import sys; sys.path.insert(0, ${JSON.stringify(wheel)}); import coinslot; print(coinslot.__version__)`;
    expect((await exec('python3', ['-I', '-c', code])).stdout).toBe('9.0.0rc1\n');
  },
);
