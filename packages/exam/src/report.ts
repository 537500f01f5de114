import { CASES } from './cases/cases.ts';
import type { Loss } from './exam-case.ts';
import type { CaseResult, ExamReport } from './run-exam.ts';

const LOSSES: Record<Loss, string> = {
  pays_for_nothing: 'pay and not get the items',
  loses_own: 'lose items that they own',
  cannot_buy: 'be unable to buy',
  gets_twice: 'get items twice',
  keeps_refunded: 'keep items that were refunded',
  stranger_gets: 'get items without paying',
};

type Judged = Pick<CaseResult, 'name' | 'outcome'>;

/** What players would lose or get for nothing, the worst first. */
export function lossesOf(results: readonly Judged[]): Loss[] {
  const missed = results.filter(({ outcome }) => outcome === 'missed').map(({ name }) => name);
  const losses = new Set(CASES.filter(({ name }) => missed.includes(name)).map(({ loss }) => loss));
  return (Object.keys(LOSSES) as Loss[]).filter(loss => losses.has(loss));
}

/** The same in one sentence. */
export function lossText(results: readonly Judged[]): string {
  const said = lossesOf(results).map(loss => LOSSES[loss]);
  if (said.length === 0) return 'In what was judged, no player loses anything.';
  const last = said.pop();
  return `With this receiver a player can ${said.length > 0 ? `${said.join(', ')} or ${last}` : last}.`;
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

${lossText(results)}

${url}, ${taken_at}. ${passed} passed, ${missed} failed, ${open} not judged.

| | Case | The receiver | Problem |
| --- | --- | --- | --- |
${rows.join('\n')}
${advice.length > 0 ? `\n## What to change\n\n${advice.join('\n')}` : ''}`;
}
