import type { DeliveryStatus, EventKind } from '@coinslot/contract';
import {
  json,
  jsonOrNull,
  type Queryable,
  ROWS,
  type RowOf,
  sql,
  sqlForRows,
  sqlUnprepared,
  type Tx,
  table,
} from '../../../db/statement.ts';
import type { Exchange } from '../sending/exchange.ts';
import { DELIVERIES, type Delivery } from './delivery.sql.ts';

const ATTEMPTS = table('delivery_attempts', {
  deliveryId: 'text',
  attempt: 'int',
  startedAt: 'timestamptz',
  durationMs: 'int',
  url: 'text',
  status: 'int?',
  requestHeaders: json<Record<string, string>>(),
  responseHeaders: jsonOrNull<Record<string, string>>(),
  responseBody: 'text?',
  error: 'text?',
});

export type Attempt = RowOf<typeof ATTEMPTS>;

/** Enough to see what the game said; the sender itself reads at most 64 KiB. */
const BODY_CHARS_KEPT = 4_096;

/** A cut may go through the middle of a character, and half of one is not JSON. */
export const keptBody = ({ status, responseBody }: Exchange): string | null =>
  status === null ? null : Buffer.from(responseBody.slice(0, BODY_CHARS_KEPT)).toString();

/** Request headers that are not stored: the delivery and the stored ones say what they were. */
const FOLLOWING = ['x-service-delivery-attempt', 'webhook-id', 'webhook-timestamp'];

/** About the connection, not about the answer. */
const OF_CONNECTION = ['connection', 'keep-alive', 'transfer-encoding'];

type Headers = Readonly<Record<string, string>>;

function without(headers: Headers, names: readonly string[]): Record<string, string> {
  const kept: Record<string, string> = {};
  for (const name of Object.keys(headers)) if (!names.includes(name)) kept[name] = headers[name]!;
  return kept;
}

export const keptRequestHeaders = (headers: Headers): Record<string, string> => without(headers, FOLLOWING);

export const keptResponseHeaders = ({ status, responseHeaders }: Exchange): Record<string, string> | null =>
  status === null ? null : without(responseHeaders, OF_CONNECTION);

export function sentHeaders({ requestHeaders, attempt }: Attempt, idempotencyKey: string): Record<string, string> {
  const { 'x-service-signature-timestamp': timestamp } = requestHeaders;
  if (timestamp === undefined) return requestHeaders;
  return {
    ...requestHeaders,
    'x-service-delivery-attempt': String(attempt),
    'webhook-id': idempotencyKey,
    'webhook-timestamp': timestamp,
  };
}

const NEW = ATTEMPTS.omit('startedAt');

const insertAttempts = sqlForRows<RowOf<typeof NEW> & { environmentId: string }>('attempt_insert', {
  environmentId: 'text',
  ...NEW.types,
})`
  insert into delivery_attempts (environment_id, ${NEW.names}, started_at)
  select environment_id, ${NEW.names}, app_now() - make_interval(secs => duration_ms / 1000.0)
  from ${ROWS} as t
  where not exists (select 1 from delivery_attempts a
                    where a.environment_id = t.environment_id and a.delivery_id = t.delivery_id and a.attempt = t.attempt)`;

export function insertAttempt(
  tx: Tx,
  delivery: Delivery,
  url: string,
  requestHeaders: Record<string, string>,
  exchange: Exchange,
): void {
  const { environmentId, id: deliveryId, attemptsMade: attempt } = delivery;
  const { status, error } = exchange;
  const durationMs = Math.round(exchange.durationMs);
  const responseHeaders = keptResponseHeaders(exchange);
  const responseBody = keptBody(exchange);
  tx.writeRows(insertAttempts, [
    {
      environmentId,
      deliveryId,
      attempt,
      durationMs,
      url,
      status,
      requestHeaders: keptRequestHeaders(requestHeaders),
      responseHeaders,
      responseBody,
      error,
    },
  ]);
}

export const listAttempts = (db: Queryable, environmentId: string, deliveryIds: string[]): Promise<Attempt[]> =>
  db.query(sql('attempt_list')`
    select ${ATTEMPTS.columns}
    from delivery_attempts where environment_id = ${environmentId} and delivery_id = any(${deliveryIds}::text[])
    order by delivery_id, attempt`);

export interface DeliveryFilter {
  subscriptionId: string | null;
  orderId: string | null;
  status: DeliveryStatus | null;
  kind: EventKind | null;
  beforeId: string | null;
  limit: number;
}

/** The deliveries of every subscription unless one is named, with those of listeners that have disconnected. */
export const listDeliveries = (db: Queryable, environmentId: string, filter: DeliveryFilter): Promise<Delivery[]> =>
  db.query(sqlUnprepared('delivery_list')`
    select ${DELIVERIES.of('d')}
    from deliveries d
    where environment_id = ${environmentId}
      and (${filter.subscriptionId}::text is null or subscription_id = ${filter.subscriptionId})
      and (${filter.orderId}::text is null or order_id = ${filter.orderId})
      and (${filter.status}::text is null or status = ${filter.status})
      and (${filter.kind}::text is null or event_type = ${filter.kind})
      and (${filter.beforeId}::text is null or id < ${filter.beforeId})
    order by id desc limit ${filter.limit}`);
