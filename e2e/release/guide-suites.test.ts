/** The suites of the guide "Test your receiver", run as a reader would save them, where their tools are installed. */
import { execFile } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { cp, mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { SIGNATURE_VECTORS } from '../../tools/signature-vectors.ts';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));
const exec = promisify(execFile);
const guide = readFileSync(join(ROOT, 'docs/guides/unit-tests.md'), 'utf8');
const { PATH = '', HOME = '' } = process.env;
const env = { PATH, HOME, PYTHONDONTWRITEBYTECODE: '1', GOFLAGS: '-mod=mod', GOPROXY: 'off' };

const saved = new Map(
  [...guide.matchAll(/^```\w+ file=(\S+)\n(.*?)^```$/gms)].map(([, file = '', code = '']) => [file, code]),
);

const onPath = (program: string): boolean => PATH.split(delimiter).some(folder => existsSync(join(folder, program)));

async function hasTool(program: string, ...args: string[]): Promise<boolean> {
  if (!onPath(program)) return false;
  return exec(program, args, { env }).then(
    () => true,
    () => false,
  );
}

/** Where Debian puts it; a set class path comes first. */
const JUNIT = process.env.JUNIT_CLASSPATH ?? '/usr/share/java/*';
const LAUNCHER = 'org.junit.platform.console.ConsoleLauncher';

const TOOLS = {
  pytest: await hasTool('python3', '-m', 'pytest', '--version'),
  go: await hasTool('go', 'version'),
  JUnit: (await hasTool('javac', '-version')) && (await hasTool('java', '-cp', JUNIT, LAUNCHER, '--help')),
};
const absent = Object.entries(TOOLS).flatMap(([tool, isHere]) => (isHere ? [] : [tool]));

let folder: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'coinslot-suites-'));
  for (const [file, code] of saved) await writeFile(join(folder, file), code);
  await mkdir(join(folder, 'node_modules/@coinslot'), { recursive: true });
  await symlink(join(ROOT, 'packages/sdk'), join(folder, 'node_modules/@coinslot/sdk'));
  await symlink(join(ROOT, 'node_modules/vitest'), join(folder, 'node_modules/vitest'));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

describe(`the suites of the guide${absent.length > 0 ? `; not installed and so not run: ${absent.join(', ')}` : ''}`, () => {
  it('are all there', () => {
    const files = [
      'receiver.test.mjs',
      'test_receiver.py',
      'receiver_test.go',
      'SignedWebhook.java',
      'ReceiverTest.java',
    ];
    expect([...saved.keys()]).toEqual(files);
  });

  it('pass in Vitest', async () => {
    const argv = [join(ROOT, 'node_modules/vitest/vitest.mjs'), 'run', '--root', folder, '--reporter=json'];
    const { stdout } = await exec(process.execPath, argv, { cwd: folder, env });
    expect(JSON.parse(stdout)).toMatchObject({ numPassedTests: 3, numFailedTests: 0 });
  });

  it.runIf(TOOLS.pytest)('pass in pytest', async () => {
    const python = { ...env, PYTHONPATH: join(ROOT, 'packages/python') };
    const argv = ['-m', 'pytest', '-q', '-p', 'no:cacheprovider', 'test_receiver.py'];
    const { stdout } = await exec('python3', argv, { cwd: folder, env: python });
    expect(stdout).toMatch(/\b3 passed\b/);
  });

  it.runIf(TOOLS.go)('pass in go test', async () => {
    await cp(join(ROOT, 'packages/go'), join(folder, 'coinslot'), { recursive: true });
    await writeFile(
      join(folder, 'go.mod'),
      'module game\n\ngo 1.19\n\nrequire coinslot v0.0.0\n\nreplace coinslot => ./coinslot\n',
    );
    const { stdout } = await exec('go', ['test', '-count=1', '-v', '.'], { cwd: folder, env });
    expect(stdout.match(/^--- PASS/gm)).toHaveLength(3);
  });

  it.runIf(TOOLS.JUnit)('pass in JUnit, with every shared vector', async () => {
    await cp(join(ROOT, 'examples/receivers/java/Receiver.java'), join(folder, 'Receiver.java'));
    await cp(join(ROOT, 'docs/reference/signature-vectors.json'), join(folder, 'signature-vectors.json'));
    await exec('javac', ['-cp', JUNIT, 'Receiver.java', 'SignedWebhook.java', 'ReceiverTest.java'], {
      cwd: folder,
      env,
    });
    const launcher = [LAUNCHER, '--select-class', 'ReceiverTest', '--details=summary'];
    const secret = { WEBHOOK_SECRET: 'a secret for tests' };
    const argv = ['-cp', `${JUNIT}${delimiter}${folder}`, ...launcher];
    const { stdout } = await exec('java', argv, { cwd: folder, env: { ...env, ...secret } });
    expect(stdout).toMatch(new RegExp(`\\b${3 + SIGNATURE_VECTORS.length} tests successful\\b`));
    expect(stdout).toMatch(/\b0 tests failed\b/);
  });
});
