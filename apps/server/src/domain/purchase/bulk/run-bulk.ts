import type { BulkAction, BulkPreview, BulkRefusal } from '@coinslot/contract';
import type { Queryable } from '../../../db/db.ts';
import { waitAtMost } from '../../../jobs/background.ts';
import { insertJob, type Job } from '../../../jobs/jobs.sql.ts';
import { AppError } from '../../../kit/app-error.ts';
import { newId } from '../../../kit/ids.ts';
import { type Actor, auditScope, writeAudit } from '../../audit/audit.ts';
import { type Environment, isSandbox } from '../../game/environment.ts';
import type { Shop } from '../../shop.ts';
import { isProofGiven, type Proof, proveNow } from '../../user/confirm-identity.ts';
import { retryDelivery } from '../../webhook/delivery/resend.ts';
import type { PurchaseShop } from '../engine/purchase.ts';
import { requestRefund } from '../refund/request-refund.ts';
import {
  type BulkRow,
  findBulk,
  findNextOrder,
  insertBulk,
  listBulkFacts,
  type OrderOutcome,
  updateBulkFinished,
  updateBulkStopping,
  updateOrderOutcome,
} from './bulk.sql.ts';
import { bulkVerdict } from './bulk-verdict.ts';

export const BULK_JOB = 'bulk.run';

const MOST_SHOWN = 100;
/** The provider's answer may come later; the next order need not wait for it. */
const STEP_MS = 5_000;

/** How many, how much, and which are left out. Nothing is changed. */
export async function previewBulk(
  db: Queryable,
  environmentId: string,
  { action, orderIds, isCapped }: { action: BulkAction; orderIds: readonly string[]; isCapped: boolean },
): Promise<BulkPreview> {
  const facts = await listBulkFacts(db, environmentId, orderIds);
  const going: string[] = [];
  const refused: BulkPreview['refused'] = [];
  const sums = new Map<string, { currency: string; count: number; amount: number }>();
  for (const orderId of orderIds) {
    const found = facts.get(orderId);
    const verdict = found ? bulkVerdict(action, found) : ({ refused: 'order_not_found' } as const);
    if (!found || !('go' in verdict)) {
      const code: BulkRefusal = 'refused' in verdict ? verdict.refused : 'already_returned';
      refused.push({ order_id: orderId, code, detail: null });
      continue;
    }
    going.push(orderId);
    const { amountMinor, currency } = found.payment ?? found.order;
    const sum = sums.get(currency) ?? { currency, count: 0, amount: 0 };
    sums.set(currency, { currency, count: sum.count + 1, amount: sum.amount + amountMinor });
  }
  return {
    action,
    order_ids: going,
    amounts: [...sums.values()].toSorted((a, b) => b.count - a.count),
    refused_count: refused.length,
    refused: refused.slice(0, MOST_SHOWN),
    is_capped: isCapped,
  };
}

export interface StartBulk extends Proof {
  action: BulkAction;
  orderIds: readonly string[];
  reason: string;
}

/** The run, its orders, its entry in the log and its job are one change. */
export async function startBulk(
  shop: PurchaseShop,
  actor: Actor,
  environment: Environment,
  { action, orderIds, reason, ...proof }: StartBulk,
): Promise<string> {
  const isMoney = action !== 'retry' && !isSandbox(environment);
  if (isMoney || isProofGiven(proof)) await proveNow(shop, actor, proof);
  const id = newId('blk');
  const ids = [...new Set(orderIds)];
  const { userId, email, ip } = actor;
  const { id: environmentId, companyId } = environment;
  await shop.db.transaction(async tx => {
    const it = { environmentId, id, companyId, action, reason, userId, actor: email, ip };
    if (!(await insertBulk(tx, it, ids))) throw new AppError('bulk_under_way');
    const after = { action, reason, orders: ids.length };
    writeAudit(tx, actor, { ...auditScope(environment), kind: 'bulk.started', objectId: id, after });
    insertJob(tx, { name: BULK_JOB, environmentId, payload: { bulkId: id } });
    tx.afterCommit(() => shop.signals.announce('jobs'));
  });
  return id;
}

/** After the order that it is at; what was done stays done. */
export async function stopBulk({ db }: Shop, actor: Actor, environment: Environment, id: string): Promise<void> {
  await db.transaction(async tx => {
    if (!(await findBulk(tx, environment.id, id))) throw new AppError('bulk_not_found');
    if (!(await updateBulkStopping(tx, environment.id, id))) return;
    writeAudit(tx, actor, { ...auditScope(environment), kind: 'bulk.stopped', objectId: id });
  });
}

/** Each order by the use case that a member's single act takes, with its own transaction and its own entry in the log. */
async function act(shop: PurchaseShop, run: BulkRow, orderId: string): Promise<OrderOutcome> {
  const { environmentId, companyId, action, reason } = run;
  const done: OrderOutcome = { orderId, outcome: 'done', code: null, detail: null };
  const no = (code: BulkRefusal, detail: string | null = null): OrderOutcome => ({
    orderId,
    outcome: 'refused',
    code,
    detail,
  });
  const facts = (await listBulkFacts(shop.db, environmentId, [orderId])).get(orderId);
  if (!facts) return no('order_not_found');
  const verdict = bulkVerdict(action, facts);
  if ('already' in verdict) return done;
  if ('refused' in verdict) return no(verdict.refused);
  const actor = { userId: run.userId, email: run.actor, ip: run.ip };
  const scope = { companyId, environmentId };
  const works: Promise<unknown>[] = [];
  const own = { ...shop, background: (work: Promise<unknown>) => void works.push(work) };
  try {
    if (action === 'retry') {
      const after = { delivery_id: verdict.deliveryId, bulk_id: run.id };
      const entry = { kind: 'grant.retried', objectId: orderId, after } as const;
      await retryDelivery(own, actor, { id: environmentId, companyId }, verdict.deliveryId!, entry);
    } else {
      const { amountMinor: amount, currency } = facts.payment ?? facts.order;
      const after = { reason, amount, currency, bulk_id: run.id };
      const note =
        action === 'release'
          ? ({ ...scope, kind: 'grant.released', objectId: orderId, after } as const)
          : ({ ...scope, kind: 'payment.refund_requested', objectId: facts.payment!.id, after } as const);
      await requestRefund(own, { environmentId, orderId, reason, by: { actor, note } });
    }
  } catch (error) {
    // It went another way between the look and the act; anything else is a fault, and the job comes again.
    if (!(error instanceof AppError)) throw error;
    return no('failed', error.message);
  }
  for (const work of works) shop.background(work, 'bulk');
  await waitAtMost(Promise.allSettled(works), STEP_MS);
  return done;
}

/** Goes on where it was left, by whichever process; an order that was done and not yet noted is found done. */
export async function runBulk(shop: PurchaseShop, job: Job): Promise<void> {
  const environmentId = job.environmentId!;
  const bulkId = String(job.payload.bulkId);
  for (;;) {
    const run = await findBulk(shop.db, environmentId, bulkId);
    if (!run || run.finishedAt) return;
    const orderId = run.status === 'stopping' ? null : await findNextOrder(shop.db, environmentId, bulkId);
    if (orderId === null) return updateBulkFinished(shop.db, run);
    const outcome = await act(shop, run, orderId);
    await shop.db.transaction(tx => updateOrderOutcome(tx, run, outcome));
  }
}

export const bulkJobs = (shop: PurchaseShop) => ({
  [BULK_JOB]: (job: Job): Promise<void> => runBulk(shop, job),
});
