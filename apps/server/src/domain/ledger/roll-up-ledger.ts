import type { Db, Tx } from '../../db/db.ts';
import {
  claimFees,
  findReader,
  insertPostings,
  type LedgerReader,
  listCaptured,
  listEventsAfter,
  listWonDisputes,
  lockLedger,
  type ReadEvent,
  updateReader,
} from './ledger.sql.ts';
import { type LedgerEvent, MOVES, type Posting, postingFor } from './ledger.ts';

const BATCH = 1_000;
const FEES = 200;
/** Longer than a transaction can be open: what has a lower number and is not there by then never will be. */
const LATE_SECONDS = 600;

/** Up to the first that is too young: what stands behind it may have a lower number still to come. */
async function readLate(tx: Tx, seq: number): Promise<ReadEvent[]> {
  const [next] = await listEventsAfter(tx, seq, 1, LATE_SECONDS);
  if (!next?.isOld) return [];
  const read = await listEventsAfter(tx, seq, BATCH, LATE_SECONDS);
  const young = read.findIndex(({ isOld }) => !isOld);
  return young < 0 ? read : read.slice(0, young);
}

async function rollUpEvents(tx: Tx, reader: LedgerReader): Promise<boolean> {
  const seq = await findReader(tx, reader);
  const read = reader === 'late' ? await readLate(tx, seq) : await listEventsAfter(tx, seq, BATCH, 0);
  const events = read.filter((event): event is ReadEvent & LedgerEvent => event.data !== null);
  const captured = await listCaptured(tx, [...new Set(events.map(({ data }) => data.payment_id))]);
  const postings: Posting[] = [];
  for (const event of events) {
    const posting = postingFor(event, captured.has(event.data.payment_id));
    if (posting) postings.push(posting);
    if (posting?.kind === 'captured') captured.add(posting.paymentId);
  }
  await insertPostings(tx, postings);
  const last = read.at(-1);
  if (last) updateReader(tx, reader, last.seq);
  return read.length === BATCH;
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

async function rollUpWonDisputes(tx: Tx): Promise<void> {
  const won = await listWonDisputes(tx, BATCH);
  const postings = won.map(
    ({ environmentId, paymentId, amountMinor, currency, disputes, occurredAt }): Posting => ({
      environmentId,
      postingId: `${paymentId}:won:${disputes}`,
      paymentId,
      kind: 'dispute_won',
      ...MOVES.dispute_won,
      amountMinor,
      currency,
      occurredAt,
    }),
  );
  await insertPostings(tx, postings);
}

/** From what happened to where the money is. True: there may be more. */
export function rollUpLedger({ db }: { db: Db }): Promise<boolean> {
  return db.transaction(async tx => {
    if (!(await lockLedger(tx))) return false;
    const isMorePrompt = await rollUpEvents(tx, 'prompt');
    const isMoreLate = await rollUpEvents(tx, 'late');
    const isMoreFees = await rollUpFees(tx);
    await rollUpWonDisputes(tx);
    return isMorePrompt || isMoreLate || isMoreFees;
  });
}
