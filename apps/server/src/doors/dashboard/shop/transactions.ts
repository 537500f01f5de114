import { Readable } from 'node:stream';
import {
  dashboardEndpoints as calls,
  ROLES,
  type Role,
  TRANSACTION_COLUMNS,
  type TransactionColumn,
  type TransactionDetail,
} from '@coinslot/contract';
import { mayRefund, refundPreview } from '../../../domain/fulfillment/refund-preview.ts';
import { requestRefund } from '../../../domain/fulfillment/request-refund.ts';
import type { Environment } from '../../../domain/game/environment.ts';
import { sumLedger } from '../../../domain/ledger/sum-ledger.ts';
import { findOrder } from '../../../domain/order/order.sql.ts';
import { findChargeDetails } from '../../../domain/payment/gateways/stripe/provider-charge.sql.ts';
import { findPayment } from '../../../domain/payment/payment.sql.ts';
import { paymentFacts } from '../../../domain/payment/payment-facts.ts';
import { paymentView } from '../../../domain/payment/payment-view.ts';
import { listPaymentValues, type PaymentValue } from '../../../domain/report/figures/figures.sql.ts';
import { exportTransactions } from '../../../domain/report/lists/export-transactions.ts';
import { countTransactions, listTransactions } from '../../../domain/report/lists/list-transactions.ts';
import type { TransactionFilter } from '../../../domain/report/lists/transaction-list.ts';
import { readTimeline } from '../../../domain/report/timeline/read-timeline.ts';
import { listItemDeliveries, listPaymentsOfPlayer } from '../../../domain/report/timeline/timeline.sql.ts';
import { timelineOf } from '../../../domain/report/timeline/timeline.ts';
import { confirmPassword } from '../../../domain/user/confirm-password.ts';
import { findItemTarget } from '../../../domain/webhook/subscription.sql.ts';
import { AppError } from '../../../kit/app-error.ts';
import { unixOrNull } from '../../../kit/clock.ts';
import { audited } from '../audited.ts';
import type { EnvironmentContext } from '../dashboard-context.ts';
import type { DashboardDeps } from '../dashboard-deps.ts';
import type { DashboardMount } from '../define-route.ts';
import { beforeOf, boundsOf, type ListQuery, limitOf, pageView, wordsOf } from '../list-query.ts';
import { orderView } from './shop-views.ts';

const OTHER_PAYMENTS = 10;

export const hasRole = (role: Role, least: Role): boolean => ROLES.indexOf(role) >= ROLES.indexOf(least);

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
  in_review?: 'true';
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
  isInReview: query.in_review === 'true',
  bounds: boundsOf(query, 'pay'),
});

async function readPayment({ db }: DashboardDeps, environmentId: string, id: string) {
  const payment = await findPayment(db, environmentId, id);
  const found = payment && (await findOrder(db, environmentId, payment.orderId));
  if (!payment || !found) throw new AppError('payment_not_found');
  return { payment, found };
}

/** The ledger is kept for real money only. */
async function moneyOf(
  { db }: DashboardDeps,
  environment: Environment,
  paymentId: string,
): Promise<TransactionDetail['money']> {
  if (environment.mode === 'sandbox') return null;
  const sums = (await sumLedger(db, environment.id, [paymentId])).get(paymentId)!;
  return {
    reserved: sums.authorizedMinor,
    collected: sums.capturedMinor,
    returned: sums.refundedMinor,
    reversed: sums.disputedMinor,
    fee: sums.feeCurrency === null ? null : sums.feeMinor,
    fee_currency: sums.feeCurrency,
  };
}

