import { CASES, type ExamCase } from './cases.ts';
import { createExaminer, type ExamTarget } from './examiner.ts';
import { FIXES, type Language } from './fixes.ts';

export interface CaseResult {
  name: string;
  title: string;
  /** `unseen`: the answers were correct, but the exam could not see what was granted. `skipped`: it was not tested. */
  outcome: 'passed' | 'missed' | 'unseen' | 'skipped';
  /** What went wrong, or null. */
  problem: string | null;
  why: string;
  /** The line to change, in the receiver's language. */
  line: string;
}

export interface ExamReport {
  url: string;
  language: Language;
  taken_at: string;
  passed: number;
  missed: number;
  /** Neither passed nor missed. */
  open: number;
  /** The share of judged cases that passed, in percent. */
  score: number;
  results: CaseResult[];
}

async function judge(target: ExamTarget, one: ExamCase, language: Language): Promise<CaseResult> {
  const { name, title, why, fix } = one;
  const about = { name, title, why, line: FIXES[fix][language] };
  if (target.isOver?.() || (one.needsCrash && !target.crash)) return { ...about, outcome: 'skipped', problem: null };
  const problem = await one.run(createExaminer(target, name)).catch((error: unknown) => String(error));
  if (problem !== null) return { ...about, outcome: 'missed', problem };
  return { ...about, outcome: one.needsCounts && !target.countOf ? 'unseen' : 'passed', problem: null };
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
  language: Language,
  onResult: (result: CaseResult) => void | Promise<void>,
): Promise<ExamReport> {
  const results: CaseResult[] = [];
  for (const one of CASES) {
    const result = await judge(target, one, language);
    await onResult(result);
    results.push(result);
  }
  return { url: target.url.href, language, taken_at: new Date().toISOString(), ...gradeOf(results), results };
}

const MARKS = { passed: '✓', missed: '✗', unseen: '?', skipped: '–' } as const;

/** Members share this report, so it contains no secret and nothing about the machine. */
export function reportText({ url, language, taken_at, passed, missed, open, score, results }: ExamReport): string {
  const rows = results.map(
    ({ name, title, outcome, problem }) => `| ${MARKS[outcome]} | ${name} | ${title} | ${problem ?? ''} |`,
  );
  const advice = results
    .filter(({ outcome }) => outcome === 'missed')
    .map(({ name, why, problem, line }) => `### ${name}\n\n${problem}. ${why}\n\n\`\`\`${language}\n${line}\n\`\`\`\n`);
  return `# Webhook exam: ${score} %

${url}, ${taken_at}. ${passed} passed, ${missed} failed, ${open} not judged.

| | Case | The receiver | Problem |
| --- | --- | --- | --- |
${rows.join('\n')}
${advice.length > 0 ? `\n## What to change\n\n${advice.join('\n')}` : ''}`;
}
