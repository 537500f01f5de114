import { Readable } from 'node:stream';
import { dashboardEndpoints as calls } from '@coinslot/contract';
import { type ExamRow, findExam, listExams } from '../../../domain/webhook/conformance/exam.sql.ts';
import { examFile, examView, startExam } from '../../../domain/webhook/conformance/start-exam.ts';
import { AppError } from '../../../kit/app-error.ts';
import type { DashboardDeps } from '../dashboard-context.ts';
import type { DashboardMount } from '../define-route.ts';

/** The exam of a webhook receiver, as the command line takes it. */
export function mountExams(mount: DashboardMount, deps: DashboardDeps): void {
  const read = async (environmentId: string, id: string): Promise<ExamRow> => {
    const exam = await findExam(deps.db, environmentId, id);
    if (!exam) throw new AppError('exam_not_found');
    return exam;
  };

  mount(calls.listExams, async ({ environment }) => ({
    data: (await listExams(deps.db, environment.id)).map(examView),
  }));

  mount(calls.startExam, async ({ environment, actor }, { body }) =>
    examView(await startExam(deps, actor, environment, body)),
  );

  mount(calls.getExam, async ({ environment }, { params }) => examView(await read(environment.id, params.exam_id)));

  mount(calls.getExamReport, async ({ environment }, { params, setHeader }) => {
    const exam = await read(environment.id, params.exam_id);
    setHeader('content-disposition', `attachment; filename="${exam.id}.md"`);
    return Readable.from([examFile(exam)]);
  });
}
