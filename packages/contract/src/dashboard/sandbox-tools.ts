import { AdvanceOrder, Chaos } from '../sandbox.ts';
import { LIMITS, named, nullable, oneOf, opaqueId, time } from '../shape.ts';
import { type Static, Type } from '../type.ts';
import { dashboardEndpoint } from './dashboard-endpoint.ts';
import { OrderDetail } from './orders.ts';

const ENVIRONMENT = '/dashboard/api/games/{game_id}/{mode}';

/** The exam shows the line to change in these languages. */
export const EXAM_LANGUAGES = ['node', 'python', 'go', 'java', 'csharp', 'php', 'ruby'] as const;

const examParams = Type.Object({ exam_id: opaqueId('exm', 'Identifier of the exam.') });

const EXAM_LOSSES = [
  'pays_for_nothing',
  'loses_own',
  'cannot_buy',
  'gets_twice',
  'keeps_refunded',
  'stranger_gets',
] as const;

const ExamResult = Type.Object({
  name: Type.String({ description: 'Name of the check.' }),
  title: Type.String({ description: 'What the receiver must do.' }),
  outcome: oneOf(
    ['passed', 'missed', 'unseen', 'skipped'],
    '`unseen`: the answers were right, but what was granted could not be seen. `skipped`: it could not be tried.',
  ),
  problem: nullable(Type.String({ description: 'What went wrong.' })),
  why: Type.String({ description: 'Why it matters.' }),
  line: Type.String({ description: 'The line to change, in the language of the receiver.' }),
});

export const Exam = named(
  'Exam',
  {
    exam_id: opaqueId('exm', 'Identifier of the exam.'),
    url: Type.String({ description: 'The receiver under examination.' }),
    webhook_id: nullable(opaqueId('whk', 'The webhook whose secret signs. Null: the S2S key signs.')),
    inventory_url: nullable(Type.String({ description: 'Where the exam reads what a player holds.' })),
    language: oneOf(EXAM_LANGUAGES, 'Language of the lines to change.'),
    status: oneOf(['running', 'finished', 'failed'], '`failed`: it could not be taken; `problem` says why.'),
    problem: nullable(Type.String({ description: 'Why it could not be taken.' })),
    passed: Type.Integer(),
    missed: Type.Integer(),
    open: Type.Integer({ description: 'Neither passed nor missed.' }),
    score: Type.Integer({ description: 'Of what was judged, in percent.' }),
    checks: Type.Integer({ description: 'How many checks an exam has.' }),
    losses: Type.Array(oneOf(EXAM_LOSSES, 'What can happen to a player.'), {
      description: 'What players would lose or get for nothing with this receiver, the worst first.',
    }),
    results: Type.Array(ExamResult, { description: 'As far as it has come.' }),
    created_at: time('When it was asked for.'),
    finished_at: nullable(time('When it ended.')),
  },
  'An exam of a webhook receiver.',
);
export type Exam = Static<typeof Exam>;

const StartExam = named(
  'StartExam',
  {
    url: Type.Optional(
      Type.String({
        maxLength: LIMITS.urlChars,
        description: 'Address of a receiver that is not registered. The S2S key signs.',
      }),
    ),
    webhook_id: Type.Optional(opaqueId('whk', 'A registered webhook, instead of `url`. Its secret signs.')),
    inventory_url: Type.Optional(
      Type.String({
        maxLength: LIMITS.urlChars,
        description: 'Answers `{"sku": count}` for `{player_id}`, so that grants can be seen.',
      }),
    ),
    language: oneOf(EXAM_LANGUAGES, 'Language of the lines to change.'),
  },
  'The receiver to examine: `url` or `webhook_id`.',
);
export type StartExam = Static<typeof StartExam>;

export const sandboxToolEndpoints = {
  getDashboardChaos: dashboardEndpoint({
    name: 'get_chaos',
    scope: 'environment',
    role: 'viewer',
    method: 'GET',
    path: `${ENVIRONMENT}/chaos`,
    summary: 'Whether deliveries and payments of this sandbox are disturbed on purpose. Always off in live.',
    response: { status: 200, description: 'The switch.', schema: Chaos },
    errors: [],
  }),
  setDashboardChaos: dashboardEndpoint({
    name: 'set_chaos',
    scope: 'environment',
    role: 'developer',
    method: 'PUT',
    path: `${ENVIRONMENT}/chaos`,
    summary: 'Turn chaos on or off. Only in sandbox.',
    body: named('SetDashboardChaos', { enabled: Chaos.properties.enabled }, 'The chaos switch to set.'),
    response: { status: 200, description: 'The switch as it is now.', schema: Chaos },
    errors: ['sandbox_only'],
  }),
  advanceDashboardOrder: dashboardEndpoint({
    name: 'advance_order',
    scope: 'environment',
    role: 'developer',
    method: 'POST',
    path: `${ENVIRONMENT}/orders/{order_id}/advance`,
    summary: 'Make an order older, so that what is due later happens now. Only in sandbox.',
    params: Type.Object({ order_id: opaqueId('ord', 'Identifier of the order.') }),
    body: AdvanceOrder,
    response: { status: 200, description: 'The order as it is now.', schema: OrderDetail },
    errors: ['order_not_found', 'sandbox_only'],
  }),
  listExams: dashboardEndpoint({
    name: 'list_exams',
    scope: 'environment',
    role: 'viewer',
    method: 'GET',
    path: `${ENVIRONMENT}/exams`,
    summary: 'The last 20 exams of this sandbox, newest first.',
    response: {
      status: 200,
      description: 'The complete list.',
      schema: named('ExamList', { data: Type.Array(Exam) }, 'Exams of an environment.'),
    },
    errors: [],
  }),
  startExam: dashboardEndpoint({
    name: 'start_exam',
    scope: 'environment',
    role: 'developer',
    method: 'POST',
    path: `${ENVIRONMENT}/exams`,
    summary:
      'Examine a webhook receiver. Only in sandbox, one at a time for a company. It goes on without the browser.',
    body: StartExam,
    response: { status: 202, description: 'The exam, which has just begun.', schema: Exam },
    errors: ['sandbox_only', 'exam_running', 'webhook_not_found'],
  }),
  getExam: dashboardEndpoint({
    name: 'get_exam',
    scope: 'environment',
    role: 'viewer',
    method: 'GET',
    path: `${ENVIRONMENT}/exams/{exam_id}`,
    summary: 'An exam, as far as it has come.',
    params: examParams,
    response: { status: 200, description: 'The exam.', schema: Exam },
    errors: ['exam_not_found'],
  }),
  getExamReport: dashboardEndpoint({
    name: 'get_exam_report',
    scope: 'environment',
    role: 'viewer',
    method: 'GET',
    path: `${ENVIRONMENT}/exams/{exam_id}/report`,
    summary: 'The report of an exam as a file to share. No secret is in it.',
    params: examParams,
    response: { status: 200, description: 'The file.', contentType: 'text/markdown; charset=utf-8' },
    errors: ['exam_not_found'],
  }),
};
