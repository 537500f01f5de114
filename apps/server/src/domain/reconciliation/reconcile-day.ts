import type { DifferenceKind } from '@coinslot/contract';
import { decimalText } from '../../kit/money.ts';
import type { FulfillmentDeps } from '../fulfillment/fulfillment-deps.ts';
import { syncPayment } from '../fulfillment/sync-payment.ts';
import { type Charge, ChargeMissing } from '../payment/gateways/gateway.ts';
import type { ListedCharge, OpenedAccount, Provider } from '../payment/gateways/provider.ts';
import { updateChargeDisputed } from '../payment/gateways/provider-charge.sql.ts';
import { differenceOf } from './compare.ts';
import {
  claimRun,
  findCompanyOf,
  findOurs,
  insertDifference,
  listOursByIntent,
  listOursByPayment,
  listOursOfDay,
  type OurRow,
  type RunCounts,
  updateRunDone,
  updateRunFailed,
} from './reconciliation.sql.ts';

export interface ReconciliationDeps {
  fulfillment: FulfillmentDeps;
  provider: Pick<Provider, 'name' | 'day'>;
}

export interface ReconcileDay {
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

const sideOf = ({ status, amountMinor, currency }: { status: string; amountMinor: number; currency: string }): string =>
  `${status}, ${decimalText(amountMinor, currency)} ${currency}`;

function theirs(charge: Charge | null): string | null {
  if (!charge) return null;
  const returned = charge.refundedMinor ? `, ${decimalText(charge.refundedMinor, charge.currency)} returned` : '';
  return `${sideOf(charge)}${returned}${charge.dispute ? `, dispute ${charge.dispute.status}` : ''}`;
}

interface Comparison {
  deps: ReconciliationDeps;
  input: ReconcileDay;
  counts: RunCounts;
  /** Compared already: what is in two lists is looked at once. */
  seen: Set<string>;
}

const nullIfMissing = (error: unknown): null => {
  if (error instanceof ChargeMissing) return null;
  throw error;
};

const lookUp = ({ deps }: Comparison, { environmentId, paymentId }: OurRow): Promise<Charge | null> =>
  deps.fulfillment.gateways[deps.provider.name]!.lookUp({ environmentId, paymentId }).catch(nullIfMissing);

async function note(
  { deps, input, counts }: Comparison,
  row: OurRow,
  found: { kind: DifferenceKind; state: 'open' | 'corrected'; charge: Charge | null },
): Promise<void> {
  counts.differences++;
  await insertDifference(deps.fulfillment.db, {
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

/** What differs is asked for once more, which puts most of it right; what then still differs needs a person. */
async function compare(run: Comparison, row: OurRow, charge: Charge | null): Promise<void> {
  if (run.seen.has(row.paymentId)) return;
  run.seen.add(row.paymentId);
  const kind = differenceOf(row, charge);
  if (!kind) return;
  const { fulfillment } = run.deps;
  await syncPayment(fulfillment, row).catch(nullIfMissing);
  const now = (await findOurs(fulfillment.db, row.environmentId, row.paymentId)) ?? row;
  const fresh = await lookUp(run, row);
  const still = differenceOf(now, fresh);
  if (still) await note(run, now, { kind: still, state: 'open', charge: fresh });
  else await note(run, row, { kind, state: 'corrected', charge: fresh });
}

/** Ours by what we wrote on it, but not in our record. */
async function noteMissingHere(run: Comparison, { providerId, ours, holdsMoney, charge }: ListedCharge): Promise<void> {
  const { environmentId = '', paymentId = null, orderId = null } = ours ?? {};
  const { db } = run.deps.fulfillment;
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
  const { db } = run.deps.fulfillment;
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
    await compare(run, row, entry.isDisputed || row.hasDispute ? await lookUp(run, row) : entry.charge);
  }
}

async function compareByIntent(run: Comparison, intentIds: string[], isDispute: boolean): Promise<number> {
  const { db } = run.deps.fulfillment;
  const rows = await listOursByIntent(db, run.input.account.accountId, intentIds);
  for (const row of rows) {
    if (isDispute && !row.hasDispute) await updateChargeDisputed(db, row);
    // A payment of the same day was compared without what came later in it.
    run.seen.delete(row.paymentId);
    await compare(run, row, await lookUp(run, row));
  }
  return rows.length;
}

async function compareOurs(run: Comparison, from: Date, to: Date): Promise<void> {
  const { db } = run.deps.fulfillment;
  let after = '';
  for (;;) {
    const rows = await listOursOfDay(db, run.input.account.accountId, from, to, after, BATCH);
    for (const row of rows) if (!run.seen.has(row.paymentId)) await compare(run, row, await lookUp(run, row));
    if (rows.length < BATCH) return;
    after = rows.at(-1)!.paymentId;
  }
}

async function compareAll(run: Comparison): Promise<void> {
  const fromSeconds = Date.parse(`${run.input.day}T00:00:00Z`) / 1000;
  const toSeconds = fromSeconds + DAY_SECONDS;
  const day = await run.deps.provider.day(run.input.account, { fromSeconds, toSeconds });
  for await (const listed of day.payments()) await comparePayments(run, listed);
  for await (const ids of day.refunds()) run.counts.refunds += await compareByIntent(run, ids, false);
  for await (const ids of day.disputes()) run.counts.disputes += await compareByIntent(run, ids, true);
  await compareOurs(run, new Date(fromSeconds * 1000), new Date(toSeconds * 1000));
}

/** Compares a day of one account with our record. Null: another process does, or it is done. */
export async function reconcileDay(deps: ReconciliationDeps, input: ReconcileDay): Promise<RunCounts | null> {
  const { db } = deps.fulfillment;
  const { accountId } = input.account;
  const run = { accountId, companyId: input.companyId, day: input.day };
  if (!(await claimRun(db, run, input.again))) return null;
  const counts: RunCounts = { payments: 0, refunds: 0, disputes: 0, foreign: 0, differences: 0 };
  try {
    await compareAll({ deps, input, counts, seen: new Set() });
  } catch (error) {
    // The provider's own words may quote a key; the kind of the error is enough to know what to do.
    const { statusCode } = error as { statusCode?: number };
    const what = statusCode === undefined ? 'could not be reached' : `answered with ${statusCode}`;
    await updateRunFailed(db, run, `The provider ${what}. The day will be compared again.`);
    throw error;
  }
  await updateRunDone(db, run, counts);
  return counts;
}
