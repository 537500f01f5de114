import type { CaseResult, ReceiverLanguage } from '@coinslot/exam';
import { fragment, json, type Queryable, type RowOf, sql, type Tx, table, typed } from '../../../db/statement.ts';

const EXAMS = table('webhook_exams', {
  environmentId: 'text',
  id: 'text',
  url: 'text',
  /** Null: the address is not registered, and the environment's S2S key signs. */
  webhookId: 'text?',
  inventoryUrl: 'text?',
  language: typed<ReceiverLanguage>('text'),
  results: json<CaseResult[]>(),
  problem: 'text?',
  createdAt: 'timestamptz',
  finishedAt: 'timestamptz?',
});

export type ExamRow = RowOf<typeof EXAMS>;

export interface ClaimedExam extends ExamRow {
  claimId: string;
  tries: number;
}

const NEW = EXAMS.pick('environmentId, id, url, webhookId, inventoryUrl, language');

/** Breaks the rule `webhook_exam_under_way` when the company has one already. */
export const insertExam = (tx: Tx, exam: RowOf<typeof NEW>, companyId: string): Promise<ExamRow> =>
  tx.queryFirst(sql('exam_insert')`
    insert into webhook_exams (${NEW.names}, company_id, results, created_at)
    values (${NEW.values(exam)}, ${companyId}, '[]', app_now())
    returning ${EXAMS.columns}`);

export const deleteOldExams = (tx: Tx, environmentId: string, kept: number): Promise<void> =>
  tx.execute(sql('exam_delete_old')`
    delete from webhook_exams where environment_id = ${environmentId} and finished_at is not null and id not in (
      select id from webhook_exams where environment_id = ${environmentId} order by id desc limit ${kept})`);

/** Counts the exams of the last hour in all sandboxes of the company. */
export const countRecentExams = (db: Queryable, companyId: string): Promise<number> =>
  db.queryValue(sql('exam_count_recent')`
    select count(*)::int as count from webhook_exams
    where company_id = ${companyId} and created_at > app_now() - interval '1 hour'`);

export const listExams = (db: Queryable, environmentId: string): Promise<ExamRow[]> =>
  db.query(sql('exam_list')`
    select ${EXAMS.columns} from webhook_exams where environment_id = ${environmentId} order by id desc limit 20`);

export const findExam = (db: Queryable, environmentId: string, id: string): Promise<ExamRow | null> =>
  db.queryOne(sql('exam_find')`
    select ${EXAMS.columns} from webhook_exams where environment_id = ${environmentId} and id = ${id}`);

export const EXAMS_DUE = fragment`exists (
    select 1 from webhook_exams where finished_at is null and (claimed_until is null or claimed_until <= app_now()))`;

/** Claims by a lease: if the worker dies, another one starts the exam again. */
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
    returning ${EXAMS.columns}, claim_id as "claimId", tries`);

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

export const updateExamFinished = (db: Queryable, exam: ClaimedExam, problem: string | null): Promise<void> =>
  db.execute(sql('exam_update_finished')`
    update webhook_exams set finished_at = app_now(), problem = ${problem}, claimed_until = null
    where environment_id = ${exam.environmentId} and id = ${exam.id} and claim_id = ${exam.claimId} and finished_at is null`);
