import type { DifferenceKind } from '@coinslot/contract';
import { idBound, newId } from '../../kit/ids.ts';
import { decimalText } from '../../kit/money.ts';
import { type Charge, ChargeMissing, OutcomeUnknown } from '../payment/providers/base/gateway.ts';
import {
  DayIncomplete,
  type ListedCharge,
  type OpenedAccount,
  type Provider,
} from '../payment/providers/base/provider.ts';
import { updateChargeDisputed } from '../payment/providers/base/provider-charge.sql.ts';
import type { PurchaseShop } from '../purchase/engine/purchase.ts';
import { syncPayment } from '../purchase/engine/sync-payment.ts';
import { differenceOf } from './compare.ts';
import { compareBooks, keepBalance } from './compare-books.ts';
import {
  claimRun,
  findCompanyOf,
  findOurs,
  insertDifference,
  listLiveEnvironments,
  listOursByIntent,
  listOursByPayment,
  listOursOfSpan,
  listOursOpen,
  listOursWaiting,
  type OurRow,
  type RunCounts,
  type RunKey,
  updateDifferencesCorrected,
  updateRunAlive,
  updateRunDone,
  updateRunFailed,
} from './reconciliation.sql.ts';

export interface ReconcileDay {
  provider: Pick<Provider, 'name' | 'day'>;
  account: OpenedAccount;
  /** Null: the account of the program's settings. */
  companyId: string | null;
  /** `YYYY-MM-DD`, UTC. */
  day: string;
  /** Also a day that was compared before. */
  again: boolean;
}

const DAY_SECONDS = 86_400;
const BATCH = 100;
/** Ids hold the time of the host that made them, which may be off the database's. */
const HOST_CLOCKS_MS = 3_600_000;

const sideOf = ({ status, amountMinor, currency }: { status: string; amountMinor: number; currency: string }): string =>
  `${status}, ${decimalText(amountMinor, currency)} ${currency}`;

function theirs(charge: Charge | null): string | null {
  if (!charge) return null;
  const returned = charge.refundedMinor ? `, ${decimalText(charge.refundedMinor, charge.currency)} returned` : '';
  const failed = charge.refundFailure ? `, refund failed: ${charge.refundFailure.reason}` : '';
  return `${sideOf(charge)}${returned}${failed}${charge.disputes.map(({ status }) => `, dispute ${status}`).join('')}`;
}

/** Another process compares the day now. */
class TakenOver extends Error {}

/** The provider listed the day, but does not say what became of some of its payments. */
class PaymentsUnknown extends Error {}

/** One after the other. Then it is not the payments: the provider does not answer. */
const MOST_UNKNOWN = 10;

interface Comparison {
  shop: PurchaseShop;
  input: ReconcileDay;
  run: RunKey;
  counts: RunCounts;
  /** Compared already: what is in two lists is looked at once. */
  seen: Set<string>;
  /** Payments of which the provider does not say what became of them, and how many of them came one after the other. */
  unknown: Set<string>;
  unknownInARow: number;
}

/** One payment that the provider says nothing about does not keep the others of its day from being compared. */
async function unlessUnknown(run: Comparison, { paymentId }: OurRow, work: () => Promise<void>): Promise<void> {
  try {
    await work();
    run.unknownInARow = 0;
  } catch (error) {
    if (!(error instanceof OutcomeUnknown) || ++run.unknownInARow >= MOST_UNKNOWN) throw error;
    run.unknown.add(paymentId);
  }
}

const nullIfMissing = (error: unknown): null => {
  if (error instanceof ChargeMissing) return null;
  throw error;
};

const lookUp = ({ shop, input }: Comparison, { environmentId, paymentId }: OurRow): Promise<Charge | null> =>
  shop.gateways[input.provider.name]!.lookUp({ environmentId, paymentId }).catch(nullIfMissing);

