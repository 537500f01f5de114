import type { dashboardEndpoints, PaymentStatus, QueryOf, TransactionColumn } from '@coinslot/contract';
import type { Tx } from '../../../db/db.ts';
import type { Stored } from '../../../db/table.ts';
import { decimalsOf, decimalText } from '../../../kit/money.ts';
import { type LedgerSums, sumLedger } from '../../ledger/sum-ledger.ts';
import type { OrderItem } from '../../order/order.ts';
import { problemText } from '../../order/order-view.ts';
import { type DisputeRecord, listDisputesOf } from '../../payment/disputes/dispute.sql.ts';
import { NEEDS_ATTENTION } from '../../payment/payment.sql.ts';
import { type Payment, paymentStatusesThatAre } from '../../payment/payment.ts';
import { PAYMENTS } from '../../payment/payment-row.ts';
import { defineExport, isoTime, itemsCell } from './csv.ts';
import { defineList, wordsOf } from './define-list.ts';
import {
  beginningWith,
  type Condition,
  equals,
  type IndexRange,
  isOneOf,
  isWithin,
  listIdsWithin,
  type ValueSpan,
} from './index-scan.sql.ts';
import { listItemsOfOrders } from './orders.sql.ts';
import type { Criterion } from './plan-scan.ts';
import { listPaidCurrencies, listSearched } from './search.sql.ts';

export type TransactionQuery = QueryOf<typeof dashboardEndpoints.countTransactions>;

/** Not settled yet: few, and the narrow indexes leave them out, so that a payment is entered there once and not at each step. */
const IN_PROGRESS = paymentStatusesThatAre('open');
const SETTLED = `stage <> 'open'`;
const EMAIL = 'lower(email) collate "C"';
const HAS_SETTLED_EMAIL = `${SETTLED} and email is not null`;

/** What is in progress in some of these statuses; without any, in each of them. */
function inProgress(statuses: PaymentStatus[], conditions: Condition[] = []): IndexRange[] {
  const asked = IN_PROGRESS.filter(status => statuses.length === 0 || statuses.includes(status));
  if (asked.length === 0) return [];
  const only = asked.length < IN_PROGRESS.length ? [isOneOf('status', asked)] : [];
  return [{ prefix: { stage: 'open' }, conditions: [...only, ...conditions] }];
}

/**
 * A settled payment is found by an index of its own, one in progress among the few. A column that may be empty has a copy of
 * itself for the index, filled when the payment settles.
 */
const settledBy =
  (column: string, copy?: string) =>
  (value: unknown, { status }: TransactionQuery): Criterion => {
    const condition = equals(column, value);
    const predicate = copy ? `${copy} is not null` : SETTLED;
    const settled: IndexRange = { prefix: { [copy ?? column]: value }, predicate };
    return { condition, ranges: [settled, ...inProgress(wordsOf(status), [condition])] };
  };

/** An amount as a person writes it: `4.99`, `4,99` or `5`. */
const AMOUNT = /^\d{1,10}(?:[.,]\d{1,3})?$/;
const LAST_FOUR = /^\d{4}$/;

/** Each currency that was paid in writes the amount in its own minor units. */
async function amountRanges(
  tx: Tx,
  environmentId: string,
  q: string,
  statuses: PaymentStatus[],
): Promise<IndexRange[]> {
  const [whole, part = ''] = q.split(/[.,]/);
  const currencies = await listPaidCurrencies(tx, environmentId);
  const amounts = [...new Set(currencies.map(decimalsOf))].filter(decimals => part.length <= decimals);
  const asked = amounts.map(decimals => ({
    minor: Number(`${whole}${part.padEnd(decimals, '0')}`),
    currency: isOneOf(
      'currency',
      currencies.filter(currency => decimalsOf(currency) === decimals),
    ),
  }));
  if (asked.length === 0) return [];
  const any: Condition = {
    text: asked.map(({ currency }) => `(amount_minor = ? and ${currency.text})`).join(' or '),
    values: asked.flatMap(({ minor, currency }) => [minor, ...currency.values]),
  };
  return [
    ...asked.map(({ minor, currency }) => ({
      prefix: { amount_minor: minor },
      predicate: SETTLED,
      conditions: [currency],
    })),
    ...inProgress(statuses, [any]),
  ];
}

