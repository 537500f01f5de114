import type { Order } from '@coinslot/contract';
import { ORDER_STATUSES } from '@coinslot/contract/order-statuses';
import { Download, ListChecks, ShoppingBag } from 'lucide-react';
import { useMemo } from 'react';
import { addressOf } from '../../kit/address.ts';
import { pageQuery, pickFilters, useFilters } from '../../kit/filters.ts';
import { itemsText } from '../../kit/format.ts';
import { useCurrentGame } from '../../kit/session.ts';
import { spanOf } from '../../kit/times.ts';
import { useEnv } from '../../kit/use-env.ts';
import { useRead } from '../../kit/use-read.ts';
import { t } from '../../texts/texts.ts';
import { Button, buttonClass } from '../../ui/button.tsx';
import { Code, ColumnTime } from '../../ui/cells.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { EnvLink } from '../../ui/env-link.tsx';
import { amountColumn, statusColumn, timeTitle } from '../../ui/list/columns.tsx';
import type { Column } from '../../ui/list/data-table.tsx';
import { FilterBar } from '../../ui/list/filter-bar.tsx';
import { ListView } from '../../ui/list/list-view.tsx';
import { useSelection } from '../../ui/list/selection.tsx';
import { Page } from '../../ui/page.tsx';
import { rowName, statusText } from '../../ui/status.tsx';
import { SavedViews } from '../views/saved-views.tsx';
import { useColumns } from '../views/use-columns.tsx';
import { useViews, type Views } from '../views/use-view.ts';
import { ViewTabs } from '../views/view-tabs.tsx';
import { BulkButton, useBulk } from './bulk-dialog.tsx';
import { BulkProgress } from './bulk-progress.tsx';

export const orderColumns = (): Column<Order>[] => [
  amountColumn(),
  statusColumn('order'),
  {
    id: 'items',
    title: t('column.items'),
    grow: true,
    card: 'title',
    cell: ({ items }) => <span className="line-clamp-2 md:line-clamp-1">{itemsText(items)}</span>,
  },
  {
    id: 'player',
    title: t('column.player'),
    card: 'below',
    cell: ({ player_id }) => (
      <span className="inline-block max-w-40 truncate align-bottom" title={player_id}>
        {player_id}
      </span>
    ),
  },
  { id: 'order', title: t('column.order'), cell: ({ order_id }) => <Code>{order_id}</Code> },
  {
    id: 'time',
    title: timeTitle(),
    align: 'end',
    card: 'corner',
    cell: ({ created_at }) => <ColumnTime at={created_at} className="text-soft" />,
  },
];

const KEYS = ['q', 'status', 'player_id', 'attention', 'range'] as const;

interface ToolsProps {
  file: string;
  views: Views;
  columns: readonly string[];
  onBulk(): void;
}

function OrderTools({ file, views, columns, onBulk }: ToolsProps) {
  const { may } = useCurrentGame();
  return (
    <>
      <SavedViews views={views} columns={columns} />
      {may('actInBulk') && (
        <Button icon={<ListChecks size={16} aria-hidden />} onClick={onBulk}>
          {t('bulk.title')}
        </Button>
      )}
      <a href={file} download className={buttonClass()}>
        <Download size={16} aria-hidden />
        {t('transactions.export')}
      </a>
    </>
  );
}

const NoOrders = () => (
  <EmptyState
    picture={<ShoppingBag size={24} />}
    title={t('orders.empty')}
    action={
      <EnvLink to="" className={buttonClass({ look: 'primary' })}>
        {t('transactions.emptyDo')}
      </EnvLink>
    }
  >
    {t('orders.emptyAbout')}
  </EmptyState>
);

export function OrdersPage() {
  const params = useEnv();
  const [filters] = useFilters();
  const span = useMemo(() => spanOf(filters.range, new Date()), [filters.range]);
  const attention = filters.attention === 'true' ? { attention: 'true' as const } : {};
  const { may } = useCurrentGame();
  const selection = useSelection();
  const [openBulk, bulkDialog] = useBulk(selection);
  const views = useViews('orders', KEYS);
  const wanted = { ...pickFilters(filters, 'q', 'status', 'player_id'), ...attention, ...span };
  const query = { ...pageQuery(filters), ...wanted };
  const page = useRead('GET /dashboard/api/games/{game_id}/{mode}/orders', { params, query }, { keep: true });
  const all = useMemo(orderColumns, []);
  const [columns, chooser] = useColumns(all, views);
  const file = addressOf('/dashboard/api/games/{game_id}/{mode}/orders/export', { params, query: wanted });
  return (
    <Page
      title={t('nav.orders')}
      guide="orders"
      actions={
        <>
          {chooser}
          <OrderTools file={file} views={views} columns={columns.map(({ id }) => id)} onBulk={() => openBulk(wanted)} />
        </>
      }
    >
      <BulkProgress />
      <ViewTabs views={views} />
      <FilterBar
        search={t('orders.search')}
        ranged
        filters={[
          {
            key: 'status',
            label: t('column.status'),
            many: true,
            choices: ORDER_STATUSES.map(value => ({ value, label: statusText('order', value) })),
          },
          { key: 'player_id', label: t('column.player') },
          {
            key: 'attention',
            label: t('attention.filter'),
            choices: [{ value: 'true', label: t('attention.filter.yes') }],
          },
        ]}
      />
      <ListView
        label={t('nav.orders')}
        page={page}
        columns={columns}
        idOf={row => row.order_id}
        linkOf={row => ({ to: 'orders/$orderId', params: { orderId: row.order_id } })}
        nameOf={row => rowName('order', row)}
        filterKeys={KEYS}
        selection={selection}
        acts={may('actInBulk') && <BulkButton onClick={() => openBulk({ order_ids: [...selection.ids].join(',') })} />}
        skeletonRows={12}
        empty={<NoOrders />}
      />
      {bulkDialog}
    </Page>
  );
}
