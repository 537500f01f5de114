import type { Exam, Issue, StartExam } from '@coinslot/contract';
import { CASES, gradeOf, lossesOf, reportText } from '@coinslot/exam';
import { orConflict, type Queryable } from '../../../db/db.ts';
import { assertCapacity } from '../../../http/limits/budgets.ts';
import { assertNoIssues, foundOr } from '../../../kit/app-error.ts';
import { newId } from '../../../kit/ids.ts';
import { onWire } from '../../../kit/on-wire.ts';
import { type Actor, auditScope, writeAudit } from '../../audit/audit.ts';
import { assertSandbox, type Environment } from '../../game/environment.ts';
import { readSubscription, vetUrl } from '../endpoints/manage-subscriptions.ts';
import type { WebhookShop } from '../sending/send.ts';
import type { TargetPolicy } from '../sending/target.ts';
import { countRecentExams, deleteOldExams, type ExamRow, findExam, insertExam } from './exam.sql.ts';

const KEPT = 20;

const vet = (pointer: string, url: string, policy: TargetPolicy): void =>
  vetUrl(url.replaceAll('{player_id}', 'exam'), policy, pointer);

const EITHER: Issue = {
  pointer: '/url',
  code: 'url_refused',
  message: 'give either the address of a receiver or a registered webhook',
};

const ELSEWHERE: Issue = {
  pointer: '/inventory_url',
  code: 'url_refused',
  message: 'the inventory must be on the host of the receiver, which proves that it takes part',
};

const hostOf = (url: string): string => new URL(url).hostname;

async function receiverOf(
  { db, targetPolicy }: WebhookShop,
  { id: environmentId }: Environment,
  { url, webhook_id: webhookId }: StartExam,
): Promise<{ url: string; webhookId: string | null }> {
  assertNoIssues((url === undefined) === (webhookId === undefined) ? EITHER : null);
  if (webhookId === undefined) {
    vet('/url', url!, targetPolicy);
    return { url: url!, webhookId: null };
  }
  const webhook = await readSubscription(db, environmentId, webhookId);
  return { url: webhook.url, webhookId };
}

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
  if (inventoryUrl !== null) {
    vet('/inventory_url', inventoryUrl, targetPolicy);
    assertNoIssues(hostOf(inventoryUrl) === hostOf(receiver.url) ? null : ELSEWHERE);
  }
  const { examsPerHour } = shop.budgets.limits;
  assertCapacity('exams in an hour', await countRecentExams(db, environment.companyId), examsPerHour);
  const id = newId('exm');
  const { language } = body;
  const exam = await db
    .transaction(async tx => {
      await deleteOldExams(tx, environment.id, KEPT - 1);
      const after = { url: receiver.url };
      writeAudit(tx, actor, { ...auditScope(environment), kind: 'exam.started', objectId: id, after });
      const fresh = { environmentId: environment.id, id, ...receiver, inventoryUrl, language };
      return insertExam(tx, fresh, environment.companyId);
    })
    .catch(orConflict('webhook_exam_under_way', 'exam_running'));
  signals.announce('exams');
  return exam;
}

export const readExam = (db: Queryable, environmentId: string, id: string): Promise<ExamRow> =>
  foundOr('exam_not_found', findExam(db, environmentId, id));

export const examView = (exam: ExamRow): Exam => ({
  ...onWire(exam, 'url, webhook_id, inventory_url, language, problem, results, created_at, finished_at'),
  exam_id: exam.id,
  status: exam.finishedAt === null ? 'running' : exam.problem === null ? 'finished' : 'failed',
  ...gradeOf(exam.results),
  losses: lossesOf(exam.results),
  checks: CASES.length,
});

export const examFile = ({ url, language, createdAt, results, problem }: ExamRow): string =>
  `${reportText({ url, language, taken_at: createdAt.toISOString(), ...gradeOf(results), results })}${problem ? `\n${problem}\n` : ''}`;
