import type { Payment } from '@coinslot/contract';
import { DataTable } from '../../ui/list/data-table.tsx';
import { transactionColumns } from './transaction-columns.tsx';

interface PaymentsTableProps {
  label: string;
  rows: readonly Payment[];
  /** Defaults to the columns of the payments list without the player, who is the same in all rows. */
  columns?: readonly string[];
  none: string;
}

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
