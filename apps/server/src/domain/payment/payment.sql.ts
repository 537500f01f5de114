import type { PaymentStatus } from '@coinslot/contract';
import {
  fragment,
  type Queryable,
  ROWS,
  type Stored,
  sql,
  sqlForRows,
  sqlUnprepared,
  type Tx,
} from '../../db/statement.ts';
import { LAST_ATTEMPT } from '../order/order.sql.ts';
import { paymentWith } from './payment.ts';
import { PAYMENTS, type Payment } from './payment-row.ts';

/** In the words of the index `payments_needing_attention`, so that PostgreSQL takes it. */
export const NEEDS_ATTENTION = fragment`attention is not null`;

/** When a worker looks after it if the process that has it in hand does not come back. */
type PaymentToSave = Payment & { nextCheckInSeconds: number | null; payerNetwork?: string | null };

const NEW =
  PAYMENTS.pick(`environmentId, id, orderId, playerId, status, gateway, method, email, amountMinor, currency, saveMethod,
  authorizedAt, createdAt, updatedAt`);

const insertPayments = sqlForRows<PaymentToSave & { attemptKey: string | null }>('payment_insert', {
  ...NEW.types,
  payerNetwork: 'text',
  nextCheckInSeconds: 'float8',
  attemptKey: 'text',
})`
  insert into payments (${NEW.names}, payer_network, next_check_at, attempt_key)
  select ${NEW.names}, payer_network, app_now() + make_interval(secs => next_check_in_seconds), attempt_key
  from ${ROWS} as t`;

export const insertPayment = (
  tx: Tx,
  payment: Payment,
  nextCheckInSeconds: number | null,
  { attemptKey = null, payerNetwork = null }: { attemptKey?: string | null; payerNetwork?: string | null } = {},
): void =>
  tx.writeRows(insertPayments, [
    Object.assign(paymentWith(payment, {}), { nextCheckInSeconds, attemptKey, payerNetwork }),
  ]);

/** Whether what the player typed has reached the shop before. */
export const hasAttempt = (tx: Tx, environmentId: string, orderId: string, key: string): Promise<boolean> =>
  tx.queryAny(sql('payment_has_attempt')`
    select id from payments where environment_id || '' = ${environmentId} and order_id = ${orderId} and attempt_key = ${key}`);

const CHANGED = PAYMENTS.omit(
  'environmentId, id, orderId, playerId, gateway, email, amountMinor, currency, saveMethod, createdAt',
);

const updatePayments = sqlForRows<PaymentToSave>('payment_update', {
  environmentId: 'text',
  id: 'text',
  ...CHANGED.types,
  nextCheckInSeconds: 'float8',
})`
  update payments p set ${CHANGED.setFrom('t')},
    next_check_at = case
      when p.next_check_at between app_now() + make_interval(secs => t.next_check_in_seconds * 0.9)
                               and app_now() + make_interval(secs => t.next_check_in_seconds) then p.next_check_at
      else app_now() + make_interval(secs => t.next_check_in_seconds) end, check_tries = 0
  from ${ROWS} as t
  where p.environment_id = t.environment_id and p.id = t.id`;

/**
 * Writes over the version that the payment was read with, or not at all, and answers the payment as it stands then. A date
 * that is right but for a tenth stands: it is in an index, and a step that leaves it enters none.
 */
export function updatePayment(tx: Tx, payment: Payment, nextCheckInSeconds: number | null): Payment {
  const saved = paymentWith(payment, { version: payment.version + 1 });
  tx.writeRows(updatePayments, [Object.assign(paymentWith(saved, {}), { nextCheckInSeconds })]);
  return saved;
}

type CheckWithin = { environmentId: string; id: string; inSeconds: number };

const updatePaymentsCheckWithin = sqlForRows<CheckWithin>('payment_check_within', {
  environmentId: 'text',
  id: 'text',
  inSeconds: 'float8',
})`
  update payments p set next_check_at = app_now() + make_interval(secs => t.in_seconds), check_tries = 0
  from ${ROWS} as t
  where p.environment_id = t.environment_id and p.id = t.id
    and (p.next_check_at is null or p.next_check_at > app_now() + make_interval(secs => t.in_seconds))`;

/** A worker checks it by then. A date that comes sooner stands: most of the time nothing is written. */
export const updatePaymentCheckWithin = (
  tx: Tx,
  { environmentId, id }: Pick<Payment, 'environmentId' | 'id'>,
  inSeconds: number,
): void => tx.writeRows(updatePaymentsCheckWithin, [{ environmentId, id, inSeconds }]);

export const findPayment = (db: Queryable, environmentId: string, id: string): Promise<Payment | null> =>
  PAYMENTS.first(
    db.query(sql('payment_find')`
    select ${PAYMENTS.columns} from payments where environment_id = ${environmentId} and id = ${id}`),
  );

const findPaymentsOfOrders = sqlForRows<Pick<Payment, 'environmentId' | 'orderId'>, Stored<Payment>>(
  'payment_find_of_order',
  PAYMENTS.pick('environmentId, orderId').types,
)`
  select k.n, ${PAYMENTS.of('newest')}
  from (select n, environment_id as of_environment, order_id as of_order from ${ROWS} as r) k
  cross join lateral (
    select ${PAYMENTS.names} from payments p
    where environment_id || '' = k.of_environment and order_id = k.of_order ${LAST_ATTEMPT}) newest`;

/** The one that holds or may hold money, else the last that was tried. Read under the order's lock, it cannot change. */
export async function findPaymentOfOrder(
  db: Queryable,
  environmentId: string,
  orderId: string,
): Promise<Payment | null> {
  const row = await db.queryRow(findPaymentsOfOrders, { environmentId, orderId });
  return row ? PAYMENTS.read(row) : null;
}

export interface PaymentFilter {
  orderId: string | null;
  playerId: string | null;
  needsAttention: boolean;
  status: PaymentStatus | null;
  createdFrom: Date | null;
  createdTo: Date | null;
  beforeId: string | null;
  limit: number;
}

export const listPayments = (db: Queryable, environmentId: string, filter: PaymentFilter): Promise<Payment[]> =>
  PAYMENTS.all(
    db.query(sqlUnprepared('payment_list')`
    select ${PAYMENTS.columns}
    from payments
    where environment_id = ${environmentId}
      and (${filter.orderId}::text is null or order_id = ${filter.orderId})
      and (${filter.playerId}::text is null or player_id = ${filter.playerId})
      and (${filter.status}::text is null or status = ${filter.status})
      and (not ${filter.needsAttention}::boolean or attention is not null)
      and (${filter.createdFrom}::timestamptz is null or created_at >= ${filter.createdFrom})
      and (${filter.createdTo}::timestamptz is null or created_at < ${filter.createdTo})
      and (${filter.beforeId}::text is null or id < ${filter.beforeId})
    order by id desc limit ${filter.limit}`),
  );

/** A studio member accepted the amount that the provider holds in place of the one that was asked for. */
export const updatePaymentAccepted = (
  tx: Tx,
  payment: Pick<Payment, 'environmentId' | 'id' | 'version'>,
  accepted: { amountMinor: number; currency: string; nextCheckInSeconds: number },
): void =>
  tx.write(sql('payment_accepted')`
    update payments set amount_minor = ${accepted.amountMinor}, currency = ${accepted.currency}, problem = null, attention = null,
      version = ${payment.version + 1}, next_check_at = app_now() + make_interval(secs => ${accepted.nextCheckInSeconds})
    where environment_id = ${payment.environmentId} and id = ${payment.id}`);
