/** The guide "Test your receiver": its files saved where it says, its commands run as they are printed, in empty folders. */
import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { SIGNATURE_VECTORS } from '../../tools/signature-vectors.ts';
import { missing } from './debian-packages.ts';
import { type LocalRegistry, startLocalRegistry } from './local-registry.ts';

const ROOT = fileURLToPath(new URL('../../', import.meta.url)).replace(/\/$/, '');
const exec = promisify(execFile);
const guide = readFileSync(join(ROOT, 'docs/guides/unit-tests.md'), 'utf8');

interface Section {
  title: string;
  files: [name: string, code: string][];
  commands: string[];
}

const sections: Section[] = guide
  .split(/^## /m)
  .slice(1)
  .map(text => ({
    title: text.slice(0, text.indexOf('\n')),
    files: [...text.matchAll(/^```\w+ file=(\S+)\n(.*?)^```$/gms)].map(([, name = '', code = '']) => [name, code]),
    commands: [...text.matchAll(/^```console\n(.*?)^```$/gms)].map(([, block = '']) => block),
  }));

/** Succeeds if the three tests and the vectors were run and passed. */
const PASSED: Record<string, { folder: string; said: RegExp }> = {
  Vitest: { folder: 'game-js', said: /Tests\s+3 passed \(3\)/ },
  pytest: { folder: 'game-python', said: /\b3 passed\b/ },
  'go test': { folder: 'game-go', said: /^ok\s+game\s/m },
  JUnit: { folder: 'game-java', said: new RegExp(`\\b${3 + SIGNATURE_VECTORS.length} tests successful\\b`) },
};

const DEBIAN_PYTHON = 'PATH=/usr/bin:$PATH; python3 -m pytest --version && python3 -c "import ensurepip"';
const NEEDS = {
  pytest: await missing({ probe: ['sh', '-c', DEBIAN_PYTHON], packages: ['python3-pytest', 'python3-venv'] }),
  'go test': await missing({ probe: ['go', 'version'], packages: ['golang-go'] }),
  JUnit: await missing({
    probe: ['java', '-cp', '/usr/share/java/*', 'org.junit.platform.console.ConsoleLauncher', '--help'],
    packages: ['default-jdk-headless', 'junit5'],
  }),
} as Record<string, string | null>;
const here = sections.filter(({ title }) => !NEEDS[title]);
const left = Object.values(NEEDS).filter(why => why !== null);

let home: string;
let registry: LocalRegistry;

beforeAll(async () => {
  home = await mkdtemp(join(tmpdir(), 'coinslot-suites-'));
  registry = await startLocalRegistry([]);
});
afterAll(async () => {
  registry.close();
  await rm(home, { recursive: true, force: true });
});

describe(`the suites of the guide${left.length > 0 ? `; not run without ${left.join(', ')}` : ''}`, () => {
  it('are all there, each with a folder, commands to install and commands to run', () => {
    expect(sections.map(({ title }) => title)).toEqual(Object.keys(PASSED));
    expect(guide).toContain('export CLONE=~/coinslot');
    for (const { title, commands, files } of sections) {
      expect(commands[0]).toContain(`mkdir -p ${PASSED[title]?.folder} && cd `);
      for (const [name] of files) expect(guide).toMatch(new RegExp(`[Ss]ave [^.]*as\\s+\`${name}\``));
    }
  });

  it.each(here)(
    'pass in $title, as a reader installs and runs them',
    { timeout: 600_000 },
    async ({ title, files, commands }) => {
      const { folder, said } = PASSED[title]!;
      await mkdir(join(home, folder), { recursive: true });
      for (const [name, code] of files) await writeFile(join(home, folder, name), code);
      const env = {
        ...registry.env(home),
        PATH: `/usr/bin:${process.env.PATH}`,
        CLONE: ROOT,
        NO_COLOR: '1',
        PYTHONDONTWRITEBYTECODE: '1',
        PIP_NO_INDEX: '1',
        GOPROXY: 'off',
        GOFLAGS: '-mod=mod',
      };
      const { stdout, stderr } = await exec('bash', ['-e', '-c', commands.join('\n')], {
        cwd: home,
        env,
        timeout: 540_000,
      });
      expect(stdout + stderr).toMatch(said);
      expect(stdout + stderr).not.toMatch(/EBADENGINE|[1-9]\d* (?:tests )?failed/);
    },
  );
});
