import type { Payment } from '@coinslot/contract';
import { DataTable } from '../../ui/list/data-table.tsx';
import { transactionColumns } from './transaction-columns.tsx';

interface PaymentsTableProps {
  label: string;
  rows: readonly Payment[];
  /** Without it the columns of the list, but for the player, who is the same in all rows. */
  columns?: readonly string[];
  none: string;
}

/** Payments on the page of an order or a player. */
export const PaymentsTable = ({ label, rows, columns, none }: PaymentsTableProps) => (
  <DataTable
    label={label}
    columns={transactionColumns().filter(({ id, extra }) => columns?.includes(id) ?? (!extra && id !== 'player'))}
    rows={rows}
    idOf={row => row.payment_id}
    linkOf={row => ({ to: 'transactions/$paymentId', params: { paymentId: row.payment_id } })}
    empty={<p className="text-soft">{none}</p>}
  />
);
