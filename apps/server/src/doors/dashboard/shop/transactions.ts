import { dashboardEndpoints as calls, TRANSACTION_COLUMNS } from '@coinslot/contract';
import { paymentViews } from '../../../domain/payment/payment-view.ts';
import { refundPayment } from '../../../domain/purchase/refund/refund-guard.ts';
import { listPaymentValues, type PaymentValue } from '../../../domain/reporting/figures/figures.sql.ts';
import { countTransactions } from '../../../domain/reporting/lists/count-transactions.ts';
import { exportTransactions, transactionList } from '../../../domain/reporting/lists/transactions.ts';
import { previewRefund, readTransactionDetail } from '../../../domain/reporting/timeline/order-detail.ts';
import { type DashboardMount, type DashboardShop, listsOf } from '../define-route.ts';
import { answerExport, answerPage } from '../list-answers.ts';

function mountLists(mount: DashboardMount, shop: DashboardShop): void {
  mount(calls.listTransactions, (context, { query }) =>
    answerPage(shop, context, transactionList, query, rows =>
      paymentViews(shop.db, context.environment, rows, context.language),
    ),
  );

  mount(calls.countTransactions, async (context, { query }) => {
    const now = new Date(shop.clock.nowMs());
    const { count, isExact } = await countTransactions(listsOf(shop, context), context.environment.id, query, now);
    return { count, is_exact: isExact };
  });

  mount(calls.listTransactionFilters, async context => {
    const values = await listPaymentValues(listsOf(shop, context), context.environment.id);
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

  mount(calls.exportTransactions, (context, input) =>
    answerExport(shop, context, 'transactions', input, exportTransactions, TRANSACTION_COLUMNS),
  );
}

export function mountTransactions(mount: DashboardMount, shop: DashboardShop): void {
  mountLists(mount, shop);

  mount(calls.getTransaction, (context, { params }) => readTransactionDetail(shop, context, params.payment_id));

  mount(calls.previewRefund, ({ environment }, { params }) =>
    previewRefund(shop.db, environment.id, params.payment_id),
  );

  mount(calls.refundTransaction, async (context, { params, body }) => {
    const { reason, password, answer } = body;
    const refund = { paymentId: params.payment_id, reason, password, answer, by: context.signedIn };
    await refundPayment({ ...shop.purchasing, publicUrl: shop.publicUrl }, context.actor, context.environment, refund);
    return readTransactionDetail(shop, context, params.payment_id);
  });
}
