import type { NumberedReader } from '../../db/read-numbered.sql.ts';
import { readNumbered, type Span } from '../../db/read-numbered.ts';
import type { Tx } from '../../db/statement.ts';
import { insertJob } from '../../jobs/jobs.sql.ts';
import { insertKeptMails } from '../../mail/mail.sql.ts';
import { NUMBERED_EVENTS } from '../event/event.sql.ts';
import type { Shop } from '../shop.ts';
import { listPaidOrders, listReceiptSenders } from './receipt.sql.ts';
import { mayBeMailed, type ReceiptToMake, receiptMail } from './receipt-mail.ts';

export const RECEIPTS_READER: NumberedReader = { name: 'receipts', table: NUMBERED_EVENTS };

/** Those without an address get none. */
async function listReceipts(tx: Tx, span: Span): Promise<ReceiptToMake[]> {
  const paid = await listPaidOrders(tx, span);
  if (paid.length === 0) return [];
  const senders = await listReceiptSenders(tx, [...new Set(paid.map(({ environmentId }) => environmentId))]);
  return paid.flatMap(({ email, ...order }) => {
    const sender = senders.get(order.environmentId);
    return sender && email ? [{ ...sender, ...order, email }] : [];
  });
}

async function writeSpan(tx: Tx, span: Span, { mailer, signals }: Pick<Shop, 'mailer' | 'signals'>): Promise<void> {
  const receipts = await listReceipts(tx, span);
  const isSent = await Promise.all(receipts.map(receipt => mayBeMailed(tx, mailer, receipt)));
  const kept = receipts.filter((_, i) => !isSent[i]);
  const sent = receipts.filter((_, i) => isSent[i]);
  insertKeptMails(tx, kept.map(receiptMail));
  for (const { environmentId, paymentId } of sent) {
    insertJob(tx, { name: 'receipt.send', environmentId, payload: { paymentId } });
  }
  if (sent.length > 0) tx.afterCommit(() => signals.announce('jobs'));
}

/**
 * Writes the receipts of the orders that became paid: those that are only kept as rows of one statement, and for each that
 * is sent a job, which makes its mail, counts it and tries until the mail server has it. True: there may be more at once.
 */
export const writeReceipts = (
  { db, mailer, signals }: Pick<Shop, 'db' | 'mailer' | 'signals'>,
  batch?: number,
): Promise<boolean> => readNumbered(db, RECEIPTS_READER, (tx, span) => writeSpan(tx, span, { mailer, signals }), batch);