/** Digits are an amount, the end of a card's number, or the beginning of a player's id. */
const searchDigits = (q: string, { status }: TransactionQuery): Criterion => ({
  window: async (tx, scope, bounds) => {
    const [byCard, byPlayer, ranges] = await Promise.all([
      LAST_FOUR.test(q) ? listSearched(tx, scope.environmentId, 'last4', [q], bounds) : { ids: [], stoppedAt: null },
      listIdsWithin(tx, scope, beginningWith('player_id', q)),
      amountRanges(tx, scope.environmentId, q, wordsOf(status)),
    ]);
    const ids = [...new Set([...byCard.ids, ...(byPlayer ?? [])])];
    return { ...byCard, ids, ranges: [{ prefix: { player_id: q } }, ...ranges] };
  },
});

function search(q: string, query: TransactionQuery): Criterion {
  if (AMOUNT.test(q)) return searchDigits(q, query);
  const { status } = query;
  const email = q.toLowerCase();
  const spans = [
    beginningWith('player_id', q),
    beginningWith(EMAIL, email, HAS_SETTLED_EMAIL),
    ...(q.startsWith('ord_') ? [beginningWith('order_id', q)] : []),
  ];
  const conditions = spans.map(isWithin);
  const ofAddress: IndexRange[] = [
    { prefix: { [EMAIL]: email }, predicate: HAS_SETTLED_EMAIL },
    ...inProgress([], [equals(EMAIL, email)]),
  ];
  return {
    condition: {
      text: conditions.map(({ text }) => `(${text})`).join(' or '),
      values: conditions.flatMap(({ values }) => values),
    },
    // An order's number is as long as any, so what begins with it equals it.
    exact: [{ prefix: { player_id: q } }, ...(q.includes('@') ? ofAddress : [])],
    find: async (tx, scope) => {
      const found = await Promise.all(spans.map(span => listIdsWithin(tx, scope, span)));
      return found.some(ids => ids === null) ? null : [...new Set(found.flatMap(ids => ids ?? []))];
    },
    leftOut: inProgress(wordsOf(status)),
  };
}

/** Amounts between two bounds have no order by id: they are looked up if they are few. */
const amountsWithin = (condition: Condition, query: TransactionQuery): Criterion => {
  const { amount_from: from = 0, amount_to: to = Number.MAX_SAFE_INTEGER - 1 } = query;
  const span: ValueSpan = { column: 'amount_minor', from, below: to + 1, predicate: SETTLED };
  return { condition, find: (tx, scope) => listIdsWithin(tx, scope, span), leftOut: inProgress(wordsOf(query.status)) };
};

export const transactionList = defineList<TransactionQuery, Stored<Payment> & { id: string }, Payment>({
  table: 'payments',
  idPrefix: 'pay',
  columns: PAYMENTS.columns.sqlText,
  filters: {
    q: search,
    attention: () => ({
      condition: { text: NEEDS_ATTENTION.sqlText, values: [] },
      ranges: [{ prefix: {}, predicate: NEEDS_ATTENTION.sqlText }],
    }),
    player_id: player => ({ condition: equals('player_id', player), ranges: [{ prefix: { player_id: player } }] }),
    response_code: settledBy('response_code', 'settled_code'),
    country: settledBy('country', 'settled_country'),
    brand: settledBy('brand', 'settled_brand'),
    currency: settledBy('currency'),
    method: settledBy('method'),
    amount_from: (from, query) =>
      from === query.amount_to
        ? settledBy('amount_minor')(from, query)
        : amountsWithin({ text: 'amount_minor >= ?', values: [from] }, query),
    amount_to: (to, query) =>
      to === query.amount_from ? {} : amountsWithin({ text: 'amount_minor <= ?', values: [to] }, query),
    status: text => {
      const statuses = wordsOf<PaymentStatus>(text);
      const settled = statuses.filter(status => !IN_PROGRESS.includes(status));
      const ranges = [...settled.map(stage => ({ prefix: { stage } })), ...inProgress(statuses)];
      return { condition: isOneOf('status', statuses), ranges };
    },
  },
  present: (_tx, _environmentId, rows) => rows.map(row => PAYMENTS.read(row)),
});

/** What a row knows besides its payment; null for what no column asks for. */
interface More {
  sums: LedgerSums | null;
  items: readonly OrderItem[] | null;
  disputes: readonly DisputeRecord[];
}

