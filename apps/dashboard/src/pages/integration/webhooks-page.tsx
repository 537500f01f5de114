import type { DashboardWebhook } from '@coinslot/contract';
import { useNavigate } from '@tanstack/react-router';
import { Plus, TriangleAlert, Webhook } from 'lucide-react';
import { useFilters } from '../../kit/filters.ts';
import { formatDuration, formatPercent } from '../../kit/format.ts';
import { useCurrentGame } from '../../kit/session.ts';
import { useEnv } from '../../kit/use-env.ts';
import { useRead } from '../../kit/use-read.ts';
import { language, t } from '../../texts/texts.ts';
import { Button } from '../../ui/button.tsx';
import { Dash } from '../../ui/cells.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { type Column, DataTable } from '../../ui/list/data-table.tsx';
import { ReadProblem } from '../../ui/loading.tsx';
import { Notice, Page } from '../../ui/page.tsx';
import { Status } from '../../ui/status.tsx';
import { eventName } from './event-text.ts';
import { WebhookDialog } from './webhook-dialog.tsx';

export const takesItems = ({ events, enabled }: DashboardWebhook): boolean =>
  enabled && events.some(kind => kind === 'item.add' || kind === 'item.*' || kind === '*');

const HEALTHY = 0.95;

function Rate({ health: { attempts, succeeded }, name }: DashboardWebhook & { name(share: string): string }) {
  if (attempts === 0) return <Dash />;
  const share = succeeded / attempts;
  return (
    <span className={share < HEALTHY ? 'font-semibold text-bad' : ''}>{name(formatPercent(language, share))}</span>
  );
}

const columns = (): Column<DashboardWebhook>[] => [
  {
    id: 'url',
    title: t('webhooks.url'),
    lead: true,
    grow: true,
    card: 'title',
    cell: ({ url, description }) => (
      <>
        <span className="block truncate" title={url}>
          {url}
        </span>
        {description && (
          <span className="block truncate text-12 font-normal text-soft" title={description}>
            {description}
          </span>
        )}
      </>
    ),
  },
  {
    id: 'events',
    title: t('webhooks.events'),
    card: 'below',
    cell: ({ events }) => (
      <span className="text-soft">
        {events.slice(0, 2).map(eventName).join(', ')}
        {events.length > 2 && ` ${t('webhooks.more', { count: events.length - 2 })}`}
      </span>
    ),
  },
  {
    id: 'status',
    title: t('column.status'),
    card: 'corner',
    cell: ({ enabled }) => <Status kind="other" status={enabled ? 'enabled' : 'disabled'} />,
  },
  {
    id: 'rate',
    title: t('webhooks.rate'),
    align: 'end',
    cell: webhook => <Rate {...webhook} name={share => share} />,
    card: 'below',
    cardCell: webhook => <Rate {...webhook} name={share => t('webhooks.rateOf', { share })} />,
  },
  {
    id: 'latency',
    title: t('webhooks.latency'),
    align: 'end',
    cell: ({ health }) => (health.p95_ms === null ? <Dash /> : formatDuration(language, health.p95_ms)),
  },
];

export function WebhooksPage() {
  const params = useEnv();
  const { may } = useCurrentGame();
  const navigate = useNavigate();
  const [filters, change] = useFilters();
  const isAdding = filters.add !== undefined;
  const read = useRead('GET /dashboard/api/games/{game_id}/{mode}/webhooks', { params });
  const add = may('changeWebhooks') && (
    <Button look="primary" icon={<Plus size={16} aria-hidden />} onClick={() => change({ add: '1' })}>
      {t('webhooks.add')}
    </Button>
  );
  const list = read.data?.data;
  return (
    <Page
      title={t('nav.webhooks')}
      about={t('webhooks.about')}
      guide="webhooks"
      // It is there while the list is read, so that the page does not move.
      actions={list?.length !== 0 && add}
    >
      {read.isError && <ReadProblem error={read.error} retry={() => void read.refetch()} />}
      {list && list.length > 0 && !list.some(takesItems) && (
        <div className="pb-4">
          <Notice tone="warn" icon={<TriangleAlert size={16} aria-hidden />}>
            {t(params.mode === 'live' ? 'webhooks.noItemsLive' : 'webhooks.noItemsSandbox')}
          </Notice>
        </div>
      )}
      {!read.isError && (
        <DataTable
          label={t('nav.webhooks')}
          columns={columns()}
          rows={list}
          idOf={({ id }) => id}
          linkOf={({ id }) => ({ to: 'integration/webhooks/$webhookId', params: { webhookId: id } })}
          skeletonRows={3}
          empty={
            <EmptyState picture={<Webhook size={24} />} title={t('webhooks.empty')} action={add}>
              {t('webhooks.emptyAbout')}
            </EmptyState>
          }
        />
      )}
      {isAdding && read.data && (
        <WebhookDialog
          webhook={null}
          classes={read.data.event_classes}
          onClose={() => change({ add: undefined }, { replace: true })}
          onSaved={({ id }) => void navigate({ to: `/g/${params.game_id}/${params.mode}/integration/webhooks/${id}` })}
        />
      )}
    </Page>
  );
}
