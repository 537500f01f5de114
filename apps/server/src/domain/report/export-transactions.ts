import type { TransactionColumn } from '@coinslot/contract';
import type { Db } from '../../db/db.ts';
import { decimalText } from '../../kit/money.ts';
import type { Payment } from '../payment/payment.ts';
import { csvLine } from './csv.ts';
import { listTransactions } from './list-transactions.ts';
import type { TransactionFilter } from './transaction-list.ts';

const BATCH = 500;
const MOST_WALKED = 20_000;
/** So that spreadsheets read the file as UTF-8. */
const BYTE_ORDER_MARK = '\u{feff}';

const iso = (time: Date | null): string | null => time?.toISOString() ?? null;

const CELLS: Record<TransactionColumn, (payment: Payment) => string | number | null> = {
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
};

/**
 * The whole list, batch by batch, each read only when the one before was taken: the memory is the same for a hundred rows
 * and for millions, and a reader that stops ends it.
 */
export async function* exportTransactions(
  db: Db,
  environmentId: string,
  filter: TransactionFilter,
  columns: readonly TransactionColumn[],
): AsyncGenerator<string> {
  yield BYTE_ORDER_MARK + csvLine(columns);
  for (let before: string | null | undefined; before !== null; ) {
    const page = await listTransactions(db, environmentId, filter, {
      before: before ?? null,
      limit: BATCH,
      mostWalked: MOST_WALKED,
    });
    if (page.rows.length > 0) {
      yield page.rows.map(payment => csvLine(columns.map(column => CELLS[column](payment)))).join('');
    }
    before = page.nextBefore;
  }
}
