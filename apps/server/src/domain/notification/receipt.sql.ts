import type { AttentionCode, Role, Seller } from '@coinslot/contract';
import type { Queryable } from '../../db/db.ts';
import { ROWS, sql, sqlForRows } from '../../db/sql.ts';
import type { OrderDetails, OrderItem } from '../order/order.ts';
import { type StoredDetails, type StoredItem, toDetails, toItem } from '../order/order-row.ts';
import { NEEDS_ATTENTION } from '../payment/payment.sql.ts';
import type { DisabledReason } from '../webhook/endpoints/subscription.ts';

export interface ReceiptFacts {
  companyId: string;
  /** Whether an owner has confirmed their address. */
  isVerified: boolean;
  mode: 'live' | 'sandbox';
  gameName: string;
  companyName: string;
  seller: Partial<Seller> | null;
  orderId: string;
  items: OrderItem[];
  details: OrderDetails;
  amountMinor: number;
  currency: string;
  paidAt: Date;
  email: string | null;
  method: string;
  brand: string | null;
  last4: string | null;
  senderName: string | null;
  replyTo: string | null;
}

type PaymentKey = { environmentId: string; paymentId: string };

type ReceiptRow = Omit<ReceiptFacts, 'items' | 'details'> & { items: StoredItem[]; details: StoredDetails };

const findFactsOfReceipts = sqlForRows<PaymentKey, ReceiptRow>('receipt_find_facts', {
  environmentId: 'text',
  paymentId: 'text',
})`
  select k.n, c.id as "companyId",
    exists (select from members m join users u on u.id = m.user_id
            where m.company_id = c.id and m.role = 'owner' and u.email_verified_at is not null) as "isVerified", e.mode, g.name as "gameName", c.name as "companyName", c.seller, o.id as "orderId", o.items, o.details,
    o.amount_minor as "amountMinor", o.currency, coalesce(p.captured_at, o.paid_at, app_now()) as "paidAt",
    coalesce(p.email, o.email) as email, p.method, p.brand, p.last4,
    c.receipt_sender_name as "senderName", c.receipt_reply_to as "replyTo"
  from ${ROWS} as k
  cross join lateral (
    select environment_id, order_id, captured_at, email, method, brand, last4
    from payments where environment_id = k.environment_id and id = k.payment_id limit 1) p
  cross join lateral (
    select id, items, details, amount_minor, currency, paid_at, email
    from orders where environment_id = p.environment_id and id = p.order_id limit 1) o
  join environments e on e.id = p.environment_id
  join games g on g.id = e.game_id
  join companies c on c.id = g.company_id`;

export async function findReceiptFacts(db: Queryable, key: PaymentKey): Promise<ReceiptFacts | null> {
  const row = await db.queryRow(findFactsOfReceipts, key);
  return row ? { ...row, items: row.items.map(toItem), details: toDetails(row.details) } : null;
}

export interface ExhaustedFacts {
  mode: 'live' | 'sandbox';
  gameName: string;
  eventType: string;
  orderId: string;
  attempts: number;
  lastStatus: number | null;
  lastError: string | null;
  url: string | null;
  /** By the database's clock: what happens in one hour is one notice. */
  hour: string;
}

export const findExhaustedFacts = (
  db: Queryable,
  environmentId: string,
  deliveryId: string,
): Promise<ExhaustedFacts | null> =>
  db.queryOne(sql('receipt_find_exhausted_facts')`
    select e.mode, g.name as "gameName", d.event_type as "eventType", d.order_id as "orderId", d.attempts_made as attempts,
      d.last_status as "lastStatus", d.last_error as "lastError", s.url,
      to_char(app_now() at time zone 'UTC', 'YYYY-MM-DD HH24') as hour
    from deliveries d
    join environments e on e.id = d.environment_id
    join games g on g.id = e.game_id
    left join webhook_subscriptions s on s.environment_id = d.environment_id and s.id = d.subscription_id
    where d.environment_id = ${environmentId} and d.id = ${deliveryId} and d.order_id is not null`);

