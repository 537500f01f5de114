import { CASES, type ExamCase } from './cases.ts';
import { createExaminer, type Stage } from './examiner.ts';
import { FIXES, type Language } from './fixes.ts';

export interface CaseResult {
  name: string;
  title: string;
  /** `unseen`: the answers were right, but what was granted could not be seen. `skipped`: it could not be tried. */
  outcome: 'passed' | 'missed' | 'unseen' | 'skipped';
  /** What went wrong; null when nothing did. */
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
  /** Of what was judged, in percent. */
  score: number;
  results: CaseResult[];
}

async function judge(stage: Stage, one: ExamCase, language: Language): Promise<CaseResult> {
  const { name, title, why, fix } = one;
  const about = { name, title, why, line: FIXES[fix][language] };
  if (stage.isOver?.() || (one.needsCrash && !stage.crash)) return { ...about, outcome: 'skipped', problem: null };
  const problem = await one.run(createExaminer(stage, name)).catch((error: unknown) => String(error));
  if (problem !== null) return { ...about, outcome: 'missed', problem };
  return { ...about, outcome: one.needsCounts && !stage.countOf ? 'unseen' : 'passed', problem: null };
}

export function gradeOf(
  results: readonly Pick<CaseResult, 'outcome'>[],
): Pick<ExamReport, 'passed' | 'missed' | 'open' | 'score'> {
  const count = (...outcomes: CaseResult['outcome'][]): number =>
    results.filter(({ outcome }) => outcomes.includes(outcome)).length;
  const [passed, missed, open] = [count('passed'), count('missed'), count('unseen', 'skipped')];
  return { passed, missed, open, score: Math.floor((100 * passed) / Math.max(1, passed + missed)) };
}

/** One case after the other, because what one does must not hide what another finds. */
export async function runExam(
  stage: Stage,
  language: Language,
  tell: (result: CaseResult) => void | Promise<void>,
): Promise<ExamReport> {
  const results: CaseResult[] = [];
  for (const one of CASES) {
    const result = await judge(stage, one, language);
    await tell(result);
    results.push(result);
  }
  return { url: stage.url.href, language, taken_at: new Date().toISOString(), ...gradeOf(results), results };
}

const MARKS = { passed: '✓', missed: '✗', unseen: '?', skipped: '–' } as const;

/** To be shared: no secret and nothing about the machine is in it. */
export function reportText({ url, language, taken_at, passed, missed, open, score, results }: ExamReport): string {
  const rows = results.map(
    ({ name, title, outcome, problem }) => `| ${MARKS[outcome]} | ${name} | ${title} | ${problem ?? ''} |`,
  );
  const advice = results
    .filter(({ outcome }) => outcome === 'missed')
    .map(({ name, why, problem, line }) => `### ${name}\n\n${problem}. ${why}\n\n\`\`\`${language}\n${line}\n\`\`\`\n`);
  return `# Webhook exam: ${score} %

${url}, ${taken_at}. ${passed} passed, ${missed} missed, ${open} not judged.

| | Case | The receiver | Problem |
| --- | --- | --- | --- |
${rows.join('\n')}
${advice.length > 0 ? `\n## What to change\n\n${advice.join('\n')}` : ''}`;
}
