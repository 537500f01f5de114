import type { dashboardEndpoints, OrderColumn, OrderStatus, QueryOf } from '@coinslot/contract';
import type { Db } from '../../../db/db.ts';
import type { Stored } from '../../../db/table.ts';
import { decimalText } from '../../../kit/money.ts';
import type { OrderAt } from '../../order/order.sql.ts';
import { type Order, orderIs, statusAt } from '../../order/order.ts';
import { ORDERS } from '../../order/order-row.ts';
import { problemText } from '../../order/order-view.ts';
import { NEEDS_ATTENTION } from '../../payment/payment.sql.ts';
import { type Payment, paymentIs } from '../../payment/payment.ts';
import { defineExport, isoTime, itemsCell } from './csv.ts';
import { defineList, wordsOf } from './define-list.ts';
import {
  beginningWith,
  equals,
  exactly,
  type IndexRange,
  isOneOf,
  isWithin,
  listIdsWithin,
  MOST_FOUND,
} from './index-scan.sql.ts';
import { listLastPaymentIds, listOpenOrderIds, listOrderIdsByEmail, listPaymentsById } from './orders.sql.ts';
import type { Criterion } from './plan-scan.ts';
import { listSearched, listSkusNamed } from './search.sql.ts';

export type OrderQuery = Omit<QueryOf<typeof dashboardEndpoints.exportOrders>, 'columns'>;

/** As a reader must see it: an unpaid order whose time is over has lapsed. */
const STATUS = `case when status = 'created' and expires_at <= app_now() then 'expired' else status end`;

const ofStage = (stage: string): IndexRange => ({ prefix: { stage }, predicate: `stage <> 'open'` });

/**
 * Orders that are not over are in no index of statuses, so that a step between enters none: those that are being paid are
 * found by their payments, and those that wait for their player are most of the newest.
 */
function criterionOf(statuses: OrderStatus[]): Criterion {
  const condition = isOneOf(STATUS, statuses);
  if (statuses.includes('created')) return { condition };
  const ended = statuses.filter(status => !orderIs(status, 'open')).map(ofStage);
  if (ended.length === statuses.length) return { condition, ranges: ended };
  return {
    condition,
    find: (tx, { environmentId }) => listOpenOrderIds(tx, environmentId, MOST_FOUND),
    leftOut: ended,
  };
}

export const orderList = defineList<OrderQuery, Stored<Order> & { id: string }, OrderAt>({
  table: 'orders',
  idPrefix: 'ord',
  columns: ORDERS.columns.sqlText,
  filters: {
    player_id: player => ({
      condition: equals('player_id', player),
      find: (tx, scope) => listIdsWithin(tx, scope, exactly('player_id', player)),
    }),
    q: q => {
      if (q.includes('@'))
        return { find: (tx, { environmentId }) => listOrderIdsByEmail(tx, environmentId, q, MOST_FOUND) };
      const span = beginningWith('player_id', q);
      return {
        condition: isWithin(span),
        window: async (tx, scope, bounds) => {
          const skus = await listSkusNamed(tx, scope.environmentId, q);
          if (skus.length === 0) return null;
          const [byItem, byPlayer] = await Promise.all([
            listSearched(tx, scope.environmentId, 'sku', skus, bounds),
            listIdsWithin(tx, scope, span),
          ]);
          return { ...byItem, ids: [...new Set([...byItem.ids, ...(byPlayer ?? [])])] };
        },
        find: (tx, scope) => listIdsWithin(tx, scope, span),
      };
    },
    attention: () => ({
      condition: { text: NEEDS_ATTENTION.sqlText, values: [] },
      ranges: [{ prefix: {}, predicate: NEEDS_ATTENTION.sqlText }],
    }),
    status: text => criterionOf(wordsOf<OrderStatus>(text)),
  },
  async present(tx, environmentId, rows) {
    const ids = rows.map(({ id }) => id);
    const { now, lastOf } = await listLastPaymentIds(tx, environmentId, ids);
    return rows.map(row => ({ order: ORDERS.read(row), now, paymentId: lastOf.get(row.id) ?? null }));
  },
});

/** The newest orders of a query by their ids, and whether there are more. */
export async function listOrderIds(
  db: Db,
  environmentId: string,
  query: OrderQuery,
  most: number,
): Promise<{ ids: string[]; isCapped: boolean }> {
  const ids: string[] = [];
  for await (const rows of orderList.pages(db, environmentId, query, most + 1)) {
    ids.push(...rows.map(({ order }) => order.id));
    if (ids.length > most) break;
  }
  return { ids: ids.slice(0, most), isCapped: ids.length > most };
}

export const exportOrders = defineExport<OrderQuery, OrderAt, OrderColumn, Payment | null>(orderList, {
  cells: {
    order_id: ({ order }) => order.id,
    created_at: ({ order }) => isoTime(order.createdAt),
    status: ({ order, now }) => statusAt(order, now),
    amount: ({ order: { amountMinor, currency } }) => decimalText(amountMinor, currency),
    currency: ({ order }) => order.currency,
    items: ({ order }) => itemsCell(order.items),
    player_id: ({ order }) => order.playerId,
    email: ({ order }, payment) => payment?.email ?? order.email,
    granted_at: ({ order }) => isoTime(order.grantedAt),
    payment_id: (_found, payment) => payment?.id ?? null,
    method: (_found, payment) => payment?.method ?? null,
    brand: (_found, payment) => payment?.brand ?? null,
    last4: (_found, payment) => payment?.last4 ?? null,
    captured_at: (_found, payment) => isoTime(payment?.capturedAt),
    refunded_at: (_found, payment) => isoTime(payment?.refundedAt),
    refund_reason: (_found, payment) => payment?.refundReason ?? null,
    refunded_amount: (_found, payment) =>
      payment && paymentIs(payment.status, 'money_back') ? decimalText(payment.amountMinor, payment.currency) : null,
    dispute_reason: (_found, payment) => payment?.disputeReason ?? null,
    problem: ({ order }, payment) => problemText(payment?.problem ?? order.problem),
  },
  async readMore(db, { id }, orders) {
    const ids = orders.flatMap(({ paymentId }) => paymentId ?? []);
    const payments = await listPaymentsById(db, id, ids);
    return ({ paymentId }) => (paymentId === null ? null : (payments.get(paymentId) ?? null));
  },
});
