import type { Tx } from '../../db/db.ts';
import { lockPosition, type NumberedReader } from '../../db/read-numbered.sql.ts';
import { readNumbered, type Span } from '../../db/read-numbered.ts';
import { NUMBERED_EVENTS } from '../event/event.sql.ts';
import type { Shop } from '../shop.ts';
import { claimFees, insertPostings, listCaptured, listLedgerEvents, listWonDisputes } from './ledger.sql.ts';
import { MOVES, type Posting, postingFor } from './ledger.ts';

const LEDGER_READER: NumberedReader = { name: 'ledger', table: NUMBERED_EVENTS };
const BATCH = 1_000;
const FEES = 200;

async function postEvents(tx: Tx, span: Span): Promise<void> {
  const events = await listLedgerEvents(tx, span);
  if (events.length === 0) return;
  const captured = await listCaptured(tx, [...new Set(events.map(({ data }) => data.payment_id))]);
  const postings: Posting[] = [];
  for (const event of events) {
    const posting = postingFor(event, captured.has(event.data.payment_id));
    if (posting) postings.push(posting);
    if (posting?.kind === 'captured') captured.add(posting.paymentId);
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
export async function rollUpLedger({ db }: Pick<Shop, 'db'>): Promise<boolean> {
  const isMoreEvents = await readNumbered(db, LEDGER_READER, postEvents, BATCH);
  const isMoreFees = await db.transaction(async tx => {
    // The position is the lock of the ledger: one worker posts at a time.
    if (!(await lockPosition(tx, LEDGER_READER))) return false;
    await rollUpWonDisputes(tx);
    return rollUpFees(tx);
  });
  return isMoreEvents || isMoreFees;
}
