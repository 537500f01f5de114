import { randomBytes } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import {
  CASES,
  type CaseResult,
  type ExamCase,
  type ExamReport,
  type ExamTarget,
  guessLanguage,
  lossText,
  RECEIVER_LANGUAGES,
  type ReceiverLanguage,
  reportText,
  runExam,
} from '@coinslot/exam';
import type { Command } from 'commander';
import { addBareCommand, type Runner } from '../command.ts';
import { printedCounts } from '../exam/printed-counts.ts';
import { inventoryAt, type ReceiverProcess, startReceiver } from '../exam/receiver-process.ts';
import { sendProbe } from '../exam/send-probe.ts';
import { EXIT, type ExitCode, UsageError } from '../exit-codes.ts';
import { readTarget } from '../listen/local-target.ts';
import { checkSecret, oneOf } from '../read-options.ts';
import { readSettings } from '../settings.ts';
import type { Io } from '../terminal/io.ts';
import type { Output } from '../terminal/output.ts';
import { plain } from '../terminal/style.ts';

export interface ExamFlags {
  start?: string;
  /** Where to run the command. Defaults to the current folder. */
  cwd?: string;
  inventory?: string;
  language?: ReceiverLanguage;
  report?: string;
  /** Names of cases, with commas between them. */
  only?: string;
  key?: string;
  url?: string;
}

async function secretOf(io: Io, flags: ExamFlags): Promise<string> {
  const given = io.env.COINSLOT_SECRET;
  if (given !== undefined) return checkSecret('COINSLOT_SECRET', given);
  const { key } = await readSettings(io, flags);
  if (key !== null) return key;
  throw new UsageError(
    'No signing secret is set.',
    'Set COINSLOT_SECRET to what the receiver verifies with: the webhook’s secret, or the S2S key.',
  );
}

function printResult({ style, line }: Output, { name, title, outcome, problem }: CaseResult): void {
  const marks = {
    passed: style.green('✓'),
    missed: style.red('✗'),
    unseen: style.yellow('?'),
    skipped: style.dim('–'),
  };
  const notes = { unseen: 'the answers are right; what was granted cannot be seen', skipped: 'not tried' };
  const note = problem ?? (outcome === 'unseen' || outcome === 'skipped' ? notes[outcome] : null);
  line(`${marks[outcome]} ${name.padEnd(20)} ${title}${note ? style.dim(` (${plain(note)})`) : ''}`);
}

function printSummary(output: Output, { results, passed, missed, open, score, language }: ExamReport): void {
  const { style, line } = output;
  for (const { name, why, problem, line: change } of results.filter(({ outcome }) => outcome === 'missed')) {
    line(`\n${style.bold(name)}: ${plain(problem ?? '')}. ${why}`);
    line(style.dim(`in ${language}:`));
    for (const one of change.split('\n')) line(`  ${style.cyan(one)}`);
  }
  line(`\n${style.bold(`${score} %`)}: ${passed} passed, ${missed} failed, ${open} not judged.`);
  line(lossText(results));
  if (open > 0)
    output.note(
      'Give --start "<command>" or --inventory <url>, so that the exam sees what is granted and can crash the receiver.',
    );
}

async function writeReport(file: string, report: ExamReport): Promise<void> {
  const text = file.endsWith('.json') ? `${JSON.stringify(report, null, 2)}\n` : reportText(report);
  await writeFile(file, text).catch(() => {
    throw new UsageError(`The report could not be written to ${file}.`);
  });
}

async function isReachable(url: URL): Promise<boolean> {
  return fetch(url, { method: 'POST', signal: AbortSignal.timeout(10_000) }).then(
    () => true,
    () => false,
  );
}

function casesNamed(names: string | undefined): readonly ExamCase[] {
  if (names === undefined) return CASES;
  const wanted = names.split(',').map(name => name.trim());
  const unknown = wanted.find(name => !CASES.some(one => one.name === name));
  if (unknown !== undefined)
    throw new UsageError(`There is no case "${unknown}".`, `There are ${CASES.map(({ name }) => name).join(', ')}.`);
  return CASES.filter(({ name }) => wanted.includes(name));
}

