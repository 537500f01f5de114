import type { DashboardLocale } from '@coinslot/contract';
import type { Span } from '../../../db/read-numbered.ts';
import { type Queryable, sql } from '../../../db/statement.ts';
import type { Payment } from '../../payment/payment.ts';
import { PAYMENTS } from '../../payment/payment-row.ts';
import { DELIVERIES, type Delivery } from '../../webhook/delivery/delivery.sql.ts';
import { EVENT_COLUMNS, type EventRow, readEvents } from '../../webhook/events/event-rows.sql.ts';

const MOST_EVENTS = 500;

export const listEventsOfOrder = (
  db: Queryable,
  environmentId: string,
  orderId: string,
  language: DashboardLocale,
): Promise<EventRow[]> =>
  readEvents(
    db.query(sql('report_list_events')`
      select ${EVENT_COLUMNS} from events e
      where environment_id = ${environmentId} and order_id = ${orderId} order by seq limit ${MOST_EVENTS}`),
    language,
  );

export const listItemDeliveries = (db: Queryable, environmentId: string, orderId: string): Promise<Delivery[]> =>
  db.query(sql('report_list_item_deliveries')`
    select ${DELIVERIES.of('d')} from deliveries d
    where environment_id = ${environmentId} and order_id = ${orderId} and lane = 'items' order by id`);

export const listPaymentsOfOrder = (db: Queryable, environmentId: string, orderId: string): Promise<Payment[]> =>
  PAYMENTS.all(
    db.query(sql('report_list_payments_of_order')`
      select ${PAYMENTS.columns} from payments
      where environment_id = ${environmentId} and order_id = ${orderId} order by id desc limit 100`),
  );

export const listPaymentsOfPlayer = (
  db: Queryable,
  environmentId: string,
  playerId: string,
  limit: number,
): Promise<Payment[]> =>
  PAYMENTS.all(
    db.query(sql('report_list_payments_of_player')`
      select ${PAYMENTS.columns} from payments
      where environment_id = ${environmentId} and player_id = ${playerId} order by id desc limit ${limit}`),
  );

export interface Receipt {
  paymentId: string;
  status: string;
  createdAt: Date;
  sentAt: Date | null;
  lastError: string | null;
}

export const listReceipts = (db: Queryable, environmentId: string, paymentIds: string[]): Promise<Receipt[]> =>
  db.query(sql('report_list_receipts')`
    select substr(about, length('receipt ') + 1) as "paymentId", status, created_at as "createdAt", sent_at as "sentAt",
           last_error as "lastError"
    from mails where environment_id = ${environmentId} and about = any(${paymentIds.map(id => `receipt ${id}`)}::text[])`);

export interface AuditOfOrder {
  kind: string;
  actor: string;
  objectId: string;
  reason: string | null;
  createdAt: Date;
}

export const listAudit = (
  db: Queryable,
  companyId: string,
  environmentId: string,
  objectIds: string[],
): Promise<AuditOfOrder[]> =>
  db.query(sql('report_list_audit')`
    select kind, actor, object_id as "objectId", after ->> 'reason' as reason, created_at as "createdAt"
    from audit_entries
    where company_id = ${companyId} and environment_id = ${environmentId} and object_id = any(${objectIds}::text[])
    order by id limit 200`);

export interface EventKinds {
  environmentId: string;
  kinds: string[];
}

/** Which kinds of events a span has, for the environments that are watched. Of a long span the end is enough: many is many. */
export const listKindsIn = (db: Queryable, environmentIds: string[], { after, upTo }: Span): Promise<EventKinds[]> =>
  db.query(sql('changes_list_kinds')`
    select environment_id as "environmentId", array_agg(distinct type) as kinds
    from (select environment_id, type from events where seq > ${after} and seq <= ${upTo} and type <> 'order.created'
          order by seq desc limit 2000) read
    where environment_id = any(${environmentIds}::text[]) group by environment_id`);

export interface NewestMarks {
  environmentId: string;
  orderId: string | null;
  deliveryId: string | null;
}

/** What was created last: ids hold their time, so it stands at the end of the key. */
export const listNewestMarks = (db: Queryable, environmentIds: string[]): Promise<NewestMarks[]> =>
  db.query(sql('changes_list_newest')`
    select e.environment_id as "environmentId",
           (select o.id from orders o where o.environment_id = e.environment_id order by o.id desc limit 1) as "orderId",
           (select d.id from deliveries d where d.environment_id = e.environment_id order by d.id desc limit 1) as "deliveryId"
    from unnest(${environmentIds}::text[]) as e (environment_id)`);

/** When the last attempt of each environment ended. An attempt is recorded at its end, and none lasts a minute. */
export const listLastAttempts = (
  db: Queryable,
  environmentIds: string[],
): Promise<{ environmentId: string; endedMs: number }[]> =>
  db.query(sql('changes_list_attempts')`
    select environment_id as "environmentId",
           max(extract(epoch from started_at) * 1000 + duration_ms)::float8 as "endedMs"
    from (select environment_id, started_at, duration_ms from delivery_attempts
          where started_at > app_now() - interval '60 seconds' order by started_at desc limit 2000) recent
    where environment_id = any(${environmentIds}::text[]) group by environment_id`);
