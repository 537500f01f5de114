/** Each advice of the exam in each language: without its lines the case that it is for fails, with them it passes. */
import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { promisify } from 'node:util';
import { ADVICE, CASES, type ExamReport, RECEIVER_LANGUAGES } from '@coinslot/exam';
import { afterAll, describe, expect, test } from 'vitest';
import { runCli } from '../../../packages/cli/src/testing/run-cli.ts';
import { fragmentOf, receiverSource } from '../../../tools/advice/advice-lines.ts';
import { type AdviceFix, type AdviceLanguage, FIXES, RECEIVER_FILES } from '../../../tools/advice/advice-places.ts';
import { freePort } from '../../free-port.ts';
import { MONO, MONO_LIBRARIES, missing } from '../debian-packages.ts';
import { onPath, QUICK_JAVA } from '../receiver-programs.ts';
import { CASE_OF, MISTAKES } from './mistakes.ts';

const scratch = mkdtempSync(join(tmpdir(), 'coinslot-advice-'));
afterAll(() => rmSync(scratch, { recursive: true, force: true }));

/** Not at once: a compiler that held this process would let a receiver save before it is crashed. */
const run = (program: string, ...args: string[]): Promise<unknown> => promisify(execFile)(program, args);
const noMono = await missing(MONO);

interface Runner {
  needs: string;
  build?: (file: string, folder: string) => Promise<unknown>;
  command: (file: string, folder: string, port: number) => string;
}

const RUNNERS: Record<AdviceLanguage, Runner> = {
  node: { needs: 'node', command: file => `${process.execPath} ${file}` },
  python: { needs: 'python3', command: file => `python3 ${file}` },
  go: {
    needs: 'go',
    build: (file, folder) => run('go', 'build', '-o', join(folder, 'receiver'), file),
    command: (_, folder) => join(folder, 'receiver'),
  },
  java: {
    needs: 'javac',
    build: (file, folder) => run('javac', ...QUICK_JAVA.map(flag => `-J${flag}`), '-d', folder, file),
    command: (_, folder) => `java ${QUICK_JAVA.join(' ')} -cp ${folder} Receiver`,
  },
  csharp: {
    needs: 'mcs',
    build: (file, folder) => run('mcs', MONO_LIBRARIES, `-out:${join(folder, 'Receiver.exe')}`, file),
    command: (_, folder) => `mono ${join(folder, 'Receiver.exe')}`,
  },
  php: { needs: 'php', command: (file, _, port) => `php -S 127.0.0.1:${port} ${file}` },
  ruby: { needs: 'ruby', command: file => `ruby ${file}` },
};

const here = RECEIVER_LANGUAGES.filter(language =>
  language === 'csharp' ? noMono === null : onPath(RUNNERS[language].needs),
);
const absent = RECEIVER_LANGUAGES.filter(language => !here.includes(language));

/** The receiver with the mistake in place of the advice. */
function mistaken(language: AdviceLanguage, fix: AdviceFix): string {
  const { source, indent } = fragmentOf(language, fix);
  const mistake = MISTAKES[language][fix];
  const { lines, also } = typeof mistake === 'string' ? { lines: mistake, also: [] } : mistake;
  const written = lines === '' ? '' : `${lines.replaceAll(/^/gm, indent)}\n`;
  const program = receiverSource(language).replace(source, () => written);
  return also.reduce((text, [from, to]) => text.replaceAll(from, to), program);
}

async function examine(language: AdviceLanguage, program: string, only: string): Promise<ExamReport> {
  const port = await freePort();
  const folder = mkdtempSync(join(scratch, `${language}-`));
  const file = join(folder, basename(RECEIVER_FILES[language]));
  writeFileSync(file, program);
  await RUNNERS[language].build?.(file, folder);
  const { PATH = '', HOME = '' } = process.env;
  const state = { JOURNAL: join(folder, 'journal'), STATE_FILE: join(folder, 'state.json') };
  const env = { PATH, HOME, LC_ALL: 'C.UTF-8', COINSLOT_SECRET: 'the secret of this webhook', ...state };
  const start = `exec ${RUNNERS[language].command(file, folder, port)}`;
  const argv = [
    'exam',
    `http://127.0.0.1:${port}/webhook`,
    '--start',
    start,
    '--only',
    only,
    '--json',
    '--language',
    language,
  ];
  const { out, err } = await runCli(argv, { env });
  if (out === '') throw new Error(err);
  return JSON.parse(out) as ExamReport;
}

describe(`advice in ${here.join(', ')}${absent.length > 0 ? `; not installed and so not run: ${absent.join(', ')}` : ''}`, () => {
  // An exam mostly waits, so several are taken at the same time.
  describe.concurrent.each(here)('%s', language => {
    test('stands in a receiver that passes these cases', async ({ expect: expectHere }) => {
      const names = CASES.map(({ name }) => name).filter(name => Object.values(CASE_OF).includes(name));
      const { results } = await examine(language, receiverSource(language), names.join(','));
      expectHere(results.filter(({ outcome }) => outcome !== 'passed')).toEqual([]);
    });

    test.for(FIXES)('%s is what the case for it needs', async (fix, { expect: expectHere }) => {
      expectHere(receiverSource(language)).toContain(fragmentOf(language, fix).source);
      expectHere(ADVICE[fix][language]).toBe(fragmentOf(language, fix).text);
      const { results } = await examine(language, mistaken(language, fix), CASE_OF[fix]);
      expectHere(results.map(({ outcome, line }) => [outcome, line])).toEqual([['missed', ADVICE[fix][language]]]);
    });
  });
});

test('each advice is for a case that gives it', () => {
  for (const fix of FIXES) expect(CASES.find(({ name }) => name === CASE_OF[fix])?.fix).toBe(fix);
});
