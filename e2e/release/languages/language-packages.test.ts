/** The packages for Python, Go and C#: their own tests, the exam, and the examples of every call in every language. */
import { execFile } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { CASES } from '@coinslot/exam';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { runCli } from '../../../packages/cli/src/testing/run-cli.ts';
import { EXAMPLE_LANGUAGES } from '../../../tools/calls/call-examples.ts';
import { pythonVersion } from '../../../tools/release/places.ts';
import { freePort } from '../../free-port.ts';
import { type Account, type Coinslot, startCoinslot } from '../../start-coinslot.ts';
import { CALL_RUNNERS } from '../calls/call-runners.ts';
import { startCallTrial, tried, written } from '../calls/call-trial.ts';
import { MONO, missing } from '../debian-packages.ts';

const ROOT = fileURLToPath(new URL('../../../', import.meta.url));
const exec = promisify(execFile);

const scratch = mkdtempSync(join(tmpdir(), 'coinslot-packages-'));
const CSHARP = ['Webhooks.cs', 'Stores.cs', 'WebhookHandler.cs', 'Json.cs', 'Models.cs'].join(' ');
const compileCSharp = (main: string, out: string): string =>
  `mcs -langversion:7.2 -warnaserror -out:${join(scratch, out)} ${CSHARP} ${main}`;

interface LanguagePackage {
  language: string;
  needs: string;
  folder: string;
  tests: string[];
  receiver: string;
}

const PACKAGES: LanguagePackage[] = [
  {
    language: 'Python',
    needs: 'python3',
    folder: 'packages/python',
    tests: ['python3', '-m', 'unittest', 'discover', '-s', 'tests'],
    receiver: `exec python3 ${join(ROOT, 'packages/python/tests/receiver.py')}`,
  },
  {
    language: 'Go',
    needs: 'go',
    folder: 'packages/go',
    tests: ['go', 'test', '-count=1', './...'],
    receiver: `cd ${join(ROOT, 'packages/go')} && go run ./examreceiver`,
  },
  {
    language: 'C#',
    needs: 'mcs',
    folder: 'packages/csharp',
    tests: [
      'sh',
      '-c',
      `${compileCSharp('tests/Tests.cs', 'Tests.exe')} && mono ${join(scratch, 'Tests.exe')} ../../docs/reference/signature-vectors.json`,
    ],
    receiver: `cd ${join(ROOT, 'packages/csharp')} && ${compileCSharp('examreceiver/Receiver.cs', 'Receiver.exe')} && exec mono ${join(scratch, 'Receiver.exe')}`,
  },
];

const noMono = await missing(MONO);
const onPath = (program: string): boolean =>
  (process.env.PATH ?? '').split(delimiter).some(folder => existsSync(join(folder, program)));
const here = PACKAGES.filter(({ needs }) => (needs === 'mcs' ? noMono === null : onPath(needs)));
const absent = PACKAGES.filter(one => !here.includes(one)).map(({ language }) => language);

let coinslot: Coinslot;
let account: Account;

beforeAll(async () => {
  coinslot = await startCoinslot();
  account = await coinslot.setup();
}, 180_000);
afterAll(async () => {
  await coinslot?.stop();
  rmSync(scratch, { recursive: true, force: true });
});

const { PATH = '', HOME = '' } = process.env;

describe(`packages on this machine${absent.length > 0 ? `; not installed and so not run: ${absent.join(', ')}` : ''}`, () => {
  describe.each(here)('$language', ({ folder, tests: [program = '', ...args] }) => {
    test('its own tests pass, with the shared vectors and against the running program', async () => {
      const env = { PATH, HOME, COINSLOT_URL: coinslot.url, COINSLOT_KEY: account.sandbox.s2s_key };
      const { stdout, stderr } = await exec(program, args, { cwd: join(ROOT, folder), env });
      expect(stdout + stderr).toMatch(/\bok\b/i);
      expect(stdout + stderr).not.toMatch(/skipped|FAIL/);
    });
  });

  // Most of an exam is waiting, so they are taken at the same time.
  test.concurrent.each(here)(
    'a receiver made with the one for $language passes the exam in full',
    async ({ receiver, language }) => {
      const argv = ['exam', `http://127.0.0.1:${await freePort()}/webhook`, '--start', receiver, '--json'];
      const env = {
        PATH,
        HOME,
        LC_ALL: 'C.UTF-8',
        COINSLOT_SECRET: account.sandbox.s2s_key,
        JOURNAL: join(scratch, language),
      };
      const { out, err } = await runCli(argv, { env });
      expect(err).toBe('');
      const { results } = JSON.parse(out) as { results: { name: string; outcome: string }[] };
      expect(results.filter(({ outcome }) => outcome !== 'passed')).toEqual([]);
      expect(results).toHaveLength(CASES.length);
    },
  );

  test('they carry the version of the server', () => {
    const read = (file: string): string => readFileSync(join(ROOT, file), 'utf8');
    const { version } = JSON.parse(read('package.json')) as { version: string };
    expect(read('packages/python/pyproject.toml')).toContain(`version = "${pythonVersion(version)}"`);
    expect(read('packages/go/verify.go')).toContain(`const Version = "${version}"`);
    expect(read('packages/csharp/Webhooks.cs')).toContain(`const string Version = "${version}"`);
    expect(read('packages/csharp/Coinslot.csproj')).toContain(`<Version>${version}</Version>`);
  });
});

const runners = CALL_RUNNERS.filter(({ needs }) => onPath(needs));
const unheard = CALL_RUNNERS.filter(one => !runners.includes(one)).map(({ language }) => language);

describe(`the examples of the call pages${unheard.length > 0 ? `; not installed and so not run: ${unheard.join(', ')}` : ''}`, () => {
  test('are there for every call in every language', () => {
    const unwritten = tried.flatMap(call => EXAMPLE_LANGUAGES.filter(language => written(call, language) === ''));
    expect(unwritten).toEqual([]);
  });

  test.each(runners)('in $language send what the page says, and are answered as it says', async ({ language, run }) => {
    // An account for each: the examples leave chaos behind, and it takes a moment to end.
    const { sandbox } = await coinslot.setup(`${language.toLowerCase()}@studio.example`);
    const folder = await mkdtemp(join(tmpdir(), 'coinslot-calls-'));
    const trial = await startCallTrial(coinslot.url, sandbox.s2s_key);
    try {
      const examples = await trial.examplesIn(language);
      await run(examples, folder, { PATH, HOME, S2S_KEY: sandbox.s2s_key });
      expect(trial.seen).toEqual(examples.map(({ expected }) => expected));
    } finally {
      trial.close();
      await rm(folder, { recursive: true, force: true });
    }
  });
});
