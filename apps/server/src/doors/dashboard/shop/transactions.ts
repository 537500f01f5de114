import { Readable } from 'node:stream';
import { dashboardEndpoints as calls, TRANSACTION_COLUMNS, type TransactionColumn } from '@coinslot/contract';
import { paymentView } from '../../../domain/payment/payment-view.ts';
import { refundPayment } from '../../../domain/purchase/refund/refund-guard.ts';
import { listPaymentValues, type PaymentValue } from '../../../domain/reporting/figures/figures.sql.ts';
import { exportTransactions, noteExport } from '../../../domain/reporting/lists/export-transactions.ts';
import { countTransactions, listTransactions } from '../../../domain/reporting/lists/list-transactions.ts';
import type { TransactionFilter } from '../../../domain/reporting/lists/transaction-filter.ts';
import { previewRefund, readTransactionDetail } from '../../../domain/reporting/timeline/order-detail.ts';
import { cursorOf, limitOf } from '../../../http/paging.ts';
import { type DashboardDeps, listsOf } from '../dashboard-context.ts';
import type { DashboardMount } from '../define-route.ts';
import { boundsOf, type ListQuery, pageView, wordsOf } from '../list-query.ts';

interface FilterQuery extends ListQuery {
  q?: string;
  status?: string;
  method?: string;
  brand?: string;
  country?: string;
  currency?: string;
  amount_from?: number;
  amount_to?: number;
  response_code?: string;
  player_id?: string;
  attention?: 'true';
}

const filterOf = (query: FilterQuery): TransactionFilter => ({
  q: query.q?.trim() || null,
  statuses: wordsOf(query.status),
  method: query.method ?? null,
  brand: query.brand ?? null,
  country: query.country ?? null,
  currency: query.currency ?? null,
  amountFrom: query.amount_from ?? null,
  amountTo: query.amount_to ?? null,
  responseCode: query.response_code ?? null,
  playerId: query.player_id ?? null,
  needsAttention: query.attention === 'true',
  bounds: boundsOf(query, 'pay'),
});

function mountLists(mount: DashboardMount, deps: DashboardDeps): void {
  const { db, clock } = deps;

  mount(calls.listTransactions, async (context, { query }) => {
    const { environment } = context;
    const options = { before: cursorOf(query, 'pay'), limit: limitOf(query) };
    const page = await listTransactions(listsOf(deps, context), environment.id, filterOf(query), options);
    return pageView(page, payment => paymentView(environment, payment));
  });

  mount(calls.countTransactions, async (context, { query }) => {
    const lists = listsOf(deps, context);
    const now = new Date(clock.nowMs());
    const { count, isExact } = await countTransactions(lists, context.environment.id, filterOf(query), now);
    return { count, is_exact: isExact };
  });

  mount(calls.listTransactionFilters, async context => {
    const values = await listPaymentValues(listsOf(deps, context), context.environment.id);
    const of = (facet: PaymentValue['facet']) =>
      values.filter(one => one.facet === facet).map(({ value, label }) => ({ value, label }));
    return {
      methods: of('method'),
      brands: of('brand'),
      countries: of('country'),
      currencies: of('currency'),
      response_codes: of('response_code'),
    };
  });

  mount(calls.exportTransactions, async (context, { query, setHeader }) => {
    const { environment, actor } = context;
    const columns = wordsOf<TransactionColumn>(query.columns);
    const shown = columns.length > 0 ? columns : TRANSACTION_COLUMNS;
    const day = new Date(clock.nowMs()).toISOString().slice(0, 10);
    setHeader('content-disposition', `attachment; filename="transactions-${environment.mode}-${day}.csv"`);
    const scope = { environmentId: environment.id, mode: environment.mode };
    await noteExport(db, actor, environment, { columns: [...shown], filters: Object.keys(query) });
    return Readable.from(exportTransactions(listsOf(deps, context), scope, filterOf(query), shown), {
      objectMode: true,
    });
  });
}

export function mountTransactions(mount: DashboardMount, deps: DashboardDeps): void {
  mountLists(mount, deps);

  mount(calls.getTransaction, (context, { params }) => readTransactionDetail(deps, context, params.payment_id));

  mount(calls.previewRefund, ({ environment }, { params }) =>
    previewRefund(deps.db, environment.id, params.payment_id),
  );

  mount(calls.refundTransaction, async (context, { params, body }) => {
    const refund = { paymentId: params.payment_id, ...body };
    await refundPayment({ ...deps.fulfillment, publicUrl: deps.publicUrl }, context.actor, context.environment, refund);
    return readTransactionDetail(deps, context, params.payment_id);
  });
}
