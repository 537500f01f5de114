import type { Queryable } from '../../db/db.ts';
import { insertMail, type RemakeMail, updateMailKept } from '../../mail/mail.sql.ts';
import { mailLook } from '../../mail/mail-content.ts';
import { takeMailQuota } from '../../mail/mail-quota.sql.ts';
import { sendMail } from '../../mail/send-mail.ts';
import { sellerOf } from '../company/seller.ts';
import { findMethod } from '../payment/methods/method-table.ts';
import { brandName } from '../payment/providers/base/card.ts';
import type { Shop } from '../shop.ts';
import { findReceiptFacts, type ReceiptFacts } from './receipt.sql.ts';
import { isFreeReceipt, mayBeMailed, paymentOfReceipt, receiptMail } from './receipt-mail.ts';
import { type ReceiptView, receiptContent } from './render-receipt.ts';

/** Of one company, in sandbox; more are kept for the operator to look at. */
export const FREE_RECEIPTS_A_DAY = 500;

type Urls = Pick<Shop, 'publicUrl' | 'checkoutUrlOf'>;

const viewOf = (facts: ReceiptFacts, paymentId: string, environmentId: string, urls: Urls): ReceiptView => ({
  ...facts,
  look: mailLook(urls.publicUrl, facts.look),
  seller: sellerOf(facts),
  receiptUrl: `${urls.checkoutUrlOf(environmentId, facts.orderId)}/receipt`,
  locale: facts.details.locale,
  sandbox: facts.mode === 'sandbox',
  paymentId,
  brandName: facts.brand === null ? null : brandName(facts.brand),
  methodName: facts.method === 'card' ? null : (findMethod(facts.method)?.name ?? null),
});

/** What a receipt says, for an operator: order and payment are kept forever, so no copy of it is. */
export const remakeReceipt =
  (db: Queryable, urls: Urls): RemakeMail =>
  async ({ environmentId, about }) => {
    const paymentId = paymentOfReceipt(about);
    if (environmentId === null || paymentId === null) return null;
    const facts = await findReceiptFacts(db, { environmentId, paymentId });
    return facts && receiptContent(viewOf(facts, paymentId, environmentId, urls));
  };

/**
 * Makes the mail once and tries to send it; throws to be called again. An order that an older program made paid has a job in
 * any case, so it may also be a receipt that is only kept.
 */
export async function sendReceipt(
  shop: Pick<Shop, 'db' | 'mailer' | 'checkoutUrlOf' | 'publicUrl'>,
  environmentId: string,
  paymentId: string,
): Promise<void> {
  const facts = await findReceiptFacts(shop.db, { environmentId, paymentId });
  if (!facts?.email) return;
  const receipt = { ...facts, environmentId, paymentId, email: facts.email, locale: facts.details.locale };
  const isSent = await mayBeMailed(shop.db, shop.mailer, receipt);
  const status = isSent ? 'queued' : 'kept';
  const { id, isNew } = await shop.db.shared(paymentId, tx => insertMail(tx, receiptMail(receipt), status));
  // A kept receipt that an operator has queued again is sent all the same.
  if (status === 'kept' && isNew) return;
  const { companyId } = receipt;
  if (
    isNew &&
    isFreeReceipt(receipt) &&
    !(await takeMailQuota(shop.db, `receipts ${companyId}`, FREE_RECEIPTS_A_DAY))
  ) {
    return updateMailKept(shop.db, id);
  }
  await sendMail(shop, id, receiptContent(viewOf(facts, paymentId, environmentId, shop)));
}
