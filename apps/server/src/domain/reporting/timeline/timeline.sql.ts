import type { Queryable } from '../../../db/db.ts';
import { sql } from '../../../db/sql.ts';
import { PAYMENTS } from '../../payment/payment.sql.ts';
import type { Payment } from '../../payment/payment.ts';
import { DELIVERIES, type Delivery } from '../../webhook/delivery/delivery.sql.ts';
import { EVENT_COLUMNS, type EventRow, readEvents } from '../../webhook/events/event-rows.sql.ts';

const MOST_EVENTS = 500;

/** Every event of an order, in the order in which they happened. */
export const listEventsOfOrder = (db: Queryable, environmentId: string, orderId: string): Promise<EventRow[]> =>
  readEvents(
    db.query(sql('report_list_events')`
      select ${EVENT_COLUMNS} from events e
      where environment_id = ${environmentId} and order_id = ${orderId} order by seq limit ${MOST_EVENTS}`),
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

export interface DisputeOfOrder {
  paymentId: string;
  isTaken: boolean;
  reason: string | null;
  settledAt: Date;
}

/** What providers said to the evidence about these payments. */
export const listDisputesOf = (db: Queryable, environmentId: string, paymentIds: string[]): Promise<DisputeOfOrder[]> =>
  db.query(sql('report_list_disputes')`
    select payment_id as "paymentId", evidence_status = 'taken' as "isTaken", refusal->>'reason' as reason,
           settled_at as "settledAt"
    from disputes
    where environment_id = ${environmentId} and payment_id = any(${paymentIds}::text[]) and settled_at is not null`);

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
