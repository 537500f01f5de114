import type { DeliveryDetail, DeliveryStatus, EventKind, Role } from '@coinslot/contract';
import type { Db } from '../../../db/db.ts';
import { hasRole } from '../../company/manage-members.ts';
import type { Delivery, Lane } from '../../webhook/delivery/delivery.sql.ts';
import { isRetryable } from '../../webhook/delivery/resend.ts';
import { findSubscription } from '../../webhook/endpoints/subscription.sql.ts';
import { readDelivery, readDeliveryViews } from '../../webhook/endpoints/webhook-views.ts';
import { type AccessPath, choosePath, MOST_FOUND, scanFound, scanPath } from './access-path.ts';
import { type Bounds, type Condition, listIdsBetween, type Range, updateScanSettings } from './index-scan.sql.ts';
import { mergeScans, type ScannedPage } from './index-scan.ts';

export interface DeliveryListFilter {
  subscriptionId: string | null;
  kinds: EventKind[];
  statuses: DeliveryStatus[];
  orderId: string | null;
  createdFrom: Date | null;
  createdTo: Date | null;
  bounds: Bounds;
}

const MOST_WALKED = 2_000;
const COLUMNS = `environment_id, id, event_id, event_type, order_id, lane, subscription_id, idempotency_key, status,
  attempts_made, next_attempt_at, claim_id, last_status, last_error, created_at, finished_at`;
const PROBLEMS: readonly DeliveryStatus[] = ['blocked', 'held', 'declined', 'exhausted', 'canceled'];
const PROBLEM_PREDICATE = `status in ('blocked', 'held', 'declined', 'exhausted', 'canceled')`;

interface DeliveryRow {
  environment_id: string;
  id: string;
  event_id: string;
  event_type: EventKind;
  order_id: string | null;
  lane: Lane;
  subscription_id: string | null;
  idempotency_key: string;
  status: DeliveryStatus;
  attempts_made: number;
  next_attempt_at: Date | null;
  claim_id: string | null;
  last_status: number | null;
  last_error: string | null;
  created_at: Date;
  finished_at: Date | null;
}

/** Without its body: a list does not show it. */
const toDelivery = (row: DeliveryRow): Delivery => ({
  environmentId: row.environment_id,
  id: row.id,
  eventId: row.event_id,
  kind: row.event_type,
  orderId: row.order_id,
  lane: row.lane,
  subscriptionId: row.subscription_id,
  idempotencyKey: row.idempotency_key,
  status: row.status,
  body: null,
  attemptsMade: row.attempts_made,
  nextAttemptAt: row.next_attempt_at,
  claimId: row.claim_id,
  lastStatus: row.last_status,
  lastError: row.last_error,
  createdAt: row.created_at,
  finishedAt: row.finished_at,
});

const leadsTo = (environmentId: string, prefix: Range['prefix'], predicate?: string): Range => ({
  table: 'deliveries',
  prefix: [...prefix, { column: 'environment_id', value: environmentId }],
  ...(predicate && { predicate }),
});

function pathsFor(environmentId: string, { subscriptionId, statuses }: DeliveryListFilter): AccessPath[] {
  const paths: AccessPath[] = [];
  if (subscriptionId !== null) {
    const range = leadsTo(environmentId, [{ column: 'subscription_id', value: subscriptionId }]);
    paths.push({ by: 'subscription', ranges: [{ range, conditions: [] }] });
  }
  if (statuses.length > 0 && statuses.every(status => PROBLEMS.includes(status))) {
    const range = (value: string) => leadsTo(environmentId, [{ column: 'status', value }], PROBLEM_PREDICATE);
    paths.push({ by: 'status', ranges: statuses.map(status => ({ range: range(status), conditions: [] })) });
  }
  return paths.length > 0 ? paths : [{ by: null, ranges: [{ range: leadsTo(environmentId, []), conditions: [] }] }];
}

function conditionsOf(filter: DeliveryListFilter): Condition[] {
  const { subscriptionId, kinds, statuses, orderId, createdFrom, createdTo } = filter;
  const conditions: Condition[] = [];
  const add = (text: string, value: unknown): void => void conditions.push({ text, values: [value] });
  if (subscriptionId !== null) add('subscription_id = ?', subscriptionId);
  if (kinds.length > 0) add('event_type = any(?::text[])', kinds);
  if (statuses.length > 0) add('status = any(?::text[])', statuses);
  if (orderId !== null) add('order_id = ?', orderId);
  if (createdFrom !== null) add('created_at >= ?', createdFrom);
  if (createdTo !== null) add('created_at < ?', createdTo);
  return conditions;
}

/** The delivery log, newest first, with a bounded amount of work. */
export function listDashboardDeliveries(
  db: Db,
  environmentId: string,
  filter: DeliveryListFilter,
  { before, limit, mostScanned = MOST_WALKED }: { before: string | null; limit: number; mostScanned?: number },
): Promise<ScannedPage<Delivery>> {
  return db.transaction(async tx => {
    updateScanSettings(tx);
    const { from, below } = filter.bounds;
    const bounds = { from, below: before !== null && before < below ? before : below };
    const options = { columns: COLUMNS, bounds, conditions: conditionsOf(filter), limit: limit + 1 };
    const ids = filter.orderId === null ? null : await listIdsBetween(tx, environmentId, ofOrder(filter.orderId));
    const scans = ids
      ? [await scanFound<DeliveryRow>(tx, { ...options, table: 'deliveries' }, environmentId, ids)]
      : await scanPath<DeliveryRow>(tx, await choosePath(tx, pathsFor(environmentId, filter), bounds), {
          ...options,
          mostScanned,
        });
    const page = mergeScans(scans, limit);
    return { ...page, rows: page.rows.map(toDelivery) };
  });
}

const ofOrder = (orderId: string) =>
  ({ table: 'deliveries', column: 'order_id', from: orderId, below: `${orderId}\u{1}`, most: MOST_FOUND }) as const;

/** One delivery with its attempts, and what the member may do to it. */
export async function readDeliveryDetail(
  db: Db,
  { environmentId, role }: { environmentId: string; role: Role },
  id: string,
): Promise<DeliveryDetail> {
  const delivery = await readDelivery(db, environmentId, id);
  const { subscriptionId, body } = delivery;
  const [[view], subscription] = await Promise.all([
    readDeliveryViews(db, environmentId, [delivery]),
    subscriptionId === null ? null : findSubscription(db, environmentId, subscriptionId),
  ]);
  const actions = hasRole(role, 'support') && isRetryable(delivery) ? (['retry'] as const) : [];
  return { ...view!, webhook_url: subscription?.url ?? null, body, actions: [...actions] };
}
