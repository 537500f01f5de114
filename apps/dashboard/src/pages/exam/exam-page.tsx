import type { Exam, StartExam } from '@coinslot/contract';
import { useNavigate } from '@tanstack/react-router';
import { FlaskConical, GraduationCap } from 'lucide-react';
import { useState } from 'react';
import { call } from '../../kit/api.ts';
import { issueOf, otherProblem, type Problem } from '../../kit/problems.ts';
import { useCurrentGame } from '../../kit/session.ts';
import { useEnv } from '../../kit/use-env.ts';
import { useAction, useRead } from '../../kit/use-read.ts';
import { t } from '../../texts/texts.ts';
import { Button } from '../../ui/button.tsx';
import { Time } from '../../ui/cells.tsx';
import { EnvLink } from '../../ui/env-link.tsx';
import { SelectField, TextField } from '../../ui/field.tsx';
import { FormProblem } from '../../ui/form.tsx';
import { PageSkeleton, ReadProblem } from '../../ui/loading.tsx';
import { Notice, Page, Section } from '../../ui/page.tsx';
import { Status } from '../../ui/status.tsx';
import { EXAM_LANGUAGES, type ExamForm, examInput, isReady } from './exam-form.ts';

const EMPTY: ExamForm = { webhookId: '', url: '', inventoryUrl: '', language: 'node' };

interface ReceiverFieldsProps {
  form: ExamForm;
  webhooks: readonly { id: string; url: string }[];
  problem: Problem | null;
  onChange(patch: Partial<ExamForm>): void;
}

const ReceiverFields = ({ form, webhooks, problem, onChange }: ReceiverFieldsProps) => (
  <>
    {webhooks.length > 0 && (
      <SelectField
        label={t('exam.receiver')}
        value={form.webhookId}
        onChange={({ target }) => onChange({ webhookId: target.value })}
      >
        {webhooks.map(({ id, url }) => (
          <option key={id} value={id}>
            {url}
          </option>
        ))}
        <option value="">{t('exam.otherAddress')}</option>
      </SelectField>
    )}
    {form.webhookId === '' && (
      <TextField
        label={t('exam.url')}
        hint={t('exam.urlHint')}
        error={issueOf(problem, '/url')}
        type="url"
        placeholder="https://game.example.com/webhook"
        value={form.url}
        onChange={({ target }) => onChange({ url: target.value })}
      />
    )}
  </>
);

function StartForm({ webhooks }: Pick<ReceiverFieldsProps, 'webhooks'>) {
  const params = useEnv();
  const { may } = useCurrentGame();
  const navigate = useNavigate();
  const [form, setForm] = useState<ExamForm>({ ...EMPTY, webhookId: webhooks[0]?.id ?? '' });
  const set = (patch: Partial<ExamForm>): void => setForm(before => ({ ...before, ...patch }));
  const start = useAction(
    () => call('POST /dashboard/api/games/{game_id}/{mode}/exams', { params, body: examInput(form) }),
    {
      quiet: true,
      after: ({ exam_id: examId }: Exam) =>
        void navigate({
          to: '/g/$gameId/$mode/integration/exam/$examId',
          params: { gameId: params.game_id, mode: params.mode, examId },
        }),
    },
  );
  return (
    <form
      className="grid max-w-[640px] gap-4"
      onSubmit={event => {
        event.preventDefault();
        start.mutate();
      }}
    >
      <ReceiverFields form={form} webhooks={webhooks} problem={start.error} onChange={set} />
      <TextField
        label={t('exam.inventory')}
        hint={t('exam.inventoryHint')}
        error={issueOf(start.error, '/inventory_url')}
        placeholder="https://game.example.com/inventory/{player_id}"
        value={form.inventoryUrl}
        onChange={({ target }) => set({ inventoryUrl: target.value })}
      />
      <SelectField
        label={t('exam.language')}
        value={form.language}
        onChange={({ target }) => set({ language: target.value as StartExam['language'] })}
      >
        {EXAM_LANGUAGES.map(([language, name]) => (
          <option key={language} value={language}>
            {name}
          </option>
        ))}
      </SelectField>
      <FormProblem text={otherProblem(start.error, '/url', '/inventory_url')} />
      <div>
        <Button
          type="submit"
          look="primary"
          icon={<GraduationCap size={16} aria-hidden />}
          busy={start.isPending}
          disabled={!isReady(form) || !may('useSandboxTools')}
        >
          {t('exam.start')}
        </Button>
      </div>
    </form>
  );
}

const EarlierExams = ({ exams }: { exams: readonly Exam[] }) => (
  <Section title={t('exam.earlier')}>
    <ul className="grid divide-y divide-line">
      {exams.map(({ exam_id: examId, url, status, score, created_at }) => (
        <li key={examId} className="flex flex-wrap items-center gap-x-4 gap-y-1 py-2">
          <EnvLink to="integration/exam/$examId" params={{ examId }}>
            {url}
          </EnvLink>
          {status === 'finished' ? (
            <span className="font-semibold">{t('exam.score', { score })}</span>
          ) : (
            <Status kind="other" status={status} />
          )}
          <span className="text-soft">
            <Time at={created_at} />
          </span>
        </li>
      ))}
    </ul>
  </Section>
);

/** Tests a receiver with everything that happens to webhooks in production. */
export function ExamPage() {
  const params = useEnv();
  const isSandbox = params.mode === 'sandbox';
  const webhooks = useRead('GET /dashboard/api/games/{game_id}/{mode}/webhooks', { params }, { enabled: isSandbox });
  const exams = useRead('GET /dashboard/api/games/{game_id}/{mode}/exams', { params }, { enabled: isSandbox });
  if (isSandbox && (webhooks.isPending || exams.isPending)) return <PageSkeleton />;
  const problem = webhooks.error ?? exams.error;
  return (
    <Page title={t('nav.exam')} about={t('exam.about')} guide="exam">
      {!isSandbox ? (
        <Notice tone="info" icon={<FlaskConical size={16} aria-hidden />}>
          {t('exam.onlySandbox')}
        </Notice>
      ) : problem ? (
        <ReadProblem error={problem} retry={() => void Promise.all([webhooks.refetch(), exams.refetch()])} />
      ) : (
        <>
          <Section title={t('exam.new')} about={t('exam.newAbout')}>
            <StartForm webhooks={webhooks.data?.data ?? []} />
          </Section>
          {(exams.data?.data.length ?? 0) > 0 && <EarlierExams exams={exams.data!.data} />}
        </>
      )}
    </Page>
  );
}
