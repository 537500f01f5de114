import type { PaymentStatus } from '@coinslot/contract';
import type { Queryable, Tx } from '../../db/db.ts';
import { fragment, sql, sqlPlannedAnew } from '../../db/sql.ts';
import type { Awaited, Payment } from './payment.ts';

/** As JSON its time is text. */
type AwaitedJson = Omit<Awaited, 'expiresAt'> & { expiresAt: string | null };

export interface PaymentRow {
  environment_id: string;
  id: string;
  order_id: string;
  player_id: string;
  status: PaymentStatus;
  gateway: string;
  method: string;
  brand: string | null;
  last4: string | null;
  country: string | null;
  email: string | null;
  amount_minor: number;
  currency: string;
  response_code: string | null;
  response_description: string | null;
  refund_reason: string | null;
  dispute_reason: string | null;
  problem: string | null;
  awaited: AwaitedJson | null;
  created_at: Date;
  updated_at: Date;
  authorized_at: Date | null;
  captured_at: Date | null;
  refunded_at: Date | null;
}

export const PAYMENT_COLUMNS = fragment`environment_id, id, order_id, player_id, status, gateway, method, brand, last4, country,
  email, amount_minor, currency, response_code, response_description, refund_reason, dispute_reason, problem, awaited, created_at,
  updated_at, authorized_at, captured_at, refunded_at`;

const toAwaited = ({ expiresAt, ...rest }: AwaitedJson): Awaited => ({
  ...rest,
  expiresAt: expiresAt === null ? null : new Date(expiresAt),
});

export const toPayment = (row: PaymentRow): Payment => ({
  environmentId: row.environment_id,
  id: row.id,
  orderId: row.order_id,
  playerId: row.player_id,
  status: row.status,
  gateway: row.gateway,
  method: row.method,
  brand: row.brand,
  last4: row.last4,
  country: row.country,
  email: row.email,
  amountMinor: row.amount_minor,
  currency: row.currency,
  responseCode: row.response_code,
  responseDescription: row.response_description,
  refundReason: row.refund_reason,
  disputeReason: row.dispute_reason,
  problem: row.problem,
  awaited: row.awaited && toAwaited(row.awaited),
  createdAt: row.created_at,
  updatedAt: row.updated_at,
  authorizedAt: row.authorized_at,
  capturedAt: row.captured_at,
  refundedAt: row.refunded_at,
});

/** `attendInSeconds`: when a worker looks after it if the process that started it does not come back. */
export function insertPayment(tx: Tx, payment: Payment, attendInSeconds: number | null): void {
  tx.write(sql('payment_insert')`
    insert into payments (environment_id, id, order_id, player_id, status, gateway, method, email, amount_minor, currency,
                          authorized_at, created_at, updated_at, attend_at)
    values (${payment.environmentId}, ${payment.id}, ${payment.orderId}, ${payment.playerId}, ${payment.status},
            ${payment.gateway}, ${payment.method}, ${payment.email}, ${payment.amountMinor}, ${payment.currency},
            ${payment.authorizedAt}, ${payment.createdAt}, ${payment.updatedAt},
            app_now() + make_interval(secs => ${attendInSeconds}))`);
}

export function updatePayment(tx: Tx, payment: Payment, attendInSeconds: number | null): void {
  tx.write(sql('payment_update')`
    update payments set status = ${payment.status}, method = ${payment.method}, brand = ${payment.brand}, last4 = ${payment.last4},
      country = ${payment.country}, response_code = ${payment.responseCode},
      response_description = ${payment.responseDescription}, refund_reason = ${payment.refundReason},
      dispute_reason = ${payment.disputeReason}, problem = ${payment.problem},
      awaited = ${payment.awaited && JSON.stringify(payment.awaited)}, updated_at = ${payment.updatedAt},
      authorized_at = ${payment.authorizedAt}, captured_at = ${payment.capturedAt}, refunded_at = ${payment.refundedAt},
      attend_at = app_now() + make_interval(secs => ${attendInSeconds}), attend_tries = 0
    where environment_id = ${payment.environmentId} and id = ${payment.id}`);
}

