import type { Queryable } from '../../db/db.ts';
import { newId } from '../../kit/ids.ts';
import type { NewMail } from '../../mail/mail.sql.ts';
import type { Mailer } from '../../mail/mailer.ts';
import { findMemberByEmail } from '../company/member.sql.ts';
import type { PaidOrder, ReceiptSender } from './receipt.sql.ts';
import { isWithoutMoney, receiptSubject } from './render-receipt.ts';

const ABOUT = 'receipt ';

/** The payment whose receipt a mail is, by what the mail is about; null for every other mail. */
export const paymentOfReceipt = (about: string): string | null =>
  about.startsWith(ABOUT) ? about.slice(ABOUT.length) : null;

/** What the mail's row is made from. */
export interface ReceiptToMake extends PaidOrder, ReceiptSender {
  email: string;
}

/** It costs its sender nothing. */
export const isFreeReceipt = ({ mode, amountMinor }: Pick<ReceiptToMake, 'mode' | 'amountMinor'>): boolean =>
  isWithoutMoney({ sandbox: mode === 'sandbox', amountMinor });

/** The words of a receipt are not kept: order and payment are, forever. */
export function receiptMail(receipt: ReceiptToMake): NewMail {
  const { environmentId, paymentId, email, mode } = receipt;
  const isFree = isFreeReceipt(receipt);
  return {
    id: newId('mail'),
    environmentId,
    kind: 'receipt',
    about: `${ABOUT}${paymentId}`,
    recipient: email,
    subject: receiptSubject({ ...receipt, sandbox: mode === 'sandbox' }),
    content: null,
    senderName: isFree ? null : receipt.senderName,
    replyTo: isFree ? null : receipt.replyTo,
  };
}

/**
 * Without a mail server a receipt is kept from the start, and so is one of a company whose owners may be invented. In live a
 * receipt follows money that was captured; in sandbox it goes to members alone. Otherwise a stranger who registers a company
 * could have their own text mailed to people who never bought anything.
 */
export async function mayBeMailed(
  db: Queryable,
  mailer: Mailer | null,
  receipt: Pick<ReceiptToMake, 'companyId' | 'isVerified' | 'mode' | 'amountMinor' | 'email'>,
): Promise<boolean> {
  if (mailer === null || !receipt.isVerified) return false;
  if (receipt.mode !== 'sandbox') return !isFreeReceipt(receipt);
  return (await findMemberByEmail(db, receipt.companyId, receipt.email)) !== null;
}
