// `npm run lab`: random histories against the real program for as long as wanted.
import { parseArgs } from 'node:util';
import { startTestServer } from '@coinslot/testing/global-setup';
import fc from 'fast-check';
import { type Counts, type Finding, Lab, newCounts } from './lab.ts';
import { DEFECTS, isDefect, isMissing } from './planted.ts';
import { shrink } from './shrink.ts';
import { type History, historiesWithKills, histories as withoutKills } from './steps.ts';

const { values } = parseArgs({
  options: {
    minutes: { type: 'string', default: '1' },
    seed: { type: 'string', default: '1' },
    batch: { type: 'string', default: '128' },
    kills: { type: 'boolean', default: false },
    cuts: { type: 'boolean', default: false },
    mutations: { type: 'boolean', default: false },
    only: { type: 'string' },
  },
});
const MINUTE_MS = 60_000;
const SEEDS_OF_A_LAB = 2;

const print = (text: string): void => void process.stdout.write(`${text}\n`);

function describe({ history, step, rule, what, orderId }: Finding): string {
  return `history ${history}, ${step === null ? 'at rest' : `step ${step}`}: ${rule}: ${what} (${orderId})`;
}

const SMALLEST_OF_A_RULE = 2;
const shrunk = new Map<string, number>();

/** Of each rule that was broken, the smallest history that breaks it. */
async function printSmallest(lab: Lab, batch: readonly History[], found: readonly Finding[]): Promise<void> {
  const rules = new Map(found.toReversed().map(finding => [finding.rule, finding]));
  for (const finding of rules.values()) {
    const times = (shrunk.get(finding.rule) ?? 0) + 1;
    shrunk.set(finding.rule, times);
    if (times > SMALLEST_OF_A_RULE) continue;
    const smallest = await shrink(lab, batch, finding);
    print(`  ${finding.rule}: ${smallest ? JSON.stringify(smallest) : 'not broken by the history alone'}`);
  }
}

interface Run {
  seeds: number;
  findings: { seed: number; found: Finding[] }[];
  counts: Counts;
}

const serverOf = await startTestServer();
const defectFromEnvironment = process.env.LAB_DEFECT;
const arbitrary = values.kills || values.cuts ? historiesWithKills : withoutKills;

function batchOf(seed: number): History[] {
  const batch = fc.sample(arbitrary, { seed, numRuns: Number(values.batch) });
  return values.only === undefined ? batch : [batch[Number(values.only)]!];
}

async function playSeed(lab: Lab, run: Run, seed: number, stopAtFirst: boolean): Promise<void> {
  const batch = batchOf(seed);
  const found = [...(run.seeds === 1 ? await lab.playLongJob() : []), ...(await lab.play(batch))];
  if (found.length === 0) return;
  run.findings.push({ seed, found });
  for (const finding of found) print(`VIOLATION seed ${seed}, ${describe(finding)}`);
  if (!stopAtFirst) await printSmallest(lab, batch, found);
}

/** Seeds one after the other until the time is over or, if so wanted, something is found. */
async function runFor(minutes: number, defect: string | undefined, stopAtFirst: boolean): Promise<Run> {
  const run: Run = { seeds: 0, findings: [], counts: newCounts() };
  const { counts } = run;
  const options = {
    serverUrl: serverOf.url,
    mortal: values.kills,
    defect: isDefect(defect) ? defect : null,
    counts,
  };
  const started = Date.now();
  let lab = await Lab.open(options);
  while (Date.now() - started < minutes * MINUTE_MS) {
    const seed = Number(values.seed) + run.seeds++;
    try {
      await playSeed(lab, run, seed, stopAtFirst);
    } catch (error) {
      // The machine was too slow for a limit of the lab's own. The batch is not counted, and a new lab goes on.
      print(`seed ${seed} was broken off: ${String(error)}`);
      await lab.close().catch(() => {});
      lab = await Lab.open(options);
      continue;
    }
    // Every history leaves a game behind, and each is looked at whenever a day is compared.
    if (run.seeds % SEEDS_OF_A_LAB === 0) {
      await lab.close();
      lab = await Lab.open(options);
    }
    const { histories, steps, kills } = counts;
    const perSecond = (histories / ((Date.now() - started) / 1000)).toFixed(1);
    print(`${histories} histories, ${steps} steps, ${kills} kills, ${run.findings.length} violations, ${perSecond}/s`);
    if (values.only !== undefined || (stopAtFirst && run.findings.length > 0)) break;
  }
  await lab.close();
  return run;
}

try {
  if (values.mutations) {
    const wanted = DEFECTS.filter(defect => !isDefect(defectFromEnvironment) || defect === defectFromEnvironment);
    for (const defect of wanted) {
      const { findings, counts } = await runFor(Number(values.minutes), defect, true);
      const [first] = findings;
      if (!first) process.exitCode = 1;
      print(
        `${first ? 'found' : isMissing(defect) ? 'NOT PLANTED' : 'NOT FOUND'} "${defect}" after ${counts.histories} histories: ${first?.found[0]?.rule ?? ''}`,
      );
    }
  } else {
    const { seeds, findings, counts } = await runFor(Number(values.minutes), defectFromEnvironment, false);
    const { histories, steps, kills, ends } = counts;
    const from = Number(values.seed);
    print(
      `${histories} histories, ${steps} steps, ${kills} kills, ${findings.length} violations; seeds ${from} to ${from + seeds - 1}`,
    );
    print(`orders ended as ${[...ends].map(([status, times]) => `${status} ${times}`).join(', ')}`);
    if (findings.length > 0) process.exitCode = 1;
  }
} finally {
  await serverOf.stop();
}
