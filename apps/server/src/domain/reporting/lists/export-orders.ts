import type { OrderColumn } from '@coinslot/contract';
import type { Db } from '../../../db/db.ts';
import { decimalText } from '../../../kit/money.ts';
import type { OrderAt } from '../../order/order.sql.ts';
import { statusAt } from '../../order/order.ts';
import type { Payment } from '../../payment/payment.ts';
import { csvLine } from './csv.ts';
import { listDashboardOrders, type OrderListFilter } from './list-orders.ts';
import { listPaymentsById } from './orders.sql.ts';

const BATCH = 500;
const MOST_WALKED = 20_000;
/** So that spreadsheets read the file as UTF-8. */
const BYTE_ORDER_MARK = '\u{feff}';

const iso = (time: Date | null | undefined): string | null => time?.toISOString() ?? null;

type Cell = (found: OrderAt, payment: Payment | null) => string | number | null;

/** Money went back, or is on its way. */
const RETURNED: readonly string[] = ['refunded', 'charged_back'];

const CELLS: Record<OrderColumn, Cell> = {
  order_id: ({ order }) => order.id,
  created_at: ({ order }) => iso(order.createdAt),
  status: ({ order, now }) => statusAt(order, now),
  amount: ({ order: { amountMinor, currency } }) => decimalText(amountMinor, currency),
  currency: ({ order }) => order.currency,
  items: ({ order: { items } }) =>
    items.map(({ sku, quantity }) => (quantity > 1 ? `${quantity} × ${sku}` : sku)).join('; '),
  player_id: ({ order }) => order.playerId,
  email: ({ order }, payment) => payment?.email ?? order.email,
  granted_at: ({ order }) => iso(order.grantedAt),
  payment_id: (_found, payment) => payment?.id ?? null,
  method: (_found, payment) => payment?.method ?? null,
  brand: (_found, payment) => payment?.brand ?? null,
  last4: (_found, payment) => payment?.last4 ?? null,
  captured_at: (_found, payment) => iso(payment?.capturedAt),
  refunded_at: (_found, payment) => iso(payment?.refundedAt),
  refund_reason: (_found, payment) => payment?.refundReason ?? null,
  refunded_amount: (_found, payment) =>
    payment && RETURNED.includes(payment.status) ? decimalText(payment.amountMinor, payment.currency) : null,
  dispute_reason: (_found, payment) => payment?.disputeReason ?? null,
  problem: ({ order }, payment) => payment?.problem ?? order.problem,
};

/** The whole list with the last payment of each order, batch by batch: the memory is the same for any number of orders. */
export async function* exportOrders(
  db: Db,
  environmentId: string,
  filter: OrderListFilter,
  columns: readonly OrderColumn[],
): AsyncGenerator<string> {
  yield BYTE_ORDER_MARK + csvLine(columns);
  for (let before: string | null | undefined; before !== null; ) {
    const options = { before: before ?? null, limit: BATCH, mostScanned: MOST_WALKED };
    const page = await listDashboardOrders(db, environmentId, filter, options);
    const ids = page.rows.flatMap(({ paymentId }) => paymentId ?? []);
    const payments = await listPaymentsById(db, environmentId, ids);
    const line = (found: OrderAt): string => {
      const payment = found.paymentId === null ? null : (payments.get(found.paymentId) ?? null);
      return csvLine(columns.map(column => CELLS[column](found, payment)));
    };
    if (page.rows.length > 0) yield page.rows.map(line).join('');
    before = page.nextBefore;
  }
}
