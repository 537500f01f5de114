import type { Home } from '@coinslot/contract';
import { Coins, TriangleAlert, Unplug } from 'lucide-react';
import type { ComponentProps } from 'react';
import { homeQuery } from '../../bootstrap/early-reads.ts';
import { useFilters } from '../../kit/filters.ts';
import { formatDuration, formatNumber, spanText } from '../../kit/format.ts';
import { useCurrentGame, useIsSimulated } from '../../kit/session.ts';
import { PERIODS } from '../../kit/times.ts';
import { useEnv } from '../../kit/use-env.ts';
import { useRead } from '../../kit/use-read.ts';
import { language, t } from '../../texts/texts.ts';
import { buttonClass } from '../../ui/button.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { EnvLink } from '../../ui/env-link.tsx';
import { Figure, Figures } from '../../ui/figure.tsx';
import type { FigureTable } from '../../ui/figures/export-figure.ts';
import { FigurePanel } from '../../ui/figures/figure-panel.tsx';
import { GuideLink } from '../../ui/guide-link.tsx';
import { RangePicker } from '../../ui/list/filter-bar.tsx';
import { Bar, Loading, ReadProblem } from '../../ui/loading.tsx';
import { Notice, Page, Section } from '../../ui/page.tsx';
import { Checklist, useChecklist } from './checklist.tsx';
import { DayChart, FunnelChart, HourChart } from './home-charts.tsx';
import { isBadRate, shareText, successRate } from './home-figures.ts';
import { RangeFigures, TodayFigures } from './period-figures.tsx';
import { RatesButton } from './rates-dialog.tsx';

function Alerts({ home }: { home: Home }) {
  const { mode } = useEnv();
  return (
    <div className="grid gap-3 pb-6 empty:hidden">
      {home.needs_attention > 0 && (
        <Notice
          tone="bad"
          icon={<TriangleAlert size={16} aria-hidden />}
          action={
            <EnvLink to="attention" className={buttonClass({ size: 'small' })}>
              {t('home.seeAttention')}
            </EnvLink>
          }
        >
          <strong className="font-semibold">{t('home.attention', { count: home.needs_attention })}</strong>
        </Notice>
      )}
      {!home.webhooks.takes_items && home.range.orders > 0 && (
        <Notice
          tone="warn"
          icon={<Unplug size={16} aria-hidden />}
          action={
            <EnvLink to="integration/webhooks" search={{ add: '1' }} className={buttonClass({ size: 'small' })}>
              {t('webhooks.add')}
            </EnvLink>
          }
        >
          {t(mode === 'live' ? 'webhooks.noItemsLive' : 'webhooks.noItemsSandbox')}
        </Notice>
      )}
    </div>
  );
}

type PeriodFigures = Home['range'];

type Decline = PeriodFigures['declines'][number];

interface DeclineRowProps {
  decline: Decline;
  most: number;
  /** The range as a list's address writes it. */
  range: string;
}

const DeclineRow = ({ decline: { code, description, count }, most, range }: DeclineRowProps) => (
  <li>
    <EnvLink
      to="transactions"
      search={{ status: 'declined', range, ...(code !== '' && { response_code: code }) }}
      className="grid gap-1 hover:text-link"
    >
      <span className="flex items-baseline justify-between gap-4">
        <span className="min-w-0 truncate" title={description ?? undefined}>
          {description ?? t('home.noReason')}{' '}
          {code !== '' && <code className="font-mono text-12 text-faint">{code}</code>}
        </span>
        <span className="font-semibold">{formatNumber(language, count)}</span>
      </span>
      <span aria-hidden className="block h-1.5 overflow-hidden rounded-full bg-sunk">
        <span
          className="block h-full rounded-full bg-(--series-4)"
          style={{ width: `${Math.round((count / most) * 100)}%` }}
        />
      </span>
    </EnvLink>
  </li>
);

const DECLINES_SHOWN = 6;

const declinesTable = ({ range: { declines } }: Home): FigureTable => ({
  title: t('home.declines'),
  columns: [t('column.response'), t('figures.count')],
  rows: declines.map(({ code, description, count }) => {
    const name = description ?? (code || t('home.noReason'));
    return { cells: [name, formatNumber(language, count)], values: [name, count], bar: count / mostOf(declines) };
  }),
});

const mostOf = (declines: readonly Decline[]): number => Math.max(1, ...declines.map(({ count }) => count));

function Declines({ home, about }: { home: Home; about: string }) {
  const { declines } = home.range;
  const most = mostOf(declines);
  const rows = (some: readonly Decline[]) => (
    <ul className="grid gap-3">
      {some.map(decline => (
        <DeclineRow key={decline.code} decline={decline} most={most} range={`${home.from}..${home.to}`} />
      ))}
    </ul>
  );
  return (
    <FigurePanel table={declinesTable(home)} about={about} empty={t('home.noDeclines')}>
      {rows(declines.slice(0, DECLINES_SHOWN))}
      {declines.length > DECLINES_SHOWN && (
        <details className="pt-3">
          <summary className="pb-3 text-soft">
            {t('home.moreDeclines', { count: declines.length - DECLINES_SHOWN })}
          </summary>
          {rows(declines.slice(DECLINES_SHOWN))}
        </details>
      )}
    </FigurePanel>
  );
}

