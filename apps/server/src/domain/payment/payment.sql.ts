import type { PaymentStatus } from '@coinslot/contract';
import type { Queryable, Tx } from '../../db/db.ts';
import { fragment, ROWS, sql, sqlForRows, sqlUnprepared } from '../../db/sql.ts';
import { type AttentionJson, LAST_ATTEMPT, toAttention } from '../order/order.sql.ts';
import type { Payment, PaymentInstructions } from './payment.ts';

/** As JSON its time is text. */
type InstructionsJson = Omit<PaymentInstructions, 'expiresAt'> & { expiresAt: string | null };

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
  dispute_status: Payment['disputeStatus'];
  problem: string | null;
  attention: AttentionJson | null;
  instructions: InstructionsJson | null;
  save_method: boolean;
  created_at: Date;
  updated_at: Date;
  authorized_at: Date | null;
  captured_at: Date | null;
  refunded_at: Date | null;
  settled_at: Date | null;
}

/** As the index of those payments has it. */
export const NEEDS_ATTENTION = fragment`attention is not null`;

export const PAYMENT_COLUMNS = fragment`environment_id, id, order_id, player_id, status, gateway, method, brand, last4, country,
  email, amount_minor, currency, response_code, response_description, refund_reason, dispute_reason,
  dispute_status, problem, attention, instructions, save_method,
  created_at, updated_at, authorized_at, captured_at, refunded_at, settled_at`;

const toInstructions = ({ expiresAt, ...rest }: InstructionsJson): PaymentInstructions => ({
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
  disputeStatus: row.dispute_status,
  problem: row.problem,
  attention: row.attention && toAttention(row.attention),
  instructions: row.instructions && toInstructions(row.instructions),
  saveMethod: row.save_method,
  createdAt: row.created_at,
  updatedAt: row.updated_at,
  authorizedAt: row.authorized_at,
  capturedAt: row.captured_at,
  refundedAt: row.refunded_at,
  settledAt: row.settled_at,
});

/** When a worker looks after it if the process that has it in hand does not come back. */
type PaymentToSave = Payment & { nextCheckInSeconds: number | null; payerNetwork?: string | null };

const insertPayments = sqlForRows<PaymentToSave & { attemptKey: string | null }>('payment_insert', {
  environmentId: 'text',
  id: 'text',
  orderId: 'text',
  playerId: 'text',
  status: 'text',
  gateway: 'text',
  method: 'text',
  email: 'text',
  amountMinor: 'bigint',
  currency: 'text',
  saveMethod: 'boolean',
  payerNetwork: 'text',
  authorizedAt: 'timestamptz',
  createdAt: 'timestamptz',
  updatedAt: 'timestamptz',
  nextCheckInSeconds: 'float8',
  attemptKey: 'text',
})`
  insert into payments (environment_id, id, order_id, player_id, status, gateway, method, email, amount_minor, currency,
                        save_method, payer_network, authorized_at, created_at, updated_at, next_check_at, attempt_key)
  select environment_id, id, order_id, player_id, status, gateway, method, email, amount_minor, currency, save_method, payer_network,
         authorized_at, created_at, updated_at, app_now() + make_interval(secs => next_check_in_seconds), attempt_key
  from ${ROWS} as t`;

export const insertPayment = (
  tx: Tx,
  payment: Payment,
  nextCheckInSeconds: number | null,
  { attemptKey = null, payerNetwork = null }: { attemptKey?: string | null; payerNetwork?: string | null } = {},
): void => tx.writeRows(insertPayments, [{ nextCheckInSeconds, attemptKey, payerNetwork, ...payment }]);

/** Whether what the player typed has reached the shop before. */
export async function hasAttempt(tx: Tx, environmentId: string, orderId: string, key: string): Promise<boolean> {
  const rows = await tx.query(sql('payment_has_attempt')`
    select id from payments where environment_id || '' = ${environmentId} and order_id = ${orderId} and attempt_key = ${key}`);
  return rows.length > 0;
}

const updatePayments = sqlForRows<PaymentToSave>('payment_update', {
  environmentId: 'text',
  id: 'text',
  status: 'text',
  method: 'text',
  brand: 'text',
  last4: 'text',
  country: 'text',
  responseCode: 'text',
  responseDescription: 'text',
  refundReason: 'text',
  disputeReason: 'text',
  disputeStatus: 'text',
  problem: 'text',
  attention: 'json',
  instructions: 'json',
  updatedAt: 'timestamptz',
  authorizedAt: 'timestamptz',
  capturedAt: 'timestamptz',
  refundedAt: 'timestamptz',
  settledAt: 'timestamptz',
  nextCheckInSeconds: 'float8',
})`
  update payments p set status = t.status, method = t.method, brand = t.brand, last4 = t.last4, country = t.country,
    response_code = t.response_code, response_description = t.response_description, refund_reason = t.refund_reason,
    dispute_reason = t.dispute_reason, dispute_status = t.dispute_status, problem = t.problem, attention = t.attention,
    instructions = t.instructions, updated_at = t.updated_at, authorized_at = t.authorized_at, captured_at = t.captured_at,
    refunded_at = t.refunded_at, settled_at = t.settled_at,
    next_check_at = case
      when p.next_check_at between app_now() + make_interval(secs => t.next_check_in_seconds * 0.9)
                               and app_now() + make_interval(secs => t.next_check_in_seconds) then p.next_check_at
      else app_now() + make_interval(secs => t.next_check_in_seconds) end, check_tries = 0
  from ${ROWS} as t
  where p.environment_id = t.environment_id and p.id = t.id`;

