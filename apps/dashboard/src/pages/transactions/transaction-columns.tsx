import type { Payment } from '@coinslot/contract';
import { t } from '../../texts/texts.ts';
import { Code, ColumnTime, Country, Dash, Method, Time } from '../../ui/cells.tsx';
import { amountColumn, statusColumn, timeTitle } from '../../ui/list/columns.tsx';
import type { Column } from '../../ui/list/data-table.tsx';

export const transactionColumns = (): Column<Payment>[] => [
  amountColumn(),
  statusColumn('payment'),
  {
    id: 'method',
    title: t('column.method'),
    card: 'title',
    cell: ({ method, brand, last4 }) => <Method {...{ method, brand, last4 }} />,
  },
  {
    id: 'response',
    title: t('column.response'),
    grow: true,
    cell: ({ response_code, response_description }) =>
      response_code === null ? (
        <Dash />
      ) : (
        <span title={response_description ?? ''}>
          <Code>{response_code}</Code> <span className="text-soft">{response_description}</span>
        </span>
      ),
  },
  { id: 'country', title: t('column.country'), cell: ({ country }) => <Country code={country} /> },
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
  {
    id: 'email',
    title: t('column.email'),
    extra: true,
    cell: ({ email }) =>
      email ? (
        <span className="inline-block max-w-48 truncate align-bottom" title={email}>
          {email}
        </span>
      ) : (
        <Dash />
      ),
  },
  { id: 'order', title: t('column.order'), extra: true, cell: ({ order_id }) => <Code>{order_id}</Code> },
  { id: 'payment', title: t('column.payment'), extra: true, cell: ({ payment_id }) => <Code>{payment_id}</Code> },
  {
    id: 'captured',
    title: t('column.captured'),
    extra: true,
    cell: ({ captured_at }) => (captured_at === null ? <Dash /> : <Time at={captured_at} />),
  },
  {
    id: 'time',
    title: timeTitle(),
    align: 'end',
    card: 'corner',
    cell: ({ created_at }) => <ColumnTime at={created_at} className="text-soft" />,
  },
];
