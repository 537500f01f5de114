import type { Tx } from '../../db/db.ts';
import { lockPosition } from '../../db/read-numbered.sql.ts';
import { readNumbered, type Span } from '../../db/read-numbered.ts';
import type { Shop } from '../shop.ts';
import {
  claimDisputes,
  claimFees,
  findPostedDispute,
  insertPostings,
  LEDGER_READER,
  listLedgerEvents,
  listPostedPayments,
} from './ledger.sql.ts';
import { disputePostings, MOVES, type Posting, postingFor } from './ledger.ts';

const BATCH = 1_000;
const FEES = 200;

async function postEvents(tx: Tx, span: Span): Promise<void> {
  const events = await listLedgerEvents(tx, span);
  if (events.length === 0) return;
  const posted = await listPostedPayments(tx, [...new Set(events.map(({ data }) => data.payment_id))]);
  const postings: Posting[] = [];
  for (const event of events) {
    const before = posted.get(event.data.payment_id) ?? { isCaptured: false, refundedMinor: 0 };
    const posting = postingFor(event, before);
    if (!posting) continue;
    postings.push(posting);
    const { kind, amountMinor } = posting;
    const returned = kind === 'refunded' ? amountMinor : kind === 'refund_failed' ? -amountMinor : 0;
    posted.set(posting.paymentId, {
      isCaptured: before.isCaptured || posting.to === 'balance',
      refundedMinor: before.refundedMinor + returned,
    });
  }
  await insertPostings(tx, postings);
}

async function rollUpFees(tx: Tx): Promise<boolean> {
  const due = await claimFees(tx, FEES);
  const postings = due
    .filter(({ feeMinor }) => feeMinor > 0)
    .map(
      ({ environmentId, paymentId, feeMinor, feeCurrency, occurredAt }): Posting => ({
        environmentId,
        postingId: `${paymentId}:fee`,
        paymentId,
        kind: 'fee',
        ...MOVES.fee,
        amountMinor: feeMinor,
        currency: feeCurrency,
        occurredAt,
      }),
    );
  await insertPostings(tx, postings);
  return due.length === FEES;
}

/** By their records: a dispute can come after a refund, be about a part, and be won and opened again between two rounds. */
async function rollUpDisputes(tx: Tx): Promise<boolean> {
  const due = await claimDisputes(tx, BATCH);
  for (const dispute of due.filter(({ isLive }) => isLive)) {
    await insertPostings(tx, disputePostings(dispute, await findPostedDispute(tx, dispute)));
  }
  return due.length === BATCH;
}

/** From what happened to where the money is. True: there may be more. */
export async function rollUpLedger({ db }: Pick<Shop, 'db'>): Promise<boolean> {
  const isMoreEvents = await readNumbered(db, LEDGER_READER, postEvents, BATCH);
  const isMoreRecords = await db.transaction(async tx => {
    // The position is the lock of the ledger: one worker posts at a time.
    if (!(await lockPosition(tx, LEDGER_READER))) return false;
    const isMoreDisputes = await rollUpDisputes(tx);
    return (await rollUpFees(tx)) || isMoreDisputes;
  });
  return isMoreEvents || isMoreRecords;
}