/** A date that is right but for a tenth stands: it is in an index, and a step that leaves it enters none. */
export const updatePayment = (tx: Tx, payment: Payment, nextCheckInSeconds: number | null): void =>
  tx.writeRows(updatePayments, [{ nextCheckInSeconds, ...payment }]);

export async function findPayment(db: Queryable, environmentId: string, id: string): Promise<Payment | null> {
  const [row] = await db.query<PaymentRow>(sql('payment_find')`
    select ${PAYMENT_COLUMNS}
    from payments where environment_id = ${environmentId} and id = ${id}`);
  return row ? toPayment(row) : null;
}

const findPaymentsOfOrders = sqlForRows<{ environmentId: string; orderId: string }, PaymentRow>(
  'payment_find_of_order',
  { environmentId: 'text', orderId: 'text' },
)`
  select k.n, ${PAYMENT_COLUMNS}
  from (select n, environment_id as of_environment, order_id as of_order from ${ROWS} as r) k
  cross join lateral (
    select ${PAYMENT_COLUMNS} from payments p
    where environment_id || '' = k.of_environment and order_id = k.of_order ${LAST_ATTEMPT}) newest`;

/** The one that holds or may hold money, else the last that was tried. Read under the order's lock, it cannot change. */
export async function findPaymentOfOrder(
  db: Queryable,
  environmentId: string,
  orderId: string,
): Promise<Payment | null> {
  const row = await db.queryRow(findPaymentsOfOrders, { environmentId, orderId });
  return row ? toPayment(row) : null;
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

export async function listPayments(db: Queryable, environmentId: string, filter: PaymentFilter): Promise<Payment[]> {
  const rows = await db.query<PaymentRow>(sqlUnprepared('payment_list')`
    select ${PAYMENT_COLUMNS}
    from payments
    where environment_id = ${environmentId}
      and (${filter.orderId}::text is null or order_id = ${filter.orderId})
      and (${filter.playerId}::text is null or player_id = ${filter.playerId})
      and (${filter.status}::text is null or status = ${filter.status})
      and (not ${filter.needsAttention}::boolean or attention is not null)
      and (${filter.createdFrom}::timestamptz is null or created_at >= ${filter.createdFrom})
      and (${filter.createdTo}::timestamptz is null or created_at < ${filter.createdTo})
      and (${filter.beforeId}::text is null or id < ${filter.beforeId})
    order by id desc limit ${filter.limit}`);
  return rows.map(toPayment);
}

export interface PaymentToCheck {
  environmentId: string;
  id: string;
  tries: number;
}

/** What no process has brought to an end: its own died, or the provider did not say what happened. */
export const claimPaymentsToCheck = (db: Queryable, limit: number, leaseSeconds: number): Promise<PaymentToCheck[]> =>
  db.query(sql('payment_claim')`
    update payments p set next_check_at = app_now() + make_interval(secs => ${leaseSeconds}), check_tries = p.check_tries + 1
    from (select environment_id, id from payments where next_check_at <= app_now()
          order by next_check_at limit ${limit} for update skip locked) due
    where p.environment_id = due.environment_id and p.id = due.id
    returning p.environment_id as "environmentId", p.id, p.check_tries as tries`);

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
export const updatePaymentCheckWithin = (tx: Tx, { environmentId, id }: Payment, inSeconds: number): void =>
  tx.writeRows(updatePaymentsCheckWithin, [{ environmentId, id, inSeconds }]);

/** The status is the fence: if another process moved the payment on meanwhile, its date stands. */
export async function updatePaymentNextCheckAt(
  db: Queryable,
  payment: Pick<Payment, 'environmentId' | 'id' | 'status'>,
  inSeconds: number | null,
): Promise<void> {
  await db.query(sql('payment_next_check')`
    update payments set next_check_at = app_now() + make_interval(secs => ${inSeconds})
    where environment_id = ${payment.environmentId} and id = ${payment.id} and status = ${payment.status}`);
}

/** A person took what the provider holds for what was asked for. */
export function updatePaymentAccepted(
  tx: Tx,
  payment: Pick<Payment, 'environmentId' | 'id'>,
  accepted: { amountMinor: number; currency: string; nextCheckInSeconds: number },
): void {
  tx.write(sql('payment_accepted')`
    update payments set amount_minor = ${accepted.amountMinor}, currency = ${accepted.currency}, problem = null, attention = null,
      next_check_at = app_now() + make_interval(secs => ${accepted.nextCheckInSeconds})
    where environment_id = ${payment.environmentId} and id = ${payment.id}`);
}
