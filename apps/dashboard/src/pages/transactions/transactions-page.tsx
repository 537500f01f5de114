import { PAYMENT_STATUSES } from '@coinslot/contract/payment-statuses';
import { ArrowLeftRight, Download } from 'lucide-react';
import { useMemo } from 'react';
import { addressOf } from '../../kit/address.ts';
import type { AnswerOf } from '../../kit/api.ts';
import { pageQuery, useFilters } from '../../kit/filters.ts';
import { formatCountry, formatNumber } from '../../kit/format.ts';
import { amountText } from '../../kit/money.ts';
import { useEnv } from '../../kit/use-env.ts';
import { useRead } from '../../kit/use-read.ts';
import { language, t } from '../../texts/texts.ts';
import { buttonClass } from '../../ui/button.tsx';
import { brandName, methodName } from '../../ui/cells.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { EnvLink } from '../../ui/env-link.tsx';
import { FilterBar, type FilterDescription } from '../../ui/list/filter-bar.tsx';
import { ListView, useColumns } from '../../ui/list/list-view.tsx';
import { Page } from '../../ui/page.tsx';
import { rowName, statusText } from '../../ui/status.tsx';
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
  const [columns, chooser] = useColumns('transactions', all);
  const described = filtersOf(values.data, filters.currency).filter(
    ({ choices }) => choices === undefined || choices.length > 0,
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
          <a href={file} download className={buttonClass()}>
            <Download size={16} aria-hidden />
            {t('transactions.export')}
          </a>
        </>
      }
    >
      <FilterBar search={t('transactions.search')} filters={described} ranged />
      <ListView
        label={t('nav.transactions')}
        page={page}
        columns={columns}
        idOf={row => row.payment_id}
        linkOf={row => ({ to: 'transactions/$paymentId', params: { paymentId: row.payment_id } })}
        nameOf={row => rowName('payment', row)}
        filterKeys={TRANSACTION_KEYS}
        skeletonRows={12}
        empty={
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
        }
      />
    </Page>
  );
}
