import type { DeliverySpan } from '@coinslot/contract';
import { useState } from 'react';
import { formatDay, formatDuration, formatHour, formatPercent } from '../../kit/format.ts';
import { useEnv } from '../../kit/use-env.ts';
import { useRead } from '../../kit/use-read.ts';
import { language, t } from '../../texts/texts.ts';
import { Chart } from '../../ui/chart.tsx';
import { Bar } from '../../ui/loading.tsx';
import { Segments } from '../../ui/segments.tsx';
import { successRate } from '../home/home-figures.ts';

const SPANS = ['24h', '7d', '30d'] as const satisfies readonly DeliverySpan[];

export function DeliveryCharts({ webhookId }: { webhookId?: string }) {
  const params = useEnv();
  const [span, setSpan] = useState<DeliverySpan>('24h');
  const read = useRead(
    'GET /dashboard/api/games/{game_id}/{mode}/deliveries/figures',
    { params, query: { span, ...(webhookId && { webhook_id: webhookId }) } },
    { keep: true },
  );
  const data = read.data?.data ?? [];
  const times = data.map(({ at }) => at);
  const formatX = (at: number): string => (span === '24h' ? formatHour(language, at) : formatDay(language, at));
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
      {!read.data && <Bar className="h-40 w-full" />}
      {read.data && !hasAny && (
        <p className="rounded-md border border-dashed border-line px-4 py-10 text-center text-soft">
          {t('deliveries.quiet')}
        </p>
      )}
      {hasAny && (
        <div className="grid gap-x-8 gap-y-6 lg:grid-cols-2">
          <figure className="min-w-0">
            <figcaption className="pb-1 text-soft">{t('deliveries.rate')}</figcaption>
            <Chart
              title={t('deliveries.rate')}
              times={times}
              height={160}
              leastTop={1}
              formatX={formatX}
              format={value => formatPercent(language, value)}
              series={[
                {
                  label: t('deliveries.rate'),
                  color: 3,
                  kind: 'line',
                  values: data.map(successRate),
                },
              ]}
            />
          </figure>
          <figure className="min-w-0">
            <figcaption className="pb-1 text-soft">{t('deliveries.latency')}</figcaption>
            <Chart
              title={t('deliveries.latency')}
              times={times}
              height={160}
              leastTop={100}
              formatX={formatX}
              format={value => formatDuration(language, value)}
              series={[
                { label: t('deliveries.p50'), color: 1, kind: 'line', values: data.map(({ p50_ms }) => p50_ms) },
                { label: t('deliveries.p95'), color: 2, kind: 'line', values: data.map(({ p95_ms }) => p95_ms) },
              ]}
            />
          </figure>
        </div>
      )}
    </div>
  );
}
