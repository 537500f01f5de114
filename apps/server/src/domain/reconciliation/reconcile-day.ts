import type { DifferenceKind } from '@coinslot/contract';
import type Stripe from 'stripe';
import { idBound, newId } from '../../kit/ids.ts';
import { decimalText } from '../../kit/money.ts';
import type { FulfillmentDeps } from '../fulfillment/fulfillment-deps.ts';
import { syncPayment } from '../fulfillment/sync-payment.ts';
import type { Charge } from '../payment/gateways/gateway.ts';
import { chargeOfIntent } from '../payment/gateways/stripe/charge-of-intent.ts';
import { stripeDay } from '../payment/gateways/stripe/list-day.ts';
import { updateChargeDisputed } from '../payment/gateways/stripe/provider-charge.sql.ts';
import type { StripeAccount } from '../payment/gateways/stripe/stripe-account.ts';
import type { StripeClients } from '../payment/gateways/stripe/stripe-client.ts';
import { IntentMissing } from '../payment/gateways/stripe/stripe-context.ts';
import { STRIPE } from '../payment/gateways/stripe/stripe-gateway.ts';
import { differenceOf } from './compare.ts';
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

export interface ReconciliationDeps {
  fulfillment: FulfillmentDeps;
  clients: StripeClients;
}

