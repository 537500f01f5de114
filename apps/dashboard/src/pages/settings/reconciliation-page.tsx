import type { Difference, ReconciliationRun, ReconciliationVerdict } from '@coinslot/contract';
import { Link } from '@tanstack/react-router';
import { Scale } from 'lucide-react';
import { useState } from 'react';
import { call } from '../../kit/api.ts';
import { pageQuery, useFilters } from '../../kit/filters.ts';
import { formatNumber, spanText } from '../../kit/format.ts';
import { fieldProblem } from '../../kit/problems.ts';
import { useCurrentGame } from '../../kit/session.ts';
import { utcDayText } from '../../kit/times.ts';
import { useAction, useRead } from '../../kit/use-read.ts';
import { language, t } from '../../texts/texts.ts';
import { Button } from '../../ui/button.tsx';
import { Code, ColumnTime } from '../../ui/cells.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { EnvLink } from '../../ui/env-link.tsx';
import { TextField } from '../../ui/field.tsx';
import { timeTitle } from '../../ui/list/columns.tsx';
import { type Column, DataTable } from '../../ui/list/data-table.tsx';
import { FilterBar } from '../../ui/list/filter-bar.tsx';
import { NextPage } from '../../ui/list/paging.tsx';
import { ReadProblem } from '../../ui/loading.tsx';
import { ConfirmDialog } from '../../ui/overlay/confirm-dialog.tsx';
import { Dialog } from '../../ui/overlay/dialog.tsx';
import { Fact, Facts, Page, Section } from '../../ui/page.tsx';
import { Status } from '../../ui/status.tsx';

const dayName = (day: string): string => spanText(language, day, day);

const nextStepText = ({ state, kind }: Difference): string =>
  state === 'corrected' ? t('difference.todoCorrected') : t(`difference.todo.${kind}`);

function DifferenceRow({ difference, onResolve }: { difference: Difference; onResolve(): void }) {
  const { may } = useCurrentGame();
  return (
    <li className="grid gap-x-8 gap-y-3 border-b border-line py-4 first:border-t md:grid-cols-[1fr_auto]">
      <div className="min-w-0">
        <p className="flex flex-wrap items-center gap-2">
          <span className="font-semibold">{t(`difference.what.${difference.kind}`)}</span>
          <Status kind="other" status={difference.state} />
        </p>
        <p className="max-w-[70ch] pt-1 text-soft">{difference.note ?? nextStepText(difference)}</p>
        <div className="pt-2 text-12">
          <Facts>
            {difference.ours !== null && <Fact name={t('reconciliation.ours')}>{difference.ours}</Fact>}
            {difference.theirs !== null && <Fact name={t('reconciliation.theirs')}>{difference.theirs}</Fact>}
            {difference.provider_id !== null && (
              <Fact name={t('reconciliation.providerId')}>
                <Code>{difference.provider_id}</Code>
              </Fact>
            )}
            {difference.payment_id !== null && difference.game_id !== null && (
              <Fact name={t('column.payment')}>
                <Link
                  to={`/g/${difference.game_id}/live/transactions/${difference.payment_id}`}
                  className="font-mono text-link hover:underline"
                >
                  {difference.payment_id}
                </Link>
              </Fact>
            )}
          </Facts>
        </div>
      </div>
      <div className="flex items-start gap-4">
        <span className="text-soft">{dayName(difference.day)}</span>
        {difference.state === 'open' && may('resolveDifference') && (
          <Button size="small" onClick={onResolve}>
            {t('reconciliation.resolve')}
          </Button>
        )}
      </div>
    </li>
  );
}

function ResolveDialog({ difference, onClose }: { difference: Difference; onClose(): void }) {
  const { company_id } = useCurrentGame();
  const resolve = useAction(
    (note: string) =>
      call('POST /dashboard/api/companies/{company_id}/reconciliation/differences/{difference_id}/resolve', {
        params: { company_id, difference_id: difference.id },
        body: { note },
      }),
    { quiet: true, done: () => t('reconciliation.resolved'), after: onClose },
  );
  return (
    <ConfirmDialog
      question={t('reconciliation.resolveAsk')}
      action={t('reconciliation.resolve')}
      danger={false}
      reason={t('reconciliation.note')}
      busy={resolve.isPending}
      error={resolve.error}
      onConfirm={resolve.mutate}
      onClose={onClose}
    >
      {t(`difference.what.${difference.kind}`)}
    </ConfirmDialog>
  );
}

function RunDialog({ onClose }: { onClose(): void }) {
  const { company_id } = useCurrentGame();
  const [day, setDay] = useState(() => utcDayText(new Date(Date.now() - 86_400_000)));
  const run = useAction(
    () =>
      call('POST /dashboard/api/companies/{company_id}/reconciliation/runs', { params: { company_id }, body: { day } }),
    { quiet: true, done: () => t('reconciliation.begun', { day: dayName(day) }), after: onClose },
  );
  return (
    <Dialog
      title={t('reconciliation.run')}
      onClose={onClose}
      onSubmit={() => run.mutate()}
      actions={
        <>
          <Button onClick={onClose}>{t('dialog.cancel')}</Button>
          <Button type="submit" look="primary" busy={run.isPending}>
            {t('reconciliation.runDo')}
          </Button>
        </>
      }
    >
      <TextField
        type="date"
        label={t('reconciliation.day')}
        hint={t('reconciliation.dayHint')}
        error={fieldProblem(run.error, '/day')}
        max={utcDayText(new Date())}
        value={day}
        onChange={({ target }) => setDay(target.value)}
      />
    </Dialog>
  );
}

