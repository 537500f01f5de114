import type { Queryable } from '../../db/db.ts';
import { newId } from '../../kit/ids.ts';
import { insertMail, type RemakeMail, updateMailKept } from '../../mail/mail.sql.ts';
import { mailLook } from '../../mail/mail-content.ts';
import { takeMailQuota } from '../../mail/mail-quota.sql.ts';
import { sendMail } from '../../mail/send-mail.ts';
import { findMemberByEmail } from '../company/member.sql.ts';
import { sellerOf } from '../company/seller.ts';
import { findMethod } from '../payment/methods/method-table.ts';
import { brandName } from '../payment/providers/base/card.ts';
import type { Shop } from '../shop.ts';
import { findReceiptFacts, type ReceiptFacts } from './receipt.sql.ts';
import {
  isWithoutMoney,
  type ReceiptHead,
  type ReceiptView,
  receiptContent,
  receiptSubject,
} from './render-receipt.ts';

/** Of one company, in sandbox; more are kept for the operator to look at. */
export const FREE_RECEIPTS_A_DAY = 500;

const ABOUT = 'receipt ';

type Urls = Pick<Shop, 'publicUrl' | 'checkoutUrlOf'>;

const headOf = ({ details, gameName, mode, amountMinor, currency }: ReceiptFacts): ReceiptHead => ({
  locale: details.locale,
  gameName,
  sandbox: mode === 'sandbox',
  amountMinor,
  currency,
});

const viewOf = (facts: ReceiptFacts, paymentId: string, environmentId: string, urls: Urls): ReceiptView => ({
  ...facts,
  ...headOf(facts),
  look: mailLook(urls.publicUrl, facts.look),
  seller: sellerOf(facts),
  receiptUrl: `${urls.checkoutUrlOf(environmentId, facts.orderId)}/receipt`,
  paymentId,
  brandName: facts.brand === null ? null : brandName(facts.brand),
  methodName: facts.method === 'card' ? null : (findMethod(facts.method)?.name ?? null),
});

/** What a receipt says, for an operator: order and payment are kept forever, so no copy of it is. */
export const remakeReceipt =
  (db: Queryable, urls: Urls): RemakeMail =>
  async ({ environmentId, about }) => {
    if (environmentId === null || !about.startsWith(ABOUT)) return null;
    const paymentId = about.slice(ABOUT.length);
    const facts = await findReceiptFacts(db, { environmentId, paymentId });
    return facts && receiptContent(viewOf(facts, paymentId, environmentId, urls));
  };

/**
 * In live a receipt follows money that was captured; in sandbox it goes to members alone. Otherwise a stranger who registers a
 * company could have their own text mailed to people who never bought anything.
 */
async function mayBeMailed(db: Queryable, { companyId, email }: ReceiptFacts, head: ReceiptHead): Promise<boolean> {
  if (!head.sandbox) return !isWithoutMoney(head);
  return (await findMemberByEmail(db, companyId, email!)) !== null;
}

/**
 * Writes the receipt once and tries to send it; throws to be called again. The mail is made here and not where the order
 * becomes paid, so that the player's payment waits for nothing but the job's row.
 */
export async function sendReceipt(
  shop: Pick<Shop, 'db' | 'mailer' | 'checkoutUrlOf' | 'publicUrl'>,
  environmentId: string,
  paymentId: string,
): Promise<void> {
  const facts = await findReceiptFacts(shop.db, { environmentId, paymentId });
  if (!facts?.email) return;
  const { companyId, isVerified, email, senderName, replyTo } = facts;
  const head = headOf(facts);
  const isFree = isWithoutMoney(head);
  const about = `${ABOUT}${paymentId}`;
  const kind = 'receipt';
  const sender = isFree ? { senderName: null, replyTo: null } : { senderName, replyTo };
  const said = { subject: receiptSubject(head), content: null };
  const made = { id: newId('mail'), environmentId, kind, about, recipient: email, ...said, ...sender };
  // Without a mail server it is kept from the start, and so is one of a company whose owners may be invented.
  const isSent = shop.mailer !== null && isVerified && (await mayBeMailed(shop.db, facts, head));
  const status = isSent ? 'queued' : 'kept';
  const { id, isNew } = await shop.db.shared(paymentId, tx => insertMail(tx, made, status));
  // A kept receipt that an operator has queued again is sent all the same.
  if (status === 'kept' && isNew) return;
  if (isNew && isFree && !(await takeMailQuota(shop.db, `receipts ${companyId}`, FREE_RECEIPTS_A_DAY))) {
    return updateMailKept(shop.db, id);
  }
  await sendMail(shop, id, receiptContent(viewOf(facts, paymentId, environmentId, shop)));
}
