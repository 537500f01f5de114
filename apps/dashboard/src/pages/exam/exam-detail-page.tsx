import type { Exam } from '@coinslot/contract';
import { useParams } from '@tanstack/react-router';
import { CircleCheck, CircleHelp, CircleMinus, CircleX, Download, TriangleAlert } from 'lucide-react';
import { addressOf } from '../../kit/address.ts';
import { useEnv } from '../../kit/use-env.ts';
import { useRead } from '../../kit/use-read.ts';
import { language, t, tryText } from '../../texts/texts.ts';
import { buttonClass, Spinner } from '../../ui/button.tsx';
import { Time } from '../../ui/cells.tsx';
import { CodeBlock } from '../../ui/code-block.tsx';
import { LoadingOrProblem } from '../../ui/loading.tsx';
import { Fact, Facts, Notice, Page, Section } from '../../ui/page.tsx';

type Result = Exam['results'][number];

const LOOKS = {
  passed: { Icon: CircleCheck, className: 'text-good' },
  missed: { Icon: CircleX, className: 'text-bad' },
  unseen: { Icon: CircleHelp, className: 'text-warn' },
  skipped: { Icon: CircleMinus, className: 'text-soft' },
} as const;

const REFETCH_MS = 1_000;

const titleOf = ({ name, title }: Result): string => tryText(`exam.case.${name}`) ?? title;
const whyOf = ({ name, why }: Result): string => tryText(`exam.why.${name}`) ?? why;

function Check({ result }: { result: Result }) {
  const { Icon, className } = LOOKS[result.outcome];
  return (
    <li className="grid gap-2 py-3">
      <div className="flex items-start gap-3">
        <Icon size={18} aria-hidden className={`mt-0.5 shrink-0 ${className}`} />
        <p className="min-w-0">
          <span className="sr-only">{t(`exam.outcome.${result.outcome}`)}: </span>
          {titleOf(result)}
          {(result.outcome === 'unseen' || result.outcome === 'skipped') && (
            <span className="block text-soft">{result.problem ?? t(`exam.hint.${result.outcome}`)}</span>
          )}
        </p>
      </div>
      {result.outcome === 'missed' && (
        <div className="grid gap-2 pl-8">
          <p>
            <code className="font-mono text-12">{result.problem}</code>
          </p>
          <p className="text-soft">{whyOf(result)}</p>
          <CodeBlock text={result.line} label={t('exam.line', { check: titleOf(result) })} />
        </div>
      )}
    </li>
  );
}

/** What players would lose, in one sentence: it says more than a score. */
function lossSentence({ losses }: Exam): string {
  if (losses.length === 0) return t('exam.lossNone');
  const words = losses.map(loss => t(`exam.loss.${loss}`));
  return t('exam.loss', { losses: new Intl.ListFormat(language, { type: 'disjunction' }).format(words) });
}

const Outcome = ({ exam }: { exam: Exam }) => (
  <Section title={t('exam.outcome')}>
    <p className="min-w-0 break-words">{lossSentence(exam)}</p>
    <Facts>
      <Fact name={t('exam.scoreName')}>
        <span className="text-20 font-semibold">{t('exam.score', { score: exam.score })}</span>
      </Fact>
      <Fact name={t('exam.counts')}>
        {t('exam.counted', { passed: exam.passed, missed: exam.missed, open: exam.open })}
      </Fact>
      <Fact name={t('column.created')}>
        <Time at={exam.created_at} />
      </Fact>
    </Facts>
  </Section>
);

/** Shows one exam while it runs and afterwards. The exam continues if the page is closed. */
export function ExamDetailPage() {
  const scope = useEnv();
  const { examId = '' } = useParams({ strict: false }) as { examId?: string };
  const params = { ...scope, exam_id: examId };
  const read = useRead(
    'GET /dashboard/api/games/{game_id}/{mode}/exams/{exam_id}',
    { params },
    { refetchMs: exam => (exam?.status === 'running' ? REFETCH_MS : false) },
  );
  if (read.isError || !read.data) return <LoadingOrProblem read={read} />;
  const exam = read.data;
  const isRunning = exam.status === 'running';
  const file = addressOf('/dashboard/api/games/{game_id}/{mode}/exams/{exam_id}/report', { params });
  return (
    <Page
      title={exam.url}
      back={{ to: 'integration/exam', label: t('nav.exam') }}
      actions={
        exam.status === 'finished' && (
          <a href={file} download className={buttonClass()}>
            <Download size={16} aria-hidden />
            {t('exam.report')}
          </a>
        )
      }
    >
      <div role="status">
        {isRunning && (
          <Notice tone="info" icon={<Spinner />}>
            {t('exam.running', { done: exam.results.length, all: exam.checks })}
          </Notice>
        )}
        {exam.status === 'failed' && (
          <Notice tone="bad" icon={<TriangleAlert size={16} aria-hidden />}>
            {exam.problem}
          </Notice>
        )}
      </div>
      {exam.status === 'finished' && <Outcome exam={exam} />}
      {exam.results.length > 0 && (
        <Section title={t('exam.checks')}>
          <ul className="grid divide-y divide-line">
            {exam.results.map(result => (
              <Check key={result.name} result={result} />
            ))}
          </ul>
        </Section>
      )}
    </Page>
  );
}
