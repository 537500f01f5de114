import type { DeliverySpan } from '@coinslot/contract';
import { useState } from 'react';
import { formatDay, formatDuration, formatHour, formatPercent } from '../../kit/format.ts';
import { dayText } from '../../kit/times.ts';
import { useEnv } from '../../kit/use-env.ts';
import { useRead } from '../../kit/use-read.ts';
import { language, t } from '../../texts/texts.ts';
import type { ChartProps } from '../../ui/chart.tsx';
import { ChartPanel } from '../../ui/figures/figure-panel.tsx';
import { Bar, ReadProblem } from '../../ui/loading.tsx';
import { Segments } from '../../ui/segments.tsx';
import { successRate } from '../home/home-figures.ts';

const SPANS = ['24h', '7d', '30d'] as const satisfies readonly DeliverySpan[];
const HEIGHT = 160;

/** Deliveries are listed by day, so a point opens those of its day. */
const listOfDay = (at: number, webhookId?: string): { to: string; search: Record<string, string> } => {
  const day = dayText(new Date(at * 1_000));
  return {
    to: 'integration/deliveries',
    search: { range: `${day}..${day}`, ...(webhookId !== undefined && { webhook_id: webhookId }) },
  };
};

/** As high as the two panels, which stand one below the other on a phone. */
const Skeleton = () => (
  <div className="grid gap-x-12 lg:grid-cols-2">
    <Bar className="h-[329px] w-full" />
    <Bar className="h-[329px] w-full" />
  </div>
);

export function DeliveryCharts({ webhookId }: { webhookId?: string }) {
  const params = useEnv();
  const [span, setSpan] = useState<DeliverySpan>('24h');
  const read = useRead(
    'GET /dashboard/api/games/{game_id}/{mode}/deliveries/figures',
    { params, query: { span, ...(webhookId && { webhook_id: webhookId }) } },
    { keep: true },
  );
  const data = read.data?.data ?? [];
  const common = {
    times: data.map(({ at }) => at),
    height: HEIGHT,
    formatX: (at: number): string => (span === '24h' ? formatHour(language, at) : formatDay(language, at)),
    linkOf: (row: number) => listOfDay(data[row]!.at, webhookId),
  };
  const charts: ChartProps[] = [
    {
      ...common,
      title: t('deliveries.rate'),
      leastTop: 1,
      format: value => formatPercent(language, value),
      series: [{ label: t('deliveries.rate'), color: 3, kind: 'line', values: data.map(successRate) }],
    },
    {
      ...common,
      title: t('deliveries.latency'),
      leastTop: 100,
      format: value => formatDuration(language, value),
      series: [
        { label: t('deliveries.p50'), color: 1, kind: 'line', values: data.map(({ p50_ms }) => p50_ms) },
        { label: t('deliveries.p95'), color: 2, kind: 'line', values: data.map(({ p95_ms }) => p95_ms) },
      ],
    },
  ];
  const hasAny = data.some(({ attempts }) => attempts > 0);
  return (
    <div>
      <div className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2 pb-3">
        <h2 className="text-16 font-semibold">{t('deliveries.health')}</h2>
        <Segments<DeliverySpan>
          label={t('range.label')}
          choices={SPANS.map(one => [one, t(`deliveries.span.${one}`)])}
          value={span}
          onChange={setSpan}
        />
      </div>
      {read.isError && <ReadProblem error={read.error} retry={() => void read.refetch()} />}
      {read.isPending && <Skeleton />}
      {read.data && !hasAny && (
        <p className="rounded-md border border-dashed border-line px-4 py-10 text-center text-soft">
          {t('deliveries.quiet')}
        </p>
      )}
      {hasAny && (
        <div className="grid gap-x-12 lg:grid-cols-2 [&>*]:min-w-0">
          {charts.map(chart => (
            <ChartPanel key={chart.title} chart={chart} level={3} className="border-t-0" />
          ))}
        </div>
      )}
    </div>
  );
}