const sumText = (parts: readonly (readonly [amountMinor: number, currency: string])[]): string | null => {
  const sums = new Map<string, number>();
  for (const [minor, currency] of parts) sums.set(currency, (sums.get(currency) ?? 0) + minor);
  return sums.size === 0 ? null : [...sums].map(([of, minor]) => `${decimalText(minor, of)} ${of}`).join('; ');
};

/** From the records of disputes: a payment can have several, each about a part. */
const DISPUTE_CELLS = {
  disputes: (_payment: Payment, { disputes }: More) =>
    disputes.map(({ id, status }) => `${id} ${status}`).join('; ') || null,
  disputed_amount: (_payment: Payment, { disputes }: More) =>
    sumText(disputes.map(({ amountMinor, currency }) => [amountMinor, currency])),
  dispute_fee: (_payment: Payment, { disputes }: More) =>
    sumText(
      disputes.flatMap(({ feeMinor, feeCurrency }) => (feeMinor && feeCurrency ? [[feeMinor, feeCurrency]] : [])),
    ),
  dispute_respond_by: (_payment: Payment, { disputes }: More) =>
    disputes.flatMap(({ evidenceDueAt, evidenceStage }) =>
      evidenceStage === 'needed' && evidenceDueAt ? [isoTime(evidenceDueAt)] : [],
    )[0] ?? null,
};

/** From the ledger, which is kept for real money only. */
const ledgerCell =
  (sumOf: (sums: LedgerSums) => number) =>
  ({ currency }: Payment, { sums }: More): string | null =>
    sums && decimalText(sumOf(sums), currency);

const LEDGER_CELLS = {
  captured_amount: ledgerCell(({ capturedMinor }) => capturedMinor),
  returned_amount: ledgerCell(({ refundedMinor }) => refundedMinor),
  reversed_amount: ledgerCell(({ disputedMinor }) => disputedMinor),
  fee: (_payment: Payment, { sums }: More) => (sums?.feeCurrency ? decimalText(sums.feeMinor, sums.feeCurrency) : null),
  fee_currency: (_payment: Payment, { sums }: More) => sums?.feeCurrency ?? null,
};

export const exportTransactions = defineExport<TransactionQuery, Payment, TransactionColumn, More>(transactionList, {
  cells: {
    payment_id: ({ id }) => id,
    created_at: ({ createdAt }) => isoTime(createdAt),
    status: ({ status }) => status,
    amount: ({ amountMinor, currency }) => decimalText(amountMinor, currency),
    currency: ({ currency }) => currency,
    method: ({ method }) => method,
    brand: ({ brand }) => brand,
    last4: ({ last4 }) => last4,
    country: ({ country }) => country,
    player_id: ({ playerId }) => playerId,
    order_id: ({ orderId }) => orderId,
    items: (_payment, { items }) => items && itemsCell(items),
    email: ({ email }) => email,
    response_code: ({ responseCode }) => responseCode,
    response_description: ({ responseDescription }) => responseDescription,
    gateway: ({ gateway }) => gateway,
    refund_reason: ({ refundReason }) => refundReason,
    dispute_reason: ({ disputeReason }) => disputeReason,
    ...DISPUTE_CELLS,
    problem: ({ problem }) => problemText(problem),
    authorized_at: ({ authorizedAt }) => isoTime(authorizedAt),
    captured_at: ({ capturedAt }) => isoTime(capturedAt),
    refunded_at: ({ refundedAt }) => isoTime(refundedAt),
    ...LEDGER_CELLS,
  },
  async readMore(db, { id, mode }, payments, columns) {
    const needsLedger = mode === 'live' && columns.some(column => column in LEDGER_CELLS);
    const ids = payments.map(payment => payment.id);
    const sums = needsLedger ? await sumLedger(db, id, ids) : null;
    const orderIds = [...new Set(payments.map(({ orderId }) => orderId))];
    const itemsOf = columns.includes('items') ? await listItemsOfOrders(db, id, orderIds) : null;
    const disputes = columns.some(column => column in DISPUTE_CELLS) ? await listDisputesOf(db, id, ids) : [];
    return payment => ({
      disputes: disputes.filter(({ paymentId }) => paymentId === payment.id),
      sums: sums?.get(payment.id) ?? null,
      items: itemsOf?.get(payment.orderId) ?? null,
    });
  },
});
