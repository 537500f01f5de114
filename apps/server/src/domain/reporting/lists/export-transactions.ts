import type { TransactionColumn } from '@coinslot/contract';
import type { Db } from '../../../db/db.ts';
import { decimalText } from '../../../kit/money.ts';
import { type Actor, auditScope, writeAudit } from '../../audit/audit.ts';
import type { Environment } from '../../game/environment.ts';
import { type LedgerSums, sumLedger } from '../../ledger/sum-ledger.ts';
import type { OrderItem } from '../../order/order.ts';
import type { Payment } from '../../payment/payment.ts';
import { csvLine } from './csv.ts';
import { listTransactions } from './list-transactions.ts';
import { listItemsOfOrders } from './orders.sql.ts';
import type { TransactionFilter } from './transaction-filter.ts';

const BATCH = 500;
const MOST_WALKED = 20_000;
/** So that spreadsheets read the file as UTF-8. */
const BYTE_ORDER_MARK = '\u{feff}';

const iso = (time: Date | null): string | null => time?.toISOString() ?? null;

/** What a row knows besides its payment; null for what no column asks for. */
interface More {
  sums: LedgerSums | null;
  items: readonly OrderItem[] | null;
}

type Cell = (payment: Payment, more: More) => string | number | null;

/** `2 × potion; sword`, by sku, because names may change. */
const itemsCell: Cell = (_payment, { items }) =>
  items?.map(({ sku, quantity }) => (quantity > 1 ? `${quantity} × ${sku}` : sku)).join('; ') ?? null;

/** From the ledger, which is kept for real money only. */
const ledgerCell =
  (sumOf: (sums: LedgerSums) => number): Cell =>
  ({ currency }, { sums }) =>
    sums && decimalText(sumOf(sums), currency);

const LEDGER_CELLS = {
  captured_amount: ledgerCell(({ capturedMinor }) => capturedMinor),
  returned_amount: ledgerCell(({ refundedMinor }) => refundedMinor),
  reversed_amount: ledgerCell(({ disputedMinor }) => disputedMinor),
  fee: (_payment, { sums }) => (sums?.feeCurrency ? decimalText(sums.feeMinor, sums.feeCurrency) : null),
  fee_currency: (_payment, { sums }) => sums?.feeCurrency ?? null,
} satisfies Partial<Record<TransactionColumn, Cell>>;

const CELLS: Record<TransactionColumn, Cell> = {
  payment_id: ({ id }) => id,
  created_at: ({ createdAt }) => iso(createdAt),
  status: ({ status }) => status,
  amount: ({ amountMinor, currency }) => decimalText(amountMinor, currency),
  currency: ({ currency }) => currency,
  method: ({ method }) => method,
  brand: ({ brand }) => brand,
  last4: ({ last4 }) => last4,
  country: ({ country }) => country,
  player_id: ({ playerId }) => playerId,
  order_id: ({ orderId }) => orderId,
  items: itemsCell,
  email: ({ email }) => email,
  response_code: ({ responseCode }) => responseCode,
  response_description: ({ responseDescription }) => responseDescription,
  gateway: ({ gateway }) => gateway,
  refund_reason: ({ refundReason }) => refundReason,
  dispute_reason: ({ disputeReason }) => disputeReason,
  problem: ({ problem }) => problem,
  authorized_at: ({ authorizedAt }) => iso(authorizedAt),
  captured_at: ({ capturedAt }) => iso(capturedAt),
  refunded_at: ({ refundedAt }) => iso(refundedAt),
  ...LEDGER_CELLS,
};

export interface ExportScope {
  environmentId: string;
  mode: 'live' | 'sandbox';
}

/**
 * The whole list, batch by batch, each read only when the one before was taken: the memory is the same for a hundred rows
 * and for millions, and a reader that stops ends it.
 */
export async function* exportTransactions(
  db: Db,
  { environmentId, mode }: ExportScope,
  filter: TransactionFilter,
  columns: readonly TransactionColumn[],
): AsyncGenerator<string> {
  const needsLedger = mode === 'live' && columns.some(column => column in LEDGER_CELLS);
  yield BYTE_ORDER_MARK + csvLine(columns);
  for (let before: string | null | undefined; before !== null; ) {
    const page = await listTransactions(db, environmentId, filter, {
      before: before ?? null,
      limit: BATCH,
      mostScanned: MOST_WALKED,
    });
    if (page.rows.length > 0) {
      const ids = page.rows.map(({ id }) => id);
      const sums = needsLedger ? await sumLedger(db, environmentId, ids) : null;
      const orderIds = [...new Set(page.rows.map(({ orderId }) => orderId))];
      const itemsOf = columns.includes('items') ? await listItemsOfOrders(db, environmentId, orderIds) : null;
      const cells = (payment: Payment) => {
        const more = { sums: sums?.get(payment.id) ?? null, items: itemsOf?.get(payment.orderId) ?? null };
        return columns.map(column => CELLS[column](payment, more));
      };
      yield page.rows.map(payment => csvLine(cells(payment))).join('');
    }
    before = page.nextBefore;
  }
}

interface Exported {
  columns: string[];
  filters: string[];
  kind?: 'transactions.exported' | 'orders.exported';
}

/** Which columns and by which filters; not their values, which may name players. */
export function noteExport(
  db: Db,
  actor: Actor,
  environment: Environment,
  { columns, filters, kind = 'transactions.exported' }: Exported,
): Promise<void> {
  return db.transaction(async tx => {
    const after = { columns, filters: filters.filter(name => name !== 'columns') };
    writeAudit(tx, actor, { ...auditScope(environment), kind, after });
  });
}
