import type { Exam, StartExam } from '@coinslot/contract';
import { CASES, gradeOf, reportText } from '@coinslot/exam';
import { constraintOf, type Queryable } from '../../../db/db.ts';
import { AppError } from '../../../kit/app-error.ts';
import { toUnixSeconds } from '../../../kit/clock.ts';
import { newId } from '../../../kit/ids.ts';
import { type Actor, auditScope, writeAudit } from '../../audit/audit.ts';
import { assertSandbox, type Environment } from '../../game/environment.ts';
import { readSubscription } from '../endpoints/manage-subscriptions.ts';
import type { WebhookShop } from '../sending/send.ts';
import { checkUrl, type TargetPolicy } from '../sending/target.ts';
import { countRecentExams, deleteOldExams, type ExamRow, findExam, insertExam } from './exam.sql.ts';

const KEPT = 20;
/** Each sends about a hundred requests to an address that the member chose. */
const AN_HOUR = 15;
const HOUR_SECONDS = 3_600;
const UNDER_WAY = 'webhook_exam_under_way';

const wrong = (pointer: string, message: string): AppError =>
  new AppError('validation_failed', { issues: [{ pointer, code: 'url_refused', message }] });

function vet(pointer: string, url: string, policy: TargetPolicy): void {
  const refusal = checkUrl(url.replaceAll('{player_id}', 'exam'), policy);
  if (refusal) throw wrong(pointer, refusal.message);
}

async function receiverOf(
  { db, targetPolicy }: WebhookShop,
  { id: environmentId }: Environment,
  { url, webhook_id: webhookId }: StartExam,
): Promise<{ url: string; webhookId: string | null }> {
  if ((url === undefined) === (webhookId === undefined))
    throw wrong('/url', 'give either the address of a receiver or a registered webhook');
  if (webhookId === undefined) {
    vet('/url', url!, targetPolicy);
    return { url: url!, webhookId: null };
  }
  const webhook = await readSubscription(db, environmentId, webhookId);
  return { url: webhook.url, webhookId };
}

/** Writes the exam down; a worker takes it. */
export async function startExam(
  shop: WebhookShop,
  actor: Actor,
  environment: Environment,
  body: StartExam,
): Promise<ExamRow> {
  assertSandbox(environment, 'Only receivers of sandbox are examined.');
  const { db, signals, targetPolicy } = shop;
  const receiver = await receiverOf(shop, environment, body);
  const inventoryUrl = body.inventory_url ?? null;
  if (inventoryUrl !== null) vet('/inventory_url', inventoryUrl, targetPolicy);
  if ((await countRecentExams(db, environment.id)) >= AN_HOUR)
    throw new AppError('rate_limited', {
      detail: `A sandbox can take ${AN_HOUR} exams in an hour.`,
      headers: { 'retry-after': String(HOUR_SECONDS) },
    });
  try {
    const id = newId('exm');
    const exam = await db.transaction(async tx => {
      await deleteOldExams(tx, environment.id, KEPT - 1);
      writeAudit(tx, actor, {
        ...auditScope(environment),
        kind: 'exam.started',
        objectId: id,
        after: { url: receiver.url },
      });
      const { language } = body;
      return insertExam(
        tx,
        { environmentId: environment.id, id, ...receiver, inventoryUrl, language },
        environment.companyId,
      );
    });
    signals.announce('exams');
    return exam;
  } catch (error) {
    throw constraintOf(error) === UNDER_WAY ? new AppError('exam_running') : error;
  }
}

export async function readExam(db: Queryable, environmentId: string, id: string): Promise<ExamRow> {
  const exam = await findExam(db, environmentId, id);
  if (!exam) throw new AppError('exam_not_found');
  return exam;
}

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