function WebhookHealth({ webhooks }: Pick<Home, 'webhooks'>) {
  const rate = successRate(webhooks);
  return (
    <Figures>
      <Figure name={t('webhooks.rate')} {...(isBadRate(rate) && { tone: 'bad' as const })}>
        {shareText(rate)}
      </Figure>
      <Figure name={t('webhooks.latency')}>
        {webhooks.p95_ms === null ? '–' : formatDuration(language, webhooks.p95_ms)}
      </Figure>
      <Figure name={t('home.attempts')}>{formatNumber(language, webhooks.attempts)}</Figure>
    </Figures>
  );
}

/** In the sandbox the checklist above says what to do. Live needs a payment provider and a webhook. */
function NothingYet() {
  const { mode } = useEnv();
  if (mode === 'sandbox') return <p className="py-12 text-center text-soft">{t('home.empty')}</p>;
  return (
    <EmptyState
      picture={<Coins size={24} />}
      title={t('home.emptyLive')}
      action={
        <>
          <EnvLink to="settings/provider" className={buttonClass({ look: 'primary' })}>
            {t('nav.provider')}
          </EnvLink>
          <EnvLink to="integration/webhooks" className={buttonClass()}>
            {t('nav.webhooks')}
          </EnvLink>
          <EnvLink to="settings/company" className={buttonClass()}>
            {t('seller.title')}
          </EnvLink>
        </>
      }
    >
      {t('home.emptyLiveAbout')} <GuideLink guide="goLive" />
    </EmptyState>
  );
}

function Overview({ home }: { home: Home }) {
  const isEmpty = home.range.orders === 0 && home.range.paid === 0 && home.before.orders === 0;
  const about = spanText(language, home.from, home.to);
  return (
    <>
      <div className="flex flex-wrap items-center justify-between gap-2 pb-4">
        <p className="text-soft">{t('home.compared', { span: about, days: home.days.length })}</p>
        <span className="flex flex-wrap items-center gap-2">
          <EnvLink to="figures" className={buttonClass({ size: 'small' })}>
            {t('home.allFigures')}
          </EnvLink>
          <RatesButton home={home} />
        </span>
      </div>
      <RangeFigures home={home} />
      {isEmpty ? (
        <NothingYet />
      ) : (
        <>
          <DayChart home={home} about={about} />
          <div className="grid gap-x-12 lg:grid-cols-2">
            <Section title={t('home.today')}>
              <TodayFigures home={home} />
            </Section>
            <HourChart home={home} />
            <FunnelChart home={home} about={about} />
            <Declines home={home} about={about} />
            <Section title={t('home.webhooks')} about={t('home.last24')}>
              <WebhookHealth webhooks={home.webhooks} />
            </Section>
          </div>
        </>
      )}
    </>
  );
}

/** Floats above the figures of before, which stay where they are. */
const StaleFigures = (props: ComponentProps<typeof ReadProblem>) => (
  <div className="sticky bottom-4 z-20 h-0 max-md:bottom-20">
    <div className="absolute inset-x-0 bottom-0 rounded-md bg-surface shadow-float">
      <ReadProblem {...props} />
    </div>
  </div>
);

const Skeleton = () => (
  <div>
    <Loading />
    <div className="grid grid-cols-2 gap-6 border-t border-line py-5 md:grid-cols-5">
      {[1, 2, 3, 4, 5].map(one => (
        <div key={one} className="grid gap-3">
          <Bar className="w-16" />
          <Bar className="h-7 w-28" />
        </div>
      ))}
    </div>
    <Bar className="h-60 w-full rounded-md" />
  </div>
);

export function HomePage() {
  const params = useEnv();
  const { game } = useCurrentGame();
  const isSimulated = useIsSimulated();
  const [{ range }] = useFilters();
  const read = useRead(
    'GET /dashboard/api/games/{game_id}/{mode}/home',
    { params, query: homeQuery(range, new Date()) },
    { keep: true },
  );
  // The first steps stand above the figures. Both are shown at the same time, so that neither moves the other.
  const steps = useChecklist();
  return (
    <Page
      title={game.name}
      about={isSimulated ? t('simulator.about') : t(params.mode === 'live' ? 'home.aboutLive' : 'home.aboutSandbox')}
      actions={<RangePicker words={PERIODS} usual="30d" align="end" />}
    >
      {read.isPending || steps.isPending ? (
        <Skeleton />
      ) : (
        <>
          {read.isError && !read.data && (
            <div className="pb-6">
              <ReadProblem error={read.error} retry={() => void read.refetch()} />
            </div>
          )}
          {read.data && <Alerts home={read.data} />}
          <Checklist />
          {read.data && <Overview home={read.data} />}
          {read.isError && read.data && <StaleFigures error={read.error} retry={() => void read.refetch()} />}
        </>
      )}
    </Page>
  );
}
