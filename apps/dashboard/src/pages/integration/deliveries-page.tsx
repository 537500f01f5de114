import type { DashboardWebhook, DeliverySummary } from '@coinslot/contract';
import { ScrollText, TriangleAlert } from 'lucide-react';
import { useMemo } from 'react';
import { pageQuery, useFilters } from '../../kit/filters.ts';
import { spanOf } from '../../kit/times.ts';
import { useEnv } from '../../kit/use-env.ts';
import { useRead } from '../../kit/use-read.ts';
import { t } from '../../texts/texts.ts';
import { buttonClass } from '../../ui/button.tsx';
import { Code, ColumnTime, Dash, Time } from '../../ui/cells.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { EnvLink } from '../../ui/env-link.tsx';
import { timeTitle } from '../../ui/list/columns.tsx';
import type { Column } from '../../ui/list/data-table.tsx';
import { FilterBar } from '../../ui/list/filter-bar.tsx';
import { ListView } from '../../ui/list/list-view.tsx';
import { Notice, Page } from '../../ui/page.tsx';
import { DeliveryStatus, statusText } from '../../ui/status.tsx';
import { DeliveryCharts } from './delivery-charts.tsx';
import { eventName } from './event-text.ts';

const STATUSES = ['succeeded', 'pending', 'declined', 'exhausted', 'held', 'blocked', 'canceled'] as const;

const columns = (): Column<DeliverySummary>[] => [
  {
    id: 'event',
    title: t('column.event'),
    lead: true,
    card: 'title',
    cell: ({ event_type }) => <span className="whitespace-nowrap">{eventName(event_type)}</span>,
  },
  {
    id: 'status',
    title: t('column.status'),
    card: 'below',
    cell: delivery => <DeliveryStatus {...delivery} />,
  },
  {
    id: 'answer',
    title: t('column.answer'),
    grow: true,
    card: 'below',
    cell: ({ last_status, last_error }) => {
      if (last_status === null && last_error === null) return <Dash />;
      return (
        <span title={last_error ?? ''}>
          {last_status !== null && <Code>{`HTTP ${last_status}`}</Code>}{' '}
          {last_status === null && <span className="text-soft">{last_error}</span>}
        </span>
      );
    },
  },
  { id: 'attempts', title: t('column.attempts'), align: 'end', cell: ({ attempts_made }) => attempts_made },
  {
    id: 'order',
    title: t('column.order'),
    cell: ({ order_id }) => (order_id ? <Code>{order_id}</Code> : <Dash />),
  },
  {
    id: 'time',
    title: timeTitle(),
    align: 'end',
    card: 'corner',
    cell: ({ created_at }) => <ColumnTime at={created_at} className="text-soft" />,
  },
];

const EVENT_TYPES = [
  'item.add',
  'item.remove',
  'order.paid',
  'order.created',
  'payment.declined',
  'payment.succeeded',
  'checkout.opened',
  'webhook.test',
];

/** Says why deliveries wait, or are sent in batches. `named` shows the URL, where several endpoints are listed. */
export function EndpointNotice({ webhook, named = false }: { webhook: DashboardWebhook; named?: boolean }) {
  const { state, failing_since: since, at_once: count } = webhook.endpoint;
  if (!webhook.enabled || state === 'ok' || since === null) return null;
  return (
    <div className="pb-6">
      <Notice tone={state === 'failing' ? 'warn' : 'info'} icon={<TriangleAlert size={16} aria-hidden />}>
        {named && <div className="break-all font-medium">{webhook.url}</div>}
        {t(state === 'failing' ? 'webhooks.failing' : 'webhooks.recovering', { count })} <Time at={since} />
      </Notice>
    </div>
  );
}

export function DeliveriesList({ webhookId }: { webhookId?: string }) {
  const params = useEnv();
  const [filters] = useFilters();
  const webhooks = useRead('GET /dashboard/api/games/{game_id}/{mode}/webhooks', { params });
  const span = useMemo(() => spanOf(filters.range, new Date()), [filters.range]);
  const query = {
    ...pageQuery(filters, 'status', 'event_type', 'webhook_id', 'order_id'),
    ...(webhookId && { webhook_id: webhookId }),
    ...span,
  };
  const page = useRead('GET /dashboard/api/games/{game_id}/{mode}/deliveries', { params, query }, { keep: true });
  const described = [
    {
      key: 'status',
      label: t('column.status'),
      many: true,
      choices: STATUSES.map(value => ({ value, label: statusText('delivery', value) })),
    },
    {
      key: 'event_type',
      label: t('column.event'),
      many: true,
      choices: EVENT_TYPES.map(value => ({ value, label: eventName(value) })),
    },
    ...(webhookId
      ? []
      : [
          {
            key: 'webhook_id',
            label: t('column.webhook'),
            choices: (webhooks.data?.data ?? []).map(({ id, url }) => ({ value: id, label: url })),
          },
        ]),
    { key: 'order_id', label: t('column.order') },
  ];
  return (
    <>
      {!webhookId && webhooks.data?.data.map(webhook => <EndpointNotice key={webhook.id} webhook={webhook} named />)}
      <FilterBar filters={described} ranged />
      <ListView
        label={t('nav.deliveries')}
        page={page}
        columns={columns()}
        idOf={({ id }) => id}
        linkOf={({ id }) => ({ to: 'integration/deliveries/$deliveryId', params: { deliveryId: id } })}
        filterKeys={['status', 'event_type', 'webhook_id', 'order_id', 'range']}
        empty={
          <EmptyState
            picture={<ScrollText size={24} />}
            title={t('deliveries.empty')}
            action={
              <EnvLink to="integration/webhooks" className={buttonClass({ look: 'primary' })}>
                {t('deliveries.emptyDo')}
              </EnvLink>
            }
          >
            {t('deliveries.emptyAbout')}
          </EmptyState>
        }
      />
    </>
  );
}

export const DeliveriesPage = () => (
  <Page title={t('nav.deliveries')} about={t('deliveries.about')} guide="deliveries">
    <div className="border-t border-line py-6">
      <DeliveryCharts />
    </div>
    <DeliveriesList />
  </Page>
);
