import { newId } from '../../kit/ids.ts';
import { insertMail, updateMailKept } from '../../mail/mail.sql.ts';
import { takeMailQuota } from '../../mail/mail-quota.sql.ts';
import { type MailDeps, sendMail } from '../../mail/send-mail.ts';
import { sellerOf } from '../company/seller.ts';
import type { CheckoutUrlOf } from '../order/checkout-token.ts';
import { brandName } from '../payment/gateways/card.ts';
import { findMethod } from '../payment/method-table.ts';
import { findReceiptFacts } from './receipt.sql.ts';
import { isWithoutMoney, receiptContent } from './render-receipt.ts';

/** Of one company, for orders that cost its players nothing; more are kept for the operator to look at. */
const FREE_RECEIPTS_A_DAY = 500;

export interface ReceiptDeps extends MailDeps {
  checkoutUrlOf: CheckoutUrlOf;
}

/**
 * Writes the receipt once and tries to send it; throws to be called again. The mail is made here and not where the order
 * becomes paid, so that the player's payment waits for nothing but the job's row.
 */
export async function sendReceipt(deps: ReceiptDeps, environmentId: string, paymentId: string): Promise<void> {
  const facts = await findReceiptFacts(deps.db, { environmentId, paymentId });
  if (!facts?.email) return;
  const { companyId, isVerified, mode, details, method, brand, email, senderName, replyTo, ...rest } = facts;
  const sandbox = mode === 'sandbox';
  const isFree = isWithoutMoney({ sandbox, amountMinor: rest.amountMinor });
  const content = receiptContent({
    ...rest,
    seller: sellerOf(facts),
    receiptUrl: `${deps.checkoutUrlOf(environmentId, rest.orderId)}/receipt`,
    locale: details.locale,
    sandbox,
    paymentId,
    brandName: brand === null ? null : brandName(brand),
    methodName: method === 'card' ? null : (findMethod(method)?.name ?? null),
  });
  const about = `receipt ${paymentId}`;
  const kind = 'receipt';
  const sender = isFree ? { senderName: null, replyTo: null } : { senderName, replyTo };
  const made = { id: newId('mail'), environmentId, kind, about, recipient: email, ...sender, content };
  // Without a mail server it is kept from the start, and so is one of a company whose owners may be invented.
  const status = deps.mailer && isVerified ? 'queued' : 'kept';
  const { id, isNew } = await deps.db.shared(paymentId, tx => insertMail(tx, made, status));
  if (status === 'kept') return;
  if (isNew && isFree && !(await takeMailQuota(deps.db, `receipts ${companyId}`, FREE_RECEIPTS_A_DAY))) {
    return updateMailKept(deps.db, id);
  }
  await sendMail(deps, id);
}