export async function findPayment(db: Queryable, environmentId: string, id: string): Promise<Payment | null> {
  const [row] = await db.query<PaymentRow>(sql('payment_find')`
    select ${PAYMENT_COLUMNS}
    from payments where environment_id = ${environmentId} and id = ${id}`);
  return row ? toPayment(row) : null;
}

/** The one that holds or may hold money, else the last that was tried. Read under the order's lock, it cannot change. */
export async function findPaymentOfOrder(
  db: Queryable,
  environmentId: string,
  orderId: string,
): Promise<Payment | null> {
  const [row] = await db.query<PaymentRow>(sql('payment_find_of_order')`
    select ${PAYMENT_COLUMNS}
    from payments where environment_id = ${environmentId} and order_id = ${orderId} order by id desc limit 1`);
  return row ? toPayment(row) : null;
}

export interface PaymentFilter {
  orderId: string | null;
  playerId: string | null;
  status: PaymentStatus | null;
  createdFrom: Date | null;
  createdTo: Date | null;
  beforeId: string | null;
  limit: number;
}

export async function listPayments(db: Queryable, environmentId: string, filter: PaymentFilter): Promise<Payment[]> {
  const rows = await db.query<PaymentRow>(sqlPlannedAnew('payment_list')`
    select ${PAYMENT_COLUMNS}
    from payments
    where environment_id = ${environmentId}
      and (${filter.orderId}::text is null or order_id = ${filter.orderId})
      and (${filter.playerId}::text is null or player_id = ${filter.playerId})
      and (${filter.status}::text is null or status = ${filter.status})
      and (${filter.createdFrom}::timestamptz is null or created_at >= ${filter.createdFrom})
      and (${filter.createdTo}::timestamptz is null or created_at < ${filter.createdTo})
      and (${filter.beforeId}::text is null or id < ${filter.beforeId})
    order by id desc limit ${filter.limit}`);
  return rows.map(toPayment);
}

export interface PaymentToAttend {
  environmentId: string;
  id: string;
  tries: number;
}

/** What nobody has brought to an end: its process died, or the provider did not say what happened. */
export const claimPaymentsToAttend = (db: Queryable, limit: number, leaseSeconds: number): Promise<PaymentToAttend[]> =>
  db.query(sql('payment_claim')`
    update payments p set attend_at = app_now() + make_interval(secs => ${leaseSeconds}), attend_tries = p.attend_tries + 1
    from (select environment_id, id from payments where attend_at <= app_now()
          order by attend_at limit ${limit} for update skip locked) due
    where p.environment_id = due.environment_id and p.id = due.id
    returning p.environment_id as "environmentId", p.id, p.attend_tries as tries`);

/** The status is the fence: if somebody moved the payment on meanwhile, their date stands. */
export async function updatePaymentAttendAt(
  db: Queryable,
  payment: Pick<Payment, 'environmentId' | 'id' | 'status'>,
  inSeconds: number | null,
): Promise<void> {
  await db.query(sql('payment_attend')`
    update payments set attend_at = app_now() + make_interval(secs => ${inSeconds})
    where environment_id = ${payment.environmentId} and id = ${payment.id} and status = ${payment.status}`);
}

/** A person took what the provider holds for what was asked for. */
export function updatePaymentAccepted(
  tx: Tx,
  payment: Pick<Payment, 'environmentId' | 'id'>,
  accepted: { amountMinor: number; currency: string; attendInSeconds: number },
): void {
  tx.write(sql('payment_accepted')`
    update payments set amount_minor = ${accepted.amountMinor}, currency = ${accepted.currency}, problem = null,
      attend_at = app_now() + make_interval(secs => ${accepted.attendInSeconds})
    where environment_id = ${payment.environmentId} and id = ${payment.id}`);
}
