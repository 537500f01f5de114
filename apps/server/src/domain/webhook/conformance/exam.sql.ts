import type { CaseResult, Language } from '@coinslot/exam';
import type { Queryable, Tx } from '../../../db/db.ts';
import { fragment, sql } from '../../../db/sql.ts';

export interface ExamRow {
  environmentId: string;
  id: string;
  url: string;
  /** Null: the address is not registered, and the environment's S2S key signs. */
  webhookId: string | null;
  inventoryUrl: string | null;
  language: Language;
  results: CaseResult[];
  problem: string | null;
  createdAt: Date;
  finishedAt: Date | null;
}

export interface ClaimedExam extends ExamRow {
  claimId: string;
  tries: number;
}

const EXAM_COLUMNS = fragment`environment_id as "environmentId", id, url, webhook_id as "webhookId",
  inventory_url as "inventoryUrl", language, results, problem, created_at as "createdAt", finished_at as "finishedAt"`;

/** Breaks the rule `webhook_exam_under_way` when the company has one already. */
export async function insertExam(
  tx: Tx,
  exam: Pick<ExamRow, 'environmentId' | 'id' | 'url' | 'webhookId' | 'inventoryUrl' | 'language'>,
  companyId: string,
): Promise<ExamRow> {
  const [row] = await tx.query<ExamRow>(sql('exam_insert')`
    insert into webhook_exams (environment_id, id, company_id, url, webhook_id, inventory_url, language, results, created_at)
    values (${exam.environmentId}, ${exam.id}, ${companyId}, ${exam.url}, ${exam.webhookId}, ${exam.inventoryUrl},
      ${exam.language}, '[]', app_now())
    returning ${EXAM_COLUMNS}`);
  return row!;
}

/** All but the newest ones. */
export async function deleteOldExams(tx: Tx, environmentId: string, kept: number): Promise<void> {
  await tx.query(sql('exam_delete_old')`
    delete from webhook_exams where environment_id = ${environmentId} and finished_at is not null and id not in (
      select id from webhook_exams where environment_id = ${environmentId} order by id desc limit ${kept})`);
}

export async function countRecentExams(db: Queryable, environmentId: string): Promise<number> {
  const [row] = await db.query<{ count: number }>(sql('exam_count_recent')`
    select count(*)::int as count from webhook_exams
    where environment_id = ${environmentId} and created_at > app_now() - interval '1 hour'`);
  return row!.count;
}

export const listExams = (db: Queryable, environmentId: string): Promise<ExamRow[]> =>
  db.query(sql('exam_list')`
    select ${EXAM_COLUMNS} from webhook_exams where environment_id = ${environmentId} order by id desc limit 20`);

export const findExam = (db: Queryable, environmentId: string, id: string): Promise<ExamRow | null> =>
  db.queryOne(sql('exam_find')`
    select ${EXAM_COLUMNS} from webhook_exams where environment_id = ${environmentId} and id = ${id}`);

/** A lease: if the worker dies, another begins the exam anew. */
export const claimExams = (
  db: Queryable,
  claimId: string,
  limit: number,
  leaseSeconds: number,
): Promise<ClaimedExam[]> =>
  db.query(sql('exam_claim')`
    update webhook_exams set claimed_until = app_now() + make_interval(secs => ${leaseSeconds}), claim_id = ${claimId},
      tries = tries + 1, results = '[]'
    where company_id in (select company_id from webhook_exams
                         where finished_at is null and (claimed_until is null or claimed_until <= app_now())
                         limit ${limit} for update skip locked)
      and finished_at is null
    returning ${EXAM_COLUMNS}, claim_id as "claimId", tries`);

/** False when another worker has taken it meanwhile. */
export const updateExamResults = (
  db: Queryable,
  exam: ClaimedExam,
  results: readonly CaseResult[],
  leaseSeconds: number,
): Promise<boolean> =>
  db.queryAny(sql('exam_update_results')`
    update webhook_exams set results = ${JSON.stringify(results)}, claimed_until = app_now() + make_interval(secs => ${leaseSeconds})
    where environment_id = ${exam.environmentId} and id = ${exam.id} and claim_id = ${exam.claimId} and finished_at is null
    returning id`);

export async function updateExamFinished(db: Queryable, exam: ClaimedExam, problem: string | null): Promise<void> {
  await db.query(sql('exam_update_finished')`
    update webhook_exams set finished_at = app_now(), problem = ${problem}, claimed_until = null
    where environment_id = ${exam.environmentId} and id = ${exam.id} and claim_id = ${exam.claimId} and finished_at is null`);
}
