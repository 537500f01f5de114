import type { Payment, TransactionColumn } from '@coinslot/contract';
import { ArrowLeftRight, Download } from 'lucide-react';
import { useMemo } from 'react';
import { amountSpanOf, amountText } from '../../kit/amount-range.ts';
import { type AnswerOf, addressOf } from '../../kit/api.ts';
import { formatCountry, formatNumber } from '../../kit/format.ts';
import { spanOf } from '../../kit/range.ts';
import { language, t } from '../../kit/texts.ts';
import { type Filters, useFilters } from '../../kit/use-filters.ts';
import { useRead } from '../../kit/use-read.ts';
import { buttonClass } from '../../ui/button.tsx';
import { brandName, methodName } from '../../ui/cells.tsx';
import { Empty } from '../../ui/empty.tsx';
import { EnvLink, useEnv } from '../../ui/env-link.tsx';
import { FilterBar, type FilterDescription } from '../../ui/filter-bar.tsx';
import { ListView, useColumns } from '../../ui/list-view.tsx';
import { Page } from '../../ui/page.tsx';
import { statusText } from '../../ui/status.tsx';
import { AmountFilter } from './amount-filter.tsx';
import { transactionColumns } from './transaction-columns.tsx';

const STATUSES = [
  'succeeded',
  'declined',
  'authorized',
  'pending',
  'requires_action',
  'refund_requested',
  'refunded',
  'disputed',
  'charged_back',
  'voided',
  'abandoned',
] as const satisfies readonly Payment['status'][];

type Values = AnswerOf<'GET /dashboard/api/games/{game_id}/{mode}/transactions/filters'>;

/** Kept in the address; those that the server knows by the same name, and those that are worked out. */
const PLAIN_KEYS = [
  'q',
  'status',
  'method',
  'brand',
  'country',
  'currency',
  'response_code',
  'player_id',
  'in_review',
] as const;
const KEYS = [...PLAIN_KEYS, 'amount', 'range'] as const;

/** Where an address has an amount and no currency, most have two decimals. */
const ANY_CURRENCY = 'USD';

/** What the server is asked, from what the address says. */
function queryOf(filters: Filters): Record<string, string | number> {
  const plain = Object.fromEntries(PLAIN_KEYS.flatMap(key => (filters[key] ? [[key, filters[key]]] : [])));
  const amounts = amountSpanOf(filters.amount, filters.currency ?? ANY_CURRENCY);
  return { ...plain, ...amounts, ...spanOf(filters.range, new Date()) };
}

function filtersOf(values: Values | undefined, currency = ANY_CURRENCY): FilterDescription[] {
  const choices = (list: Values['methods'] | undefined, name: (value: string) => string) =>
    (list ?? []).map(({ value, label }) => ({ value, label: label ? `${value} ${label}` : name(value) }));
  const same = (value: string): string => value;
  return [
    {
      key: 'status',
      label: t('column.status'),
      many: true,
      choices: STATUSES.map(value => ({ value, label: statusText('payment', value) })),
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
      key: 'in_review',
      label: t('held.filter'),
      choices: [{ value: 'true', label: t('held.filter.waiting') }],
    },
  ];
}

/** Columns of the list, in the names of the file. */
const FILE_COLUMNS: Readonly<Record<string, readonly TransactionColumn[]>> = {
  amount: ['amount', 'currency'],
  status: ['status'],
  method: ['method', 'brand', 'last4'],
  response: ['response_code', 'response_description'],
  country: ['country'],
  player: ['player_id'],
  email: ['email'],
  order: ['order_id'],
  payment: ['payment_id'],
  captured: ['captured_at'],
  time: ['created_at'],
};

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
  const query = useMemo(() => queryOf(filters), [filters]);
  const page = useRead(
    'GET /dashboard/api/games/{game_id}/{mode}/transactions',
    { params, query: { ...query, limit: 50, ...(filters.cursor && { cursor: filters.cursor }) } },
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
    query: {
      ...query,
      columns: ['payment_id', ...columns.flatMap(({ id }) => FILE_COLUMNS[id] ?? [])]
        .filter((one, at, list) => list.indexOf(one) === at)
        .join(','),
    },
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
        filterKeys={KEYS}
        skeletonRows={12}
        empty={
          <Empty
            picture={<ArrowLeftRight size={24} />}
            title={t('transactions.empty')}
            action={
              <EnvLink to="" className={buttonClass({ look: 'primary' })}>
                {t('transactions.emptyDo')}
              </EnvLink>
            }
          >
            {t('transactions.emptyAbout')}
          </Empty>
        }
      />
    </Page>
  );
}
