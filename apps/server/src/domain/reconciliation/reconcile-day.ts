import { reasons } from '@coinslot/texts/reasons';
import { idBound, newId } from '../../kit/ids.ts';
import { updateChargeDisputed } from '../payment/providers/base/provider-charge.sql.ts';
import { DayIncomplete, type ListedCharge } from '../payment/providers/base/provider-day.ts';
import type { PurchaseShop } from '../purchase/engine/purchase.ts';
import { compareBooks, keepBalance } from './compare-books.ts';
import {
  type Comparison,
  compare,
  compareLookedUp,
  compareRows,
  goOn,
  noteMissingHere,
  type ReconcileDay,
  TakenOver,
  unlessUnknown,
} from './compare-payment.ts';
import {
  listLiveEnvironments,
  listOursByIntent,
  listOursByPayment,
  listOursOfSpan,
  listOursOpen,
  listOursWaiting,
} from './our-purchases.sql.ts';
import { claimRun, type RunCounts, type RunKey, updateRunDone, updateRunFailed } from './reconciliation.sql.ts';

const DAY_SECONDS = 86_400;
const BATCH = 100;
/** Ids hold the time of the host that made them, which may be off the database's. */
const HOST_CLOCKS_MS = 3_600_000;

/** The provider listed the day, but does not say what became of some of its payments. */
class PaymentsUnknown extends Error {}

async function comparePayments(run: Comparison, listed: ListedCharge[]): Promise<void> {
  await goOn(run);
  const { db } = run.shop;
  const named = listed.filter(({ ours }) => ours !== null);
  run.counts.payments += named.length;
  run.counts.foreign += listed.filter(({ isForeign }) => isForeign).length;
  const rows = await listOursByPayment(
    db,
    run.input.account.accountId,
    named.map(({ ours }) => ours!),
  );
  const byPayment = new Map(rows.map(row => [row.paymentId, row]));
  for (const entry of named) {
    const row = byPayment.get(entry.ours!.paymentId);
    if (!row || row.environmentId !== entry.ours!.environmentId) {
      await noteMissingHere(run, entry);
      continue;
    }
    if (entry.isDisputed || row.hasDispute) await compareLookedUp(run, row);
    else await unlessUnknown(run, row, () => compare(run, row, entry.charge));
  }
}

async function compareByIntent(run: Comparison, intentIds: string[], isDispute: boolean): Promise<number> {
  await goOn(run);
  const { db } = run.shop;
  const rows = await listOursByIntent(db, run.input.account.accountId, intentIds);
  for (const row of rows) {
    if (isDispute && !row.hasDispute) await updateChargeDisputed(db, row);
    // A payment of the same day was compared without what came later in it.
    run.seen.delete(row.paymentId);
    await compareLookedUp(run, row);
  }
  return rows.length;
}

/** What took a step on the day, what waits for one, and what differed before. */
async function compareOurs(run: Comparison, fromMs: number, toMs: number): Promise<void> {
  const { db } = run.shop;
  const { account, companyId } = run.input;
  const skewMs = run.shop.clock.skewMs();
  const firstId = idBound('evt', fromMs + skewMs - HOST_CLOCKS_MS);
  const span = {
    belowEventId: idBound('evt', toMs + skewMs + HOST_CLOCKS_MS),
    from: new Date(fromMs),
    to: new Date(toMs),
  };
  const { accountId } = account;
  for (const environmentId of await listLiveEnvironments(db, companyId)) {
    const of = { accountId, environmentId };
    for (let afterEventId: string | undefined = firstId; afterEventId !== undefined; ) {
      const rows = await listOursOfSpan(db, of, { afterEventId, ...span }, BATCH);
      await compareRows(run, rows);
      afterEventId = rows.length < BATCH ? undefined : rows.at(-1)!.eventId;
    }
    for (let afterId: string | undefined = ''; afterId !== undefined; ) {
      const rows = await listOursWaiting(db, of, afterId, BATCH);
      await compareRows(run, rows);
      afterId = rows.length < BATCH ? undefined : rows.at(-1)!.paymentId;
    }
  }
  await goOn(run);
  await compareRows(run, await listOursOpen(db, accountId));
}

async function compareAll(run: Comparison): Promise<void> {
  const fromSeconds = Date.parse(`${run.input.day}T00:00:00Z`) / 1000;
  const toSeconds = fromSeconds + DAY_SECONDS;
  const day = await run.input.provider.day(run.input.account, { fromSeconds, toSeconds });
  for await (const listed of day.payments()) await comparePayments(run, listed);
  for await (const ids of day.refunds()) run.counts.refunds += await compareByIntent(run, ids, false);
  for await (const ids of day.disputes()) run.counts.disputes += await compareByIntent(run, ids, true);
  await compareOurs(run, fromSeconds * 1000, toSeconds * 1000);
  const { account, companyId } = run.input;
  for await (const entries of day.entries()) {
    await goOn(run);
    await keepBalance(run.shop.db, { accountId: account.accountId, companyId }, entries);
  }
  const span = { from: new Date(fromSeconds * 1000), to: new Date(toSeconds * 1000) };
  const books = { accountId: account.accountId, day: run.input.day, ...span, goOn: () => goOn(run) };
  run.counts.differences += await compareBooks(run.shop, books);
}

const say = reasons.in('en');

/** The provider's own words may quote a key; the kind of the error is enough to know what to do. */
function whyFailed(error: unknown): string {
  if (error instanceof DayIncomplete) return say('day.incomplete');
  if (error instanceof PaymentsUnknown) return say('day.unknown', { payments: error.message });
  const { statusCode } = error as { statusCode?: number };
  return statusCode === undefined ? say('day.unreachable') : say('day.failed', { status: statusCode });
}

/** Compares a day of one account with our record. Null: another process does, or it is done. Comparing twice adds nothing. */
export async function reconcileDay(shop: PurchaseShop, input: ReconcileDay): Promise<RunCounts | null> {
  const { db } = shop;
  const { accountId } = input.account;
  const run: RunKey = { accountId, companyId: input.companyId, day: input.day, claimId: newId('job') };
  if (!(await claimRun(db, run, input.again))) return null;
  const counts: RunCounts = { payments: 0, refunds: 0, disputes: 0, foreign: 0, differences: 0 };
  try {
    const unknown = new Set<string>();
    await compareAll({ shop, input, run, counts, seen: new Set(), unknown, unknownInARow: 0 });
    if (unknown.size > 0) throw new PaymentsUnknown([...unknown].join(', '));
  } catch (error) {
    if (error instanceof TakenOver) return null;
    await updateRunFailed(db, run, whyFailed(error));
    throw error;
  }
  await updateRunDone(db, run, counts);
  return counts;
}
