import type { TimelineEntry, TimelineKind } from '@coinslot/contract';
import { toUnixSeconds } from '../../../kit/clock.ts';
import { decimalText } from '../../../kit/money.ts';
import type { DisputeRecord } from '../../payment/disputes/dispute.sql.ts';
import type { Payment } from '../../payment/payment.ts';
import { isUndecided } from '../../payment/providers/base/charges.ts';
import type { Attempt } from '../../webhook/delivery/attempt.sql.ts';
import type { Delivery } from '../../webhook/delivery/delivery.sql.ts';
import type { DeliveryLog } from '../../webhook/endpoints/webhook-views.ts';
import type { EventRow } from '../../webhook/events/event-rows.sql.ts';
import type { AuditOfOrder, Receipt } from './timeline.sql.ts';

export interface OrderFacts {
  orderCreatedAt: Date;
  events: EventRow[];
  deliveries: Delivery[];
  log: DeliveryLog;
  payments: Payment[];
  receipts: Receipt[];
  audit: AuditOfOrder[];
  disputes: DisputeRecord[];
  /** Older events are no longer there; null while none was removed. */
  keptFrom: Date | null;
}

/** Sorted by the exact time; the wire has seconds. */
interface Moment extends Omit<TimelineEntry, 'at'> {
  time: Date;
  /** Breaks a tie: what follows from something stands behind it. */
  rank: number;
}

const moment = (time: Date, rank: number, kind: TimelineKind, facts: Partial<Moment> = {}): Moment => ({
  payment_id: null,
  delivery_id: null,
  attempt: null,
  status: null,
  code: null,
  detail: null,
  duration_ms: null,
  actor: null,
  action: null,
  ...facts,
  time,
  rank,
  kind,
});

const textOf = (data: Record<string, unknown>, key: string): string | null =>
  typeof data[key] === 'string' ? data[key] : null;

/** The bank's answer belongs to the attempt to pay; what needs attention came later and has its own words. */
function wordsOf(kind: string, data: Record<string, unknown>): Pick<Moment, 'code' | 'detail'> {
  const { attention } = data as { attention?: { detail: string } | null };
  if (kind === 'payment.attention') return { code: null, detail: attention?.detail ?? null };
  return {
    code: textOf(data, 'response_code'),
    detail: textOf(data, 'response_description') ?? textOf(data, 'problem') ?? textOf(data, 'reason'),
  };
}

const ofEvent = ({ kind, data, createdAt }: EventRow, index: number): Moment =>
  moment(createdAt, index, kind as TimelineKind, { payment_id: textOf(data, 'payment_id'), ...wordsOf(kind, data) });

/** If the two clocks are further apart, one was set by hand, and each time is shown as it was written. */
const CLOCKS_APART_MS = 1_000;

/** Events come in the order in which they happened; the clock of the process and that of the database are some milliseconds apart. */
function ofEvents(events: readonly EventRow[]): Moment[] {
  let latest = 0;
  return events.map((event, index) => {
    const at = event.createdAt.getTime();
    const isBehind = at < latest && latest - at < CLOCKS_APART_MS;
    if (!isBehind) latest = at;
    return ofEvent({ ...event, createdAt: new Date(latest) }, index);
  });
}

const FIRST_RANK = -2;
const END_RANK = 1_000_000;

function ofDelivery(delivery: Delivery, attempts: readonly Attempt[]): Moment[] {
  const kind = delivery.kind as 'item.add' | 'item.remove';
  const sent = attempts
    .filter(({ deliveryId }) => deliveryId === delivery.id)
    .map(attempt =>
      // What it came to was known at its end.
      moment(new Date(attempt.startedAt.getTime() + attempt.durationMs), END_RANK - 1, `${kind}.attempt`, {
        delivery_id: delivery.id,
        attempt: attempt.attempt,
        status: attempt.status === null ? null : String(attempt.status),
        detail: attempt.error,
        duration_ms: attempt.durationMs,
      }),
    );
  if (!delivery.finishedAt) return sent;
  const end = { delivery_id: delivery.id, status: delivery.status, detail: delivery.lastError };
  return [...sent, moment(delivery.finishedAt, END_RANK, `${kind}.end`, end)];
}

function ofReceipt({ paymentId, status, createdAt, sentAt, lastError }: Receipt): Moment[] {
  const made = moment(createdAt, END_RANK, 'receipt.created', { payment_id: paymentId, status, detail: lastError });
  return sentAt ? [made, moment(sentAt, END_RANK, 'receipt.sent', { payment_id: paymentId })] : [made];
}

const ofAudit = ({ kind, actor, objectId, reason, createdAt }: AuditOfOrder): Moment =>
  moment(createdAt, -1, 'person', {
    actor,
    action: kind,
    detail: reason,
    payment_id: objectId.startsWith('pay_') ? objectId : null,
  });

/** That it came, what was answered, and how it ended; each under the provider's name of it. */
function ofDispute(dispute: DisputeRecord): Moment[] {
  const {
    paymentId: payment_id,
    id,
    reason,
    status,
    openedAt,
    updatedAt,
    settledAt,
    refusal,
    evidenceStatus,
  } = dispute;
  const about = `${decimalText(dispute.amountMinor, dispute.currency)} ${dispute.currency}, ${reason}, ${id}`;
  const said =
    evidenceStatus === 'taken'
      ? 'dispute.evidence_taken'
      : evidenceStatus === 'accepted'
        ? 'dispute.accepted'
        : 'dispute.evidence_refused';
  return [
    moment(openedAt, END_RANK, 'dispute.opened', { payment_id, detail: about }),
    ...(settledAt ? [moment(settledAt, END_RANK, said, { payment_id, detail: refusal?.reason ?? null })] : []),
    ...(isUndecided(dispute)
      ? []
      : [moment(updatedAt, END_RANK, `dispute.${status}` as TimelineKind, { payment_id, detail: about })]),
  ];
}

export function timelineOf({
  orderCreatedAt,
  events,
  deliveries,
  log,
  receipts,
  audit,
  disputes,
  keptFrom,
}: OrderFacts): TimelineEntry[] {
  // Emitted only where a receiver subscribed to it; it happened all the same.
  const isCreationEmitted = events.some(({ kind }) => kind === 'order.created');
  const moments = [
    ...(isCreationEmitted ? [] : [moment(orderCreatedAt, FIRST_RANK, 'order.created')]),
    ...(keptFrom && orderCreatedAt < keptFrom ? [moment(orderCreatedAt, FIRST_RANK + 1, 'not_kept')] : []),
    ...ofEvents(events),
    ...deliveries.flatMap(delivery => ofDelivery(delivery, log.attempts)),
    ...receipts.flatMap(ofReceipt),
    ...audit.map(ofAudit),
    ...disputes.flatMap(ofDispute),
  ];
  return moments
    .toSorted((a, b) => a.time.getTime() - b.time.getTime() || a.rank - b.rank)
    .map(({ time, rank: _rank, ...entry }) => ({ at: toUnixSeconds(time), ...entry }));
}
