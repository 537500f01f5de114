import { ADVICE, type ReceiverLanguage } from './advice/advice.ts';
import { CASES } from './cases/cases.ts';
import type { ExamCase } from './exam-case.ts';
import { createExaminer, type ExamTarget, PROOF } from './examiner.ts';
import { pause } from './probe.ts';

export interface CaseResult {
  name: string;
  title: string;
  /** `unseen`: the answers were correct, but the exam could not see what was granted. `skipped`: it was not tested. */
  outcome: 'passed' | 'missed' | 'unseen' | 'skipped';
  /** What went wrong, or why it was not tested, or null. */
  problem: string | null;
  why: string;
  /** The lines to write, in the receiver's language. */
  line: string;
}

export interface ExamReport {
  url: string;
  language: ReceiverLanguage;
  taken_at: string;
  passed: number;
  missed: number;
  /** Neither passed nor missed. */
  open: number;
  /** The share of judged cases that passed, in percent. */
  score: number;
  results: CaseResult[];
}

type Judged = Pick<CaseResult, 'outcome' | 'problem'>;

const skipped = (problem: string | null): Judged => ({ outcome: 'skipped', problem });
/** A process that ends breaks its connections first. */
const ENDED_MS = 200;
const REVIVED_TRIES = 5;
const REVIVED_MS = 500;

/** Why this case is not tried, or undefined if it is. */
function reasonToSkip(target: ExamTarget, one: ExamCase, missed: ReadonlySet<string>): Judged | undefined {
  if (target.isOver?.() || (one.needsCrash && !target.process)) return skipped(null);
  const needed = target.mustProve ? PROOF : ['in_time'];
  const cause = [...needed, ...(one.unless ?? [])].find(name => missed.has(name));
  return cause === undefined ? undefined : skipped(`not judged before ${cause} passes`);
}

async function judge(target: ExamTarget, one: ExamCase): Promise<Judged> {
  const examiner = createExaminer(target, one.name);
  const problem = await one.run(examiner).catch((error: unknown) => String(error));
  if (problem !== null) return { outcome: 'missed', problem };
  return { outcome: one.needsCounts && examiner.isBlind() ? 'unseen' : 'passed', problem: null };
}

/** A supervisor may start a receiver again that ended. */
async function isGone(target: ExamTarget): Promise<boolean> {
  for (let tries = 0; tries < REVIVED_TRIES; tries += 1) {
    const { kind } = await target.send({ body: '', headers: {} });
    if (kind === 'answer') return false;
    await pause(REVIVED_MS);
  }
  return true;
}

/** Names a process that ended during a case, and starts it again where the exam can, so that no later case is blamed. */
async function lookAfter(target: ExamTarget, judged: Judged): Promise<{ judged: Judged; gone: boolean }> {
  if (judged.outcome === 'missed') await pause(ENDED_MS);
  const ended = target.process?.ended() ?? null;
  if (ended !== null) {
    const problem = `the receiver's process ended (${ended})`;
    await target.process?.crash();
    return { judged: { outcome: 'missed', problem }, gone: false };
  }
  const gone = judged.outcome === 'missed' && !target.process && (await isGone(target));
  return { judged: gone ? { outcome: 'missed', problem: `${judged.problem}; it no longer answers` } : judged, gone };
}

export function gradeOf(
  results: readonly Pick<CaseResult, 'outcome'>[],
): Pick<ExamReport, 'passed' | 'missed' | 'open' | 'score'> {
  const count = (...outcomes: CaseResult['outcome'][]): number =>
    results.filter(({ outcome }) => outcomes.includes(outcome)).length;
  const [passed, missed, open] = [count('passed'), count('missed'), count('unseen', 'skipped')];
  return { passed, missed, open, score: Math.floor((100 * passed) / Math.max(1, passed + missed)) };
}

/** Runs one case after the other, so that no case disturbs another. */
export async function runExam(
  target: ExamTarget,
  language: ReceiverLanguage,
  onResult: (result: CaseResult) => void | Promise<void>,
  cases: readonly ExamCase[] = CASES,
): Promise<ExamReport> {
  const results: CaseResult[] = [];
  const missed = new Set<string>();
  let goneDuring: string | null = null;
  for (const one of cases) {
    const { name, title, why, fix } = one;
    let judged = goneDuring === null ? reasonToSkip(target, one, missed) : skipped(`it was gone after ${goneDuring}`);
    if (!judged) {
      const seen = await lookAfter(target, await judge(target, one));
      if (seen.gone) goneDuring = name;
      ({ judged } = seen);
    }
    if (judged.outcome === 'missed') missed.add(name);
    const result: CaseResult = { name, title, ...judged, why, line: ADVICE[fix][language] };
    await onResult(result);
    results.push(result);
  }
  return { url: target.url.href, language, taken_at: new Date().toISOString(), ...gradeOf(results), results };
}
