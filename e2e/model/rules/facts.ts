import type { Queryable } from '../../../apps/server/src/db/db.ts';
import { sql } from '../../../apps/server/src/db/sql.ts';

export interface PaymentFacts {
  id: string;
  orderId: string;
  status: string;
  amountMinor: number;
  /** The code of what a studio member should look at. */
  attention: string | null;
  hasDate: boolean;
}

export interface DeliveryFacts {
  orderId: string;
  kind: string;
  status: string;
  /** It goes on by itself: it has a date, or waits behind one that has. */
  goesOn: boolean;
}

export interface OrderFacts {
  id: string;
  environmentId: string;
  status: string;
  amountMinor: number;
  attention: string | null;
  payments: PaymentFacts[];
  deliveries: DeliveryFacts[];
  /** By payment and account. */
  ledger: Map<string, number>;
}

type Row = Omit<OrderFacts, 'payments' | 'deliveries' | 'ledger'>;

function groupBy<T extends { orderId: string }>(rows: readonly T[]): Map<string, T[]> {
  const groups = new Map<string, T[]>();
  for (const row of rows) groups.set(row.orderId, [...(groups.get(row.orderId) ?? []), row]);
  return groups;
}

/** Everything that the rules look at, for all histories of a batch at once. */
export async function readFacts(db: Queryable, environmentIds: string[]): Promise<Map<string, OrderFacts>> {
  const [orders, payments, deliveries, ledger] = await Promise.all([
    db.query<Row>(sql('lab_orders')`
      select id, environment_id as "environmentId", status, amount_minor as "amountMinor",
             attention->>'code' as attention
      from orders where environment_id = any(${environmentIds}::text[])`),
    db.query<PaymentFacts>(sql('lab_payments')`
      select id, order_id as "orderId", status, amount_minor as "amountMinor", attention->>'code' as attention,
             next_check_at is not null as "hasDate"
      from payments where environment_id = any(${environmentIds}::text[]) order by id`),
    db.query<DeliveryFacts>(sql('lab_deliveries')`
      select order_id as "orderId", event_type as kind, status,
             status = 'pending' and next_attempt_at is not null or status = 'held' and give_up_at is not null
               or status = 'blocked' as "goesOn"
      from deliveries where environment_id = any(${environmentIds}::text[]) and lane = 'items' and order_id is not null`),
    db.query<{ paymentId: string; account: string; amount: number }>(sql('lab_ledger')`
      select payment_id as "paymentId", account, sum(amount_minor)::bigint as amount from ledger_entries
      where environment_id = any(${environmentIds}::text[]) group by payment_id, account`),
  ]);
  const paymentsOf = groupBy(payments);
  const deliveriesOf = groupBy(deliveries);
  const sums = new Map(ledger.map(({ paymentId, account, amount }) => [`${paymentId} ${account}`, amount]));
  return new Map(
    orders.map(order => [
      order.id,
      {
        ...order,
        payments: paymentsOf.get(order.id) ?? [],
        deliveries: deliveriesOf.get(order.id) ?? [],
        ledger: sums,
      },
    ]),
  );
}

/** Postings of these environments whose sides do not cancel out. */
export async function listUnbalanced(db: Queryable, environmentIds: string[]): Promise<string[]> {
  const rows = await db.query<{ posting: string }>(sql('lab_unbalanced')`
    select posting_id as posting from ledger_entries where environment_id = any(${environmentIds}::text[])
    group by environment_id, posting_id, currency having sum(amount_minor) <> 0`);
  return rows.map(({ posting }) => posting);
}

/** Whether a worker has anything left to do for them, now or later. */
export async function isAnythingDated(db: Queryable, environmentIds: string[]): Promise<boolean> {
  const rows = await db.query(sql('lab_dated')`
    select 1 from payments where environment_id = any(${environmentIds}::text[]) and next_check_at is not null
    union all select 1 from deliveries where environment_id = any(${environmentIds}::text[]) and status in ('pending', 'blocked', 'held')
    union all select 1 from orders where environment_id = any(${environmentIds}::text[]) and status = 'created'
    union all select 1 from events where environment_id = any(${environmentIds}::text[]) and fan_out
    union all select 1 from jobs where environment_id = any(${environmentIds}::text[]) and name = 'provider.event'
    limit 1`);
  return rows.length > 0;
}

/** A worker has said within the last seconds that it is at a job of the environment. */
export async function isLeaseFresh(db: Queryable, environmentId: string): Promise<boolean> {
  const rows = await db.query(sql('lab_lease')`
    select 1 from jobs where environment_id = ${environmentId} and claimed_until > app_now() + interval '50 seconds'`);
  return rows.length > 0;
}

/** The ledger waits for transactions that have not ended, as those of a program that was cut off a moment ago. */
export async function isLedgerBehind(db: Queryable): Promise<boolean> {
  const [row] = await db.query<{ isBehind: boolean }>(sql('lab_ledger_behind')`
    select exists (select from events where seq > (select seq from reader_positions where name = 'ledger')) as "isBehind"`);
  return row!.isBehind;
}
