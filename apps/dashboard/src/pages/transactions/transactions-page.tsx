import type { Payment } from '@coinslot/contract';
import { PAYMENT_STATUSES } from '@coinslot/contract/payment-statuses';
import { ArrowLeftRight, Download } from 'lucide-react';
import { useMemo, useRef } from 'react';
import { addressOf } from '../../kit/address.ts';
import type { AnswerOf } from '../../kit/api.ts';
import { pageQuery, useFilters } from '../../kit/filters.ts';
import { formatCountry, formatNumber } from '../../kit/format.ts';
import { amountText } from '../../kit/money.ts';
import { useCurrentGame } from '../../kit/session.ts';
import { useEnv } from '../../kit/use-env.ts';
import { useRead } from '../../kit/use-read.ts';
import { language, t } from '../../texts/texts.ts';
import { buttonClass } from '../../ui/button.tsx';
import { brandName, methodName } from '../../ui/cells.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { EnvLink } from '../../ui/env-link.tsx';
import { FilterBar, type FilterDescription } from '../../ui/list/filter-bar.tsx';
import { ListView } from '../../ui/list/list-view.tsx';
import { useSelection } from '../../ui/list/selection.tsx';
import { Page } from '../../ui/page.tsx';
import { rowName, statusText } from '../../ui/status.tsx';
import { BulkButton, useBulk } from '../orders/bulk-dialog.tsx';
import { SavedViews } from '../views/saved-views.tsx';
import { useColumns } from '../views/use-columns.tsx';
import { useViews } from '../views/use-view.ts';
import { ViewTabs } from '../views/view-tabs.tsx';
import { AmountFilter } from './amount-filter.tsx';
import { transactionColumns } from './transaction-columns.tsx';
import { ANY_CURRENCY, fileColumns, TRANSACTION_KEYS, transactionQuery } from './transaction-filters.ts';

type Values = AnswerOf<'GET /dashboard/api/games/{game_id}/{mode}/transactions/filters'>;

function filtersOf(values: Values | undefined, currency = ANY_CURRENCY): FilterDescription[] {
  const choices = (list: Values['methods'] | undefined, name: (value: string) => string) =>
    (list ?? []).map(({ value, label }) => ({ value, label: label ? `${value} ${label}` : name(value) }));
  const same = (value: string): string => value;
  return [
    {
      key: 'status',
      label: t('column.status'),
      many: true,
      choices: PAYMENT_STATUSES.map(value => ({ value, label: statusText('payment', value) })),
    },
    {
      key: 'amount',
      label: t('column.amount'),
      show: text => amountText(language, text, currency),
      panel: close => <AmountFilter currencies={(values?.currencies ?? []).map(({ value }) => value)} close={close} />,
    },
    { key: 'method', label: t('column.method'), choices: choices(values?.methods, methodName) },
    { key: 'brand', label: t('column.brand'), choices: choices(values?.brands, brandName) },
    {
      key: 'country',
      label: t('column.country'),
      choices: choices(values?.countries, code => formatCountry(language, code)),
    },
    { key: 'currency', label: t('column.currency'), choices: choices(values?.currencies, same) },
    { key: 'response_code', label: t('column.response'), choices: choices(values?.response_codes, same) },
    { key: 'player_id', label: t('column.player') },
    {
      key: 'attention',
      label: t('attention.filter'),
      choices: [{ value: 'true', label: t('attention.filter.yes') }],
    },
  ];
}

function Count({ query }: { query: Record<string, string | number> }) {
  const params = useEnv();
  const count = useRead(
    'GET /dashboard/api/games/{game_id}/{mode}/transactions/count',
    { params, query },
    {
      keep: true,
    },
  );
  if (!count.data || count.data.count === 0) return null;
  return (
    <span className="text-16 text-soft">
      {count.data.is_exact ? '' : '≈ '}
      {formatNumber(language, count.data.count)}
    </span>
  );
}

/** Reserved, or captured and not returned. Of any other payment there is nothing to give back. */
const holdsMoney = ({ status, captured_at: capturedAt, refunded_at: refundedAt }: Payment): boolean =>
  status === 'authorized' || (capturedAt !== null && refundedAt === null);

/** The orders of the chosen payments that hold money. The preview of the action says which of them it can change. */
function useChosenOrders(rows: readonly Payment[] | undefined, ids: ReadonlySet<string>): string[] {
  const seen = useRef(new Map<string, Payment>());
  for (const row of rows ?? []) seen.current.set(row.payment_id, row);
  const chosen = [...ids].flatMap(id => seen.current.get(id) ?? []);
  return [...new Set(chosen.filter(holdsMoney).map(({ order_id }) => order_id))];
}

const NoTransactions = () => (
  <EmptyState
    picture={<ArrowLeftRight size={24} />}
    title={t('transactions.empty')}
    action={
      <EnvLink to="" className={buttonClass({ look: 'primary' })}>
        {t('transactions.emptyDo')}
      </EnvLink>
    }
  >
    {t('transactions.emptyAbout')}
  </EmptyState>
);

export function TransactionsPage() {
  const params = useEnv();
  const [filters] = useFilters();
  const query = useMemo(() => transactionQuery(filters, new Date()), [filters]);
  const page = useRead(
    'GET /dashboard/api/games/{game_id}/{mode}/transactions',
    { params, query: { ...pageQuery(filters), ...query } },
    { keep: true },
  );
  const values = useRead('GET /dashboard/api/games/{game_id}/{mode}/transactions/filters', { params });
  const all = useMemo(transactionColumns, []);
  const views = useViews('transactions', TRANSACTION_KEYS);
  const selection = useSelection();
  const [openBulk, bulkDialog] = useBulk(selection);
  const orders = useChosenOrders(page.data?.data, selection.ids);
  const { may } = useCurrentGame();
  const [columns, chooser] = useColumns(all, views);
  const described = filtersOf(values.data, filters.currency).filter(
    // All filters are shown while the values load, so that the list below does not move.
    ({ choices }) => values.data === undefined || choices === undefined || choices.length > 0,
  );
  const file = addressOf('/dashboard/api/games/{game_id}/{mode}/transactions/export', {
    params,
    query: { ...query, columns: fileColumns(columns.map(({ id }) => id)).join(',') },
  });
  return (
    <Page
      title={t('nav.transactions')}
      badge={<Count query={query} />}
      actions={
        <>
          {chooser}
          <SavedViews views={views} columns={columns.map(({ id }) => id)} />
          <a href={file} download className={buttonClass()}>
            <Download size={16} aria-hidden />
            {t('transactions.export')}
          </a>
        </>
      }
    >
      <ViewTabs views={views} />
      <FilterBar search={t('transactions.search')} filters={described} ranged />
      <ListView
        label={t('nav.transactions')}
        page={page}
        columns={columns}
        idOf={row => row.payment_id}
        linkOf={row => ({ to: 'transactions/$paymentId', params: { paymentId: row.payment_id } })}
        nameOf={row => rowName('payment', row)}
        filterKeys={TRANSACTION_KEYS}
        selection={selection}
        acts={
          may('actInBulk') &&
          orders.length > 0 && <BulkButton onClick={() => openBulk({ order_ids: orders.join(',') })} />
        }
        skeletonRows={12}
        empty={<NoTransactions />}
      />
      {bulkDialog}
    </Page>
  );
}