async function detailOf(deps: DashboardDeps, context: EnvironmentContext, id: string): Promise<TransactionDetail> {
  const { environment, role } = context;
  const { payment, found } = await readPayment(deps, environment.id, id);
  const [purchase, ofPlayer, money, details] = await Promise.all([
    readTimeline(deps.db, environment, found.order),
    listPaymentsOfPlayer(deps.db, environment.id, payment.playerId, OTHER_PAYMENTS + 1),
    moneyOf(deps, environment, id),
    findChargeDetails(deps.db, { environmentId: environment.id, paymentId: id }),
  ]);
  const order = orderView(deps, environment)(found);
  const isLast = found.paymentId === payment.id;
  const view = paymentView(environment, payment);
  return {
    payment: view,
    order,
    money,
    at_provider: details && {
      reference: details.intentId,
      evidence_due_at: unixOrNull(details.evidenceDueAt),
    },
    timeline: timelineOf(purchase),
    other_payments: ofPlayer
      .filter(other => other.id !== payment.id)
      .slice(0, OTHER_PAYMENTS)
      .map(other => paymentView(environment, other)),
    actions: hasRole(role, 'support') && isLast && mayRefund(found.order, payment) ? ['refund'] : [],
    raw: [
      { name: 'payment', json: JSON.stringify(view, null, 2) },
      { name: 'order', json: JSON.stringify(order, null, 2) },
      ...purchase.events.map(({ id: eventId, kind, data }) => ({
        name: `${kind} ${eventId}`,
        json: JSON.stringify(data, null, 2),
      })),
    ],
  };
}

function mountLists(mount: DashboardMount, { db, clock }: DashboardDeps): void {
  mount(calls.listTransactions, async ({ environment }, { query }) => {
    const options = { before: beforeOf(query, 'pay'), limit: limitOf(query) };
    const page = await listTransactions(db, environment.id, filterOf(query), options);
    return pageView(page, payment => paymentView(environment, payment));
  });

  mount(calls.countTransactions, async ({ environment }, { query }) => {
    const { count, isExact } = await countTransactions(db, environment.id, filterOf(query), new Date(clock.nowMs()));
    return { count, is_exact: isExact };
  });

  mount(calls.listTransactionFilters, async ({ environment }) => {
    const values = await listPaymentValues(db, environment.id);
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

  mount(calls.exportTransactions, async ({ environment }, { query, setHeader }) => {
    const columns = wordsOf<TransactionColumn>(query.columns);
    const shown = columns.length > 0 ? columns : TRANSACTION_COLUMNS;
    const day = new Date(clock.nowMs()).toISOString().slice(0, 10);
    setHeader('content-disposition', `attachment; filename="transactions-${environment.mode}-${day}.csv"`);
    setHeader('x-content-type-options', 'nosniff');
    const scope = { environmentId: environment.id, mode: environment.mode };
    return Readable.from(exportTransactions(db, scope, filterOf(query), shown), { objectMode: true });
  });
}

export function mountTransactions(mount: DashboardMount, deps: DashboardDeps): void {
  mountLists(mount, deps);

  mount(calls.getTransaction, (context, { params }) => detailOf(deps, context, params.payment_id));

  mount(calls.previewRefund, async ({ environment }, { params }) => {
    const { payment, found } = await readPayment(deps, environment.id, params.payment_id);
    const [deliveries, target] = await Promise.all([
      listItemDeliveries(deps.db, environment.id, payment.orderId),
      findItemTarget(deps.db, environment.id),
    ]);
    const of = (kind: string) => deliveries.find(delivery => delivery.kind === kind) ?? null;
    const [grant, removal] = [of('item.add'), of('item.remove')];
    return refundPreview({ order: found.order, payment, grant, removal, hasReceiver: target !== null });
  });

  mount(calls.refundTransaction, async (context, { params, body }) => {
    const { environment } = context;
    const { payment, found } = await readPayment(deps, environment.id, params.payment_id);
    // A session left open on a client must not be enough to move real money.
    if (environment.mode === 'live' || body.password !== undefined) {
      await confirmPassword(deps, context.signedIn.userId, body.password ?? '');
    }
    if (found.paymentId !== payment.id) {
      const detail = `This payment is ${payment.status} and holds no money; the order was tried again later.`;
      throw new AppError('order_wrong_status', { detail });
    }
    const { amount, currency } = paymentFacts(payment);
    const db = audited(deps.fulfillment.db, context, requested =>
      requested === null
        ? null
        : {
            kind: 'payment.refund_requested',
            objectId: payment.id,
            after: { reason: body.reason, order_id: payment.orderId, amount, currency },
          },
    );
    const input = { environmentId: environment.id, orderId: payment.orderId, reason: body.reason };
    await requestRefund({ ...deps.fulfillment, db }, input);
    return detailOf(deps, context, payment.id);
  });
}
