import type { BulkRefusal, BulkRun } from '@coinslot/contract';
import type { Queryable } from '../../../db/db.ts';
import { foundOr } from '../../../kit/app-error.ts';
import { toUnixSeconds, unixOrNull } from '../../../kit/clock.ts';
import { orderIs } from '../../order/order.ts';
import { problemText } from '../../order/order-view.ts';
import { type BulkRow, findBulk, type HandledOrder, listBulk, listHandledOrders } from './bulk.sql.ts';

const RUNS_SHOWN = 5;

type Standing = 'done' | 'waiting' | { code: BulkRefusal; detail: string | null };

/** Refunded counts as done, and asked for does not: the provider may take days, or refuse. Pure. */
export function standingOf(action: BulkRow['action'], order: HandledOrder): Standing {
  const { outcome, code, detail, status, attentionDetail } = order;
  if (outcome === 'refused' || status === null) return { code: code ?? 'failed', detail };
  if (action === 'retry') return 'done';
  const isBack = orderIs(status, 'money_back') && (action === 'release' || orderIs(status, 'refund_begun'));
  if (isBack) return 'done';
  if (orderIs(status, 'refund_begun') && attentionDetail === null) return 'waiting';
  const isOurs = orderIs(status, 'grantable') || orderIs(status, 'refund_begun');
  return { code: isOurs ? 'refund_refused' : 'disputed', detail: problemText(attentionDetail) };
}

function runView(run: BulkRow, orders: readonly HandledOrder[]): BulkRun {
  const standings = orders.map(order => ({ order_id: order.orderId, standing: standingOf(run.action, order) }));
  const refused = standings.flatMap(({ order_id, standing }) =>
    typeof standing === 'string' ? [] : [{ order_id, ...standing }],
  );
  return {
    id: run.id,
    action: run.action,
    status: run.status,
    total: run.total,
    done: standings.filter(({ standing }) => standing === 'done').length,
    waiting_count: standings.filter(({ standing }) => standing === 'waiting').length,
    refused_count: refused.length,
    refused,
    by: run.actor,
    created_at: toUnixSeconds(run.createdAt),
    finished_at: unixOrNull(run.finishedAt),
  };
}

export async function readBulk(db: Queryable, environmentId: string): Promise<BulkRun[]> {
  const runs = await listBulk(db, environmentId, RUNS_SHOWN);
  const ids = runs.map(({ id }) => id);
  const orders = await listHandledOrders(db, environmentId, ids);
  return runs.map(run =>
    runView(
      run,
      orders.filter(({ bulkId }) => bulkId === run.id),
    ),
  );
}

/** However many came after it. */
export async function readBulkRun(db: Queryable, environmentId: string, id: string): Promise<BulkRun> {
  const run = await foundOr('bulk_not_found', findBulk(db, environmentId, id));
  return runView(run, await listHandledOrders(db, environmentId, [id]));
}
