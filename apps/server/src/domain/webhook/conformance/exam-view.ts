import type { Exam } from '@coinslot/contract';
import { CASES, gradeOf, reportText } from '@coinslot/exam';
import { toUnixSeconds } from '../../../kit/clock.ts';
import type { ExamRow } from './exam.sql.ts';

export const examView = ({ id, results, finishedAt, ...exam }: ExamRow): Exam => ({
  exam_id: id,
  url: exam.url,
  webhook_id: exam.webhookId,
  inventory_url: exam.inventoryUrl,
  language: exam.language,
  status: finishedAt === null ? 'running' : exam.problem === null ? 'finished' : 'failed',
  problem: exam.problem,
  ...gradeOf(results),
  checks: CASES.length,
  results,
  created_at: toUnixSeconds(exam.createdAt),
  finished_at: finishedAt && toUnixSeconds(finishedAt),
});

/** A file to share. */
export const examFile = ({ url, language, createdAt, results, problem }: ExamRow): string =>
  `${reportText({ url, language, taken_at: createdAt.toISOString(), ...gradeOf(results), results })}${problem ? `\n${problem}\n` : ''}`;