const DIFFERENCE_STATES = ['open', 'corrected', 'resolved'] as const satisfies readonly Difference['state'][];

const runColumns = (): Column<ReconciliationRun>[] => [
  { id: 'day', title: t('reconciliation.day'), card: 'title', cell: ({ day }) => dayName(day) },
  {
    id: 'state',
    title: t('column.status'),
    card: 'below',
    cell: ({ state }) => <Status kind="other" status={state} />,
  },
  {
    id: 'compared',
    title: t('reconciliation.compared'),
    grow: true,
    card: 'below',
    cell: ({ payments, refunds, disputes, problem }) =>
      problem ??
      t('reconciliation.counts', {
        payments: formatNumber(language, payments),
        refunds: formatNumber(language, refunds),
        disputes: formatNumber(language, disputes),
      }),
  },
  {
    id: 'differences',
    title: t('reconciliation.differences'),
    align: 'end',
    card: 'side',
    cell: ({ differences }) => (
      <span className={differences > 0 ? 'font-semibold text-bad' : ''}>{formatNumber(language, differences)}</span>
    ),
  },
  {
    id: 'payouts',
    title: t('payouts.open'),
    card: 'below',
    cell: ({ day }) => (
      <EnvLink to="settings/reconciliation/$day" params={{ day }}>
        {t('payouts.open')}
      </EnvLink>
    ),
  },
  {
    id: 'time',
    title: timeTitle(),
    align: 'end',
    card: 'corner',
    cell: ({ started_at }) => <ColumnTime at={started_at} className="text-soft" />,
  },
];

/** An empty list of differences is good news only if every day was compared. */
function emptyText(verdict: ReconciliationVerdict | undefined): { title: string; children?: string } {
  if (verdict === 'in_agreement') return { title: t('reconciliation.empty'), children: t('reconciliation.emptyAbout') };
  if (verdict === 'incomplete')
    return { title: t('reconciliation.incomplete'), children: t('reconciliation.incompleteAbout') };
  if (verdict === 'never_compared')
    return { title: t('reconciliation.noRuns'), children: t('reconciliation.noRunsAbout') };
  return { title: t('reconciliation.noneHere') };
}

function NoDifferences({ verdict, onRun }: { verdict: ReconciliationVerdict | undefined; onRun(): void }) {
  const { may } = useCurrentGame();
  const isFirst = verdict === 'never_compared' && may('compareDay');
  const compare = (
    <Button look="primary" onClick={onRun}>
      {t('reconciliation.run')}
    </Button>
  );
  return <EmptyState picture={<Scale size={24} />} {...emptyText(verdict)} action={isFirst && compare} />;
}

export function ReconciliationPage() {
  const { company_id, may } = useCurrentGame();
  const params = { company_id };
  const [filters] = useFilters();
  const [resolved, setResolved] = useState<Difference | null>(null);
  const [isRunning, setRunning] = useState(false);
  const state = DIFFERENCE_STATES.find(one => one === filters.state);
  const query = { ...pageQuery(filters), ...(state && { state }) };
  const read = useRead('GET /dashboard/api/companies/{company_id}/reconciliation/differences', { params, query });
  const runs = useRead('GET /dashboard/api/companies/{company_id}/reconciliation/runs', { params });
  const isFirst = runs.data?.verdict === 'never_compared' && read.data?.data.length === 0;
  const isKnown = !runs.isPending && !read.isPending;
  return (
    <Page
      title={t('nav.reconciliation')}
      about={t('reconciliation.about')}
      guide="payouts"
      actions={
        may('compareDay') &&
        isKnown &&
        !isFirst && <Button onClick={() => setRunning(true)}>{t('reconciliation.run')}</Button>
      }
    >
      {!isFirst && (
        <FilterBar
          filters={[
            {
              key: 'state',
              label: t('column.status'),
              choices: DIFFERENCE_STATES.map(value => ({
                value,
                label: t(`status.other.${value}`),
              })),
            },
          ]}
        />
      )}
      {read.isError && <ReadProblem error={read.error} retry={() => void read.refetch()} />}
      {read.data?.data.length === 0 && <NoDifferences verdict={runs.data?.verdict} onRun={() => setRunning(true)} />}
      <ul>
        {read.data?.data.map(difference => (
          <DifferenceRow key={difference.id} difference={difference} onResolve={() => setResolved(difference)} />
        ))}
      </ul>
      <NextPage cursor={read.data?.next_cursor} />
      {!isFirst && (
        <Section title={t('reconciliation.runs')} className="mt-6">
          <DataTable
            label={t('reconciliation.runs')}
            columns={runColumns()}
            rows={runs.data?.data}
            idOf={run => `${run.day} ${run.account_id}`}
            skeletonRows={3}
            empty={<p className="text-soft">{t('reconciliation.noRuns')}</p>}
          />
        </Section>
      )}
      {resolved && <ResolveDialog difference={resolved} onClose={() => setResolved(null)} />}
      {isRunning && <RunDialog onClose={() => setRunning(false)} />}
    </Page>
  );
}