/** What the exam can do with the receiver and see of it. */
async function targetOf(
  url: URL,
  secret: string,
  receiver: ReceiverProcess | null,
  inventory: string | undefined,
): Promise<ExamTarget> {
  const about = {
    url,
    secret,
    send: (probe: Parameters<typeof sendProbe>[1]) => sendProbe(url, probe),
    runId: randomBytes(4).toString('hex'),
    process: receiver,
  };
  if (inventory) return { ...about, countOf: inventoryAt(inventory), timesPrinted: null };
  const printed = receiver && (await printedCounts(receiver, about));
  return { ...about, countOf: printed?.countOf ?? null, timesPrinted: printed?.timesPrinted ?? null };
}

export async function examine(io: Io, output: Output, target: URL, flags: ExamFlags): Promise<ExitCode> {
  const cases = casesNamed(flags.only);
  const secret = await secretOf(io, flags);
  let receiver: ReceiverProcess | null = null;
  try {
    if (flags.start) {
      const env = { ...io.env, WEBHOOK_SECRET: secret, PORT: target.port };
      receiver = await output.during('Starting the receiver', startReceiver(flags.start, target, env, flags.cwd));
    } else if (!(await isReachable(target))) {
      io.err(`Nothing answers at ${target.href}. Start your receiver, or let the exam do it with --start.\n`);
      return EXIT.unreachable;
    }
    const examTarget = await targetOf(target, secret, receiver, flags.inventory);
    const language = flags.language ?? guessLanguage(flags.start ?? '');
    const show = (result: CaseResult): void => {
      if (!output.isJson) printResult(output, result);
    };
    const report = await runExam(examTarget, language, show, cases);
    if (output.isJson) output.json(report);
    else printSummary(output, report);
    if (flags.report) await writeReport(flags.report, report);
    return report.missed > 0 ? EXIT.negative : EXIT.done;
  } finally {
    await receiver?.stop();
  }
}

export function addExam(program: Command, runner: Runner): void {
  addBareCommand<ExamFlags>(program, runner, {
    name: 'exam <url>',
    summary: 'try a webhook receiver as the world will, and say what to change',
    more: `Sends right and wrong signatures, duplicates, crashes, refunds, odd bodies and crowds to your receiver, and nothing to
Coinslot. Signs with COINSLOT_SECRET, or else with your S2S key. It uses players and skus that start with exam; run it
against a test database. What was granted is read from --inventory, or from lines such as "item.add player sku 3", with
what the player then has, that a receiver prints which the exam started. What it cannot see it does not judge. Exits with 7 if a case failed and with 3 if nothing answers.`,
    examples: [
      ['coinslot exam http://localhost:3000/webhook', 'judges the answers'],
      [
        'coinslot exam http://localhost:3000/webhook --start "node receiver.mjs"',
        'starts it, crashes it, and sees the grants',
      ],
      [
        'coinslot exam http://localhost:3000/webhook --inventory "http://localhost:3000/inventory/{player_id}"',
        'sees the grants in your game',
      ],
      ['coinslot exam http://localhost:3000/webhook --report exam.md', 'writes a report to share'],
    ],
    options: command =>
      command
        .option('--start <command>', 'starts the receiver with this command; gets PORT and WEBHOOK_SECRET')
        .option('--inventory <url>', 'answers {"sku": count} for {player_id}')
        .option('--only <cases>', 'tries only these, such as twice,crash')
        .option('--language <name>', 'of the lines to change', oneOf('--language', RECEIVER_LANGUAGES))
        .option('--report <file>', 'writes a report: .md, or .json'),
    run: ({ io, output }, args, flags) => examine(io, output, readTarget(args[0] ?? ''), flags),
  });
}