export interface DisabledFacts {
  mode: 'live' | 'sandbox';
  gameName: string;
  url: string;
  reason: DisabledReason | null;
  hour: string;
}

export const findDisabledFacts = (
  db: Queryable,
  environmentId: string,
  subscriptionId: string,
): Promise<DisabledFacts | null> =>
  db.queryOne(sql('receipt_find_disabled_facts')`
    select e.mode, g.name as "gameName", s.url, s.disabled_reason as reason,
      to_char(app_now() at time zone 'UTC', 'YYYY-MM-DD HH24') as hour
    from webhook_subscriptions s
    join environments e on e.id = s.environment_id
    join games g on g.id = e.game_id
    where s.environment_id = ${environmentId} and s.id = ${subscriptionId} and not s.enabled`);

export interface AttentionFacts {
  code: AttentionCode;
  mode: 'live' | 'sandbox';
  gameName: string;
  orderId: string;
  paymentId: string;
  detail: string;
  hour: string;
}

/** Null when it needs none any more. */
export const findAttentionFacts = (
  db: Queryable,
  environmentId: string,
  paymentId: string,
): Promise<AttentionFacts | null> =>
  db.queryOne(sql('receipt_find_attention_facts')`
    select e.mode, g.name as "gameName", p.order_id as "orderId", p.id as "paymentId",
      p.attention->>'code' as code, p.attention->>'detail' as detail,
      to_char(app_now() at time zone 'UTC', 'YYYY-MM-DD HH24') as hour
    from payments p
    join environments e on e.id = p.environment_id
    join games g on g.id = e.game_id
    where p.environment_id = ${environmentId} and p.id = ${paymentId} and ${NEEDS_ATTENTION}`);

export async function listMemberEmails(
  db: Queryable,
  environmentId: string,
  roles: readonly Role[],
): Promise<string[]> {
  const rows = await db.query<{ email: string }>(sql('receipt_list_member_emails')`
    select u.email
    from environments e
    join games g on g.id = e.game_id
    join members m on m.company_id = g.company_id
    join users u on u.id = m.user_id
    where e.id = ${environmentId} and m.role = any(${roles})
    order by u.email`);
  return rows.map(row => row.email);
}

export interface EvidenceFacts {
  mode: 'live' | 'sandbox';
  gameName: string;
  paymentId: string;
  code: string;
  reason: string;
  hour: string;
}

/** Null when it was sent again since. */
export const findEvidenceFacts = (
  db: Queryable,
  environmentId: string,
  paymentId: string,
): Promise<EvidenceFacts | null> =>
  db.queryOne(sql('receipt_find_evidence_facts')`
    select e.mode, g.name as "gameName", d.payment_id as "paymentId", d.refusal->>'code' as code,
      d.refusal->>'reason' as reason, to_char(app_now() at time zone 'UTC', 'YYYY-MM-DD HH24') as hour
    from disputes d
    join environments e on e.id = d.environment_id
    join games g on g.id = e.game_id
    where d.environment_id = ${environmentId} and d.payment_id = ${paymentId} and d.evidence_status = 'refused'
    order by d.settled_at desc limit 1`);

export interface ConnectionFacts {
  gameName: string;
  provider: string;
  advice: string[];
  hour: string;
}

/** Null when it works again. */
export const findConnectionFacts = (
  db: Queryable,
  environmentId: string,
  { companyId, provider }: { companyId: string; provider: string },
): Promise<ConnectionFacts | null> =>
  db.queryOne(sql('receipt_find_connection_facts')`
    select g.name as "gameName", c.provider, to_char(app_now() at time zone 'UTC', 'YYYY-MM-DD HH24') as hour,
      (select coalesce(json_agg(check_of->'advice'->>'en'), '[]') from json_array_elements(c.checks) check_of
       where (check_of->>'broken')::boolean and check_of->'advice'->>'en' is not null) as advice
    from provider_checks c
    join environments e on e.id = ${environmentId}
    join games g on g.id = e.game_id and g.company_id = c.company_id
    where c.company_id = ${companyId} and c.provider = ${provider} and c.failing_since is not null`);
