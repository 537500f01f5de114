import { zoneName } from '../../kit/format.ts';
import { language, t } from '../../texts/texts.ts';
import { Money } from '../cells.tsx';
import { Status, type StatusKind } from '../status.tsx';
import type { Column } from './data-table.tsx';

/** Times are in the member's own zone, so the column heading names it. */
export const timeTitle = (): string => `${t('column.time')} (${zoneName(language, new Date())})`;

export const amountColumn = <Row extends { amount: number; currency: string }>(): Column<Row> => ({
  id: 'amount',
  title: t('column.amount'),
  lead: true,
  align: 'end',
  card: 'side',
  cell: ({ amount, currency }) => <Money minor={amount} currency={currency} className="font-semibold" />,
});

export const statusColumn = <Row extends { status: string }>(kind: StatusKind): Column<Row> => ({
  id: 'status',
  title: t('column.status'),
  card: 'below',
  cell: ({ status }) => <Status kind={kind} status={status} />,
});