async function note(
  { shop, input, counts }: Comparison,
  row: OurRow,
  found: { kind: DifferenceKind; state: 'open' | 'corrected'; charge: Charge | null },
): Promise<void> {
  counts.differences++;
  await insertDifference(shop.db, {
    companyId: row.companyId,
    accountId: input.account.accountId,
    day: input.day,
    kind: found.kind,
    subject: row.paymentId,
    state: found.state,
    ours: sideOf(row),
    theirs: theirs(found.charge),
    providerId: row.intentId,
    environmentId: row.environmentId,
    paymentId: row.paymentId,
    orderId: row.orderId,
  });
}

/** What differs is asked for once more, which corrects most of it; what then still differs needs a studio member. */
async function compare(run: Comparison, row: OurRow, charge: Charge | null): Promise<void> {
  if (run.seen.has(row.paymentId)) return;
  run.seen.add(row.paymentId);
  const { shop } = run;
  const { accountId } = run.input.account;
  const kind = differenceOf(row, charge);
  if (!kind) return updateDifferencesCorrected(shop.db, accountId, row.paymentId, null);
  await syncPayment(shop, row).catch(nullIfMissing);
  const now = (await findOurs(shop.db, row.environmentId, row.paymentId)) ?? row;
  const fresh = await lookUp(run, row);
  const still = differenceOf(now, fresh);
  await updateDifferencesCorrected(shop.db, accountId, row.paymentId, still);
  if (still) await note(run, now, { kind: still, state: 'open', charge: fresh });
  else await note(run, row, { kind, state: 'corrected', charge: fresh });
}

/** Says that this process is at it, and stops when it was silent for so long that another has taken over. */
async function goOn({ shop, run }: Comparison): Promise<void> {
  if (!(await updateRunAlive(shop.db, run))) throw new TakenOver();
}

const compareLookedUp = (run: Comparison, row: OurRow): Promise<void> =>
  unlessUnknown(run, row, async () => compare(run, row, await lookUp(run, row)));

async function compareRows(run: Comparison, rows: OurRow[]): Promise<void> {
  await goOn(run);
  for (const row of rows) {
    if (!run.seen.has(row.paymentId) && !run.unknown.has(row.paymentId)) await compareLookedUp(run, row);
  }
}

/** Ours by what we wrote on it, but not in our record. */
async function noteMissingHere(run: Comparison, { providerId, ours, holdsMoney, charge }: ListedCharge): Promise<void> {
  const { environmentId = '', paymentId = null, orderId = null } = ours ?? {};
  const { db } = run.shop;
  const companyId = await findCompanyOf(db, environmentId);
  const isOurs = companyId !== null && (run.input.companyId === null || companyId === run.input.companyId);
  if (!isOurs || !holdsMoney) return;
  run.counts.differences++;
  await insertDifference(db, {
    companyId,
    accountId: run.input.account.accountId,
    day: run.input.day,
    kind: 'missing_here',
    subject: providerId,
    state: 'open',
    ours: null,
    theirs: theirs(charge),
    providerId,
    environmentId,
    paymentId,
    orderId,
  });
}

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
  for (const environmentId of await listLiveEnvironments(db, companyId)) {
    const of = { accountId: account.accountId, environmentId };
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
  await compareRows(run, await listOursOpen(db, account.accountId));
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

/** The provider's own words may quote a key; the kind of the error is enough to know what to do. */
function whyFailed(error: unknown): string {
  if (error instanceof DayIncomplete) return 'has not listed the whole day yet';
  if (error instanceof PaymentsUnknown) return `does not say what became of ${error.message}`;
  const { statusCode } = error as { statusCode?: number };
  return statusCode === undefined ? 'could not be reached' : `answered with ${statusCode}`;
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
    await updateRunFailed(db, run, `The provider ${whyFailed(error)}. The day will be compared again.`);
    throw error;
  }
  await updateRunDone(db, run, counts);
  return counts;
}
