import type { Delivery as DeliveryView } from '@coinslot/contract';
import type { Queryable } from '../../db/db.ts';
import { listAttempts } from '../../domain/webhook/attempt.sql.ts';
import type { Delivery } from '../../domain/webhook/delivery.sql.ts';
import { isTestDelivery } from '../../domain/webhook/listen/trigger-event.ts';
import { toUnixSeconds } from '../../kit/clock.ts';

const unixOrNull = (time: Date | null): number | null => time && toUnixSeconds(time);

/** Deliveries with the log of their attempts. */
export async function deliveryViews(db: Queryable, environmentId: string, rows: Delivery[]): Promise<DeliveryView[]> {
  const attempts = await listAttempts(
    db,
    environmentId,
    rows.map(row => row.id),
  );
  return rows.map(row => ({
    id: row.id,
    webhook_id: row.subscriptionId,
    event_id: row.eventId,
    event_type: row.kind,
    order_id: row.orderId,
    idempotency_key: row.idempotencyKey,
    status: row.status,
    test: isTestDelivery(row),
    attempts_made: row.attemptsMade,
    next_attempt_at: unixOrNull(row.nextAttemptAt),
    last_status: row.lastStatus,
    last_error: row.lastError,
    created_at: toUnixSeconds(row.createdAt),
    finished_at: unixOrNull(row.finishedAt),
    attempts: attempts
      .filter(attempt => attempt.deliveryId === row.id)
      .map(attempt => ({
        attempt: attempt.attempt,
        time: toUnixSeconds(attempt.startedAt),
        duration_ms: attempt.durationMs,
        status: attempt.status,
        request: { url: attempt.url, headers: attempt.requestHeaders, body: row.body },
        response: attempt.responseHeaders && { headers: attempt.responseHeaders, body: attempt.responseBody },
        error: attempt.error,
      })),
  }));
}