export interface ReconcileDay {
  account: StripeAccount;
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
const MONEY_INTENTS: readonly string[] = ['requires_capture', 'succeeded', 'processing'];

const sideOf = ({ status, amountMinor, currency }: { status: string; amountMinor: number; currency: string }): string =>
  `${status}, ${decimalText(amountMinor, currency)} ${currency}`;

function theirs(charge: Charge | null): string | null {
  if (!charge) return null;
  const returned = charge.refundedMinor ? `, ${decimalText(charge.refundedMinor, charge.currency)} returned` : '';
  const failed = charge.refundFailure ? `, refund failed: ${charge.refundFailure.reason}` : '';
  return `${sideOf(charge)}${returned}${failed}${charge.dispute ? `, dispute ${charge.dispute.status}` : ''}`;
}

/** Another process compares the day now. */
class TakenOver extends Error {}

interface Comparison {
  deps: ReconciliationDeps;
  input: ReconcileDay;
  run: RunKey;
  counts: RunCounts;
  /** Compared already: what is in two lists is looked at once. */
  seen: Set<string>;
}

const nullIfMissing = (error: unknown): null => {
  if (error instanceof IntentMissing) return null;
  throw error;
};

const lookUp = ({ deps }: Comparison, { environmentId, paymentId }: OurRow): Promise<Charge | null> =>
  deps.fulfillment.gateways[STRIPE]!.lookUp({ environmentId, paymentId }).catch(nullIfMissing);

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

/** What differs is asked for once more, which corrects most of it; what then still differs needs a studio member. */
async function compare(run: Comparison, row: OurRow, charge: Charge | null): Promise<void> {
  if (run.seen.has(row.paymentId)) return;
  run.seen.add(row.paymentId);
  const { fulfillment } = run.deps;
  const { accountId } = run.input.account;
  const kind = differenceOf(row, charge);
  if (!kind) return updateDifferencesCorrected(fulfillment.db, accountId, row.paymentId, null);
  await syncPayment(fulfillment, row).catch(nullIfMissing);
  const now = (await findOurs(fulfillment.db, row.environmentId, row.paymentId)) ?? row;
  const fresh = await lookUp(run, row);
  const still = differenceOf(now, fresh);
  await updateDifferencesCorrected(fulfillment.db, accountId, row.paymentId, still);
  if (still) await note(run, now, { kind: still, state: 'open', charge: fresh });
  else await note(run, row, { kind, state: 'corrected', charge: fresh });
}

/** Says that this process is at it, and stops when it was silent for so long that another has taken over. */
async function goOn({ deps, run }: Comparison): Promise<void> {
  if (!(await updateRunAlive(deps.fulfillment.db, run))) throw new TakenOver();
}

async function compareRows(run: Comparison, rows: OurRow[]): Promise<void> {
  await goOn(run);
  for (const row of rows) if (!run.seen.has(row.paymentId)) await compare(run, row, await lookUp(run, row));
}

/** Ours by what we wrote on it, but not in our record. */
async function noteMissingHere(run: Comparison, intent: Stripe.PaymentIntent): Promise<void> {
  const {
    payment_id: paymentId = null,
    environment_id: environmentId = '',
    order_id: orderId = null,
  } = intent.metadata;
  const { db } = run.deps.fulfillment;
  const companyId = await findCompanyOf(db, environmentId);
  const isOurs = companyId !== null && (run.input.companyId === null || companyId === run.input.companyId);
  if (!isOurs || !MONEY_INTENTS.includes(intent.status)) return;
  run.counts.differences++;
  await insertDifference(db, {
    companyId,
    accountId: run.input.account.accountId,
    day: run.input.day,
    kind: 'missing_here',
    subject: intent.id,
    state: 'open',
    ours: null,
    theirs: theirs(chargeOfIntent(intent)),
    providerId: intent.id,
    environmentId,
    paymentId,
    orderId,
  });
}

async function comparePayments(run: Comparison, intents: Stripe.PaymentIntent[]): Promise<void> {
  await goOn(run);
  const { db } = run.deps.fulfillment;
  const named = intents.filter(({ metadata }) => metadata.payment_id && metadata.environment_id);
  run.counts.payments += named.length;
  run.counts.foreign += intents.filter(({ metadata }) => !metadata.payment_id && !metadata.given_up).length;
  const rows = await listOursByPayment(
    db,
    run.input.account.accountId,
    named.map(({ metadata }) => ({ environmentId: metadata.environment_id!, paymentId: metadata.payment_id! })),
  );
  const byPayment = new Map(rows.map(row => [row.paymentId, row]));
  for (const intent of named) {
    const row = byPayment.get(intent.metadata.payment_id!);
    if (!row || row.environmentId !== intent.metadata.environment_id) {
      await noteMissingHere(run, intent);
      continue;
    }
    const isDisputed = typeof intent.latest_charge === 'object' && intent.latest_charge?.disputed;
    await compare(run, row, isDisputed || row.hasDispute ? await lookUp(run, row) : chargeOfIntent(intent));
  }
}

async function compareByIntent(run: Comparison, intentIds: string[], isDispute: boolean): Promise<number> {
  await goOn(run);
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

const intentIn = (value: string | { id: string } | null): string =>
  typeof value === 'string' ? value : (value?.id ?? '');

/** What took a step on the day, what waits for one, and what differed before. */
async function compareOurs(run: Comparison, fromMs: number, toMs: number): Promise<void> {
  const { db } = run.deps.fulfillment;
  const { account, companyId } = run.input;
  const skewMs = run.deps.fulfillment.clock.skewMs();
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
  const client = await run.deps.clients(run.input.account.secretKey);
  const day = stripeDay(client, { fromSeconds, toSeconds });
  for await (const intents of day.payments()) await comparePayments(run, intents);
  for await (const refunds of day.refunds()) {
    const ids = refunds.map(refund => intentIn(refund.payment_intent));
    run.counts.refunds += await compareByIntent(run, ids, false);
  }
  for await (const disputes of day.disputes()) {
    const ids = disputes.map(dispute => intentIn(dispute.payment_intent));
    run.counts.disputes += await compareByIntent(run, ids, true);
  }
  await compareOurs(run, fromSeconds * 1000, toSeconds * 1000);
}

/** Compares a day of one account with our record. Null: another process does, or it is done. Comparing twice adds nothing. */
export async function reconcileDay(deps: ReconciliationDeps, input: ReconcileDay): Promise<RunCounts | null> {
  const { db } = deps.fulfillment;
  const { accountId } = input.account;
  const run: RunKey = { accountId, companyId: input.companyId, day: input.day, claimId: newId('job') };
  if (!(await claimRun(db, run, input.again))) return null;
  const counts: RunCounts = { payments: 0, refunds: 0, disputes: 0, foreign: 0, differences: 0 };
  try {
    await compareAll({ deps, input, run, counts, seen: new Set() });
  } catch (error) {
    if (error instanceof TakenOver) return null;
    // Stripe's own words may quote a key; the kind of the error is enough to know what to do.
    const { statusCode } = error as { statusCode?: number };
    const what = statusCode === undefined ? 'could not be reached' : `answered with ${statusCode}`;
    await updateRunFailed(db, run, `The provider ${what}. The day will be compared again.`);
    throw error;
  }
  await updateRunDone(db, run, counts);
  return counts;
}
