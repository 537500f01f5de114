import type { DifferenceKind } from '@coinslot/contract';
import { decimalText } from '../../kit/money.ts';
import { listDisputes } from '../payment/disputes/dispute.sql.ts';
import type { Charge } from '../payment/providers/base/charge-shape.ts';
import { ChargeMissing, OutcomeUnknown } from '../payment/providers/base/gateway.ts';
import type { OpenedAccount, Provider } from '../payment/providers/base/provider.ts';
import type { ListedCharge } from '../payment/providers/base/provider-day.ts';
import type { PurchaseShop } from '../purchase/engine/purchase.ts';
import { syncPayment } from '../purchase/engine/sync-payment.ts';
import { differenceOf, disputeDifferenceOf } from './compare.ts';
import { insertDifference, updateDifferencesCorrected } from './difference.sql.ts';
import { findCompanyOf, findOurs, type OurRow } from './our-purchases.sql.ts';
import { type RunCounts, type RunKey, updateRunAlive } from './reconciliation.sql.ts';

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

const sideOf = ({ status, amountMinor, currency }: { status: string; amountMinor: number; currency: string }): string =>
  `${status}, ${decimalText(amountMinor, currency)} ${currency}`;

function theirs(charge: Charge | null): string | null {
  if (!charge) return null;
  const returned = charge.refundedMinor ? `, ${decimalText(charge.refundedMinor, charge.currency)} returned` : '';
  const failed = charge.refundFailure ? `, refund failed: ${charge.refundFailure.reason}` : '';
  return `${sideOf(charge)}${returned}${failed}${charge.disputes.map(({ status }) => `, dispute ${status}`).join('')}`;
}

/** Another process compares the day now. */
export class TakenOver extends Error {}

/** After so many failures in a row the cause is not the payments: the provider does not answer. */
const MOST_UNKNOWN = 10;

export interface Comparison {
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
export async function unlessUnknown(run: Comparison, { paymentId }: OurRow, work: () => Promise<void>): Promise<void> {
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

async function findDifference(
  { shop: { db } }: Comparison,
  row: OurRow,
  charge: Charge | null,
): Promise<DifferenceKind | null> {
  const kind = differenceOf(row, charge);
  if (kind || !charge || charge.disputes.length === 0) return kind;
  return disputeDifferenceOf(await listDisputes(db, row), charge);
}

/** What differs is asked for once more, which corrects most of it; what then still differs needs a studio member. */
export async function compare(run: Comparison, row: OurRow, charge: Charge | null): Promise<void> {
  if (run.seen.has(row.paymentId)) return;
  run.seen.add(row.paymentId);
  const { shop } = run;
  const { accountId } = run.input.account;
  const kind = await findDifference(run, row, charge);
  if (!kind) return updateDifferencesCorrected(shop.db, accountId, row.paymentId, null);
  await syncPayment(shop, row).catch(nullIfMissing);
  const now = (await findOurs(shop.db, row.environmentId, row.paymentId)) ?? row;
  const fresh = await lookUp(run, row);
  const still = await findDifference(run, now, fresh);
  await updateDifferencesCorrected(shop.db, accountId, row.paymentId, still);
  if (still) await note(run, now, { kind: still, state: 'open', charge: fresh });
  else await note(run, row, { kind, state: 'corrected', charge: fresh });
}

/** Records that this process still compares. Throws if it was silent for so long that another process has taken over. */
export async function goOn({ shop, run }: Comparison): Promise<void> {
  if (!(await updateRunAlive(shop.db, run))) throw new TakenOver();
}

export const compareLookedUp = (run: Comparison, row: OurRow): Promise<void> =>
  unlessUnknown(run, row, async () => compare(run, row, await lookUp(run, row)));

export async function compareRows(run: Comparison, rows: OurRow[]): Promise<void> {
  if (rows.length === 0) return;
  await goOn(run);
  for (const row of rows) {
    if (!run.seen.has(row.paymentId) && !run.unknown.has(row.paymentId)) await compareLookedUp(run, row);
  }
}

/** Ours by what we wrote on it, but not in our record. */
export async function noteMissingHere(
  run: Comparison,
  { providerId, ours, holdsMoney, charge }: ListedCharge,
): Promise<void> {
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
