import { newId } from '../../kit/ids.ts';
import { insertMail } from '../../mail/mail.sql.ts';
import { type MailDeps, sendMail } from '../../mail/send-mail.ts';
import { brandName } from '../payment/gateways/card.ts';
import { findMethod } from '../payment/method-table.ts';
import { findReceiptFacts } from './receipt.sql.ts';
import { receiptContent } from './render-receipt.ts';

/**
 * Writes the receipt once and tries to send it; throws to be called again. The mail is made here and not where the order
 * becomes paid, so that the player's payment waits for nothing but the job's row.
 */
export async function sendReceipt(deps: MailDeps, environmentId: string, paymentId: string): Promise<void> {
  const facts = await findReceiptFacts(deps.db, { environmentId, paymentId });
  if (!facts?.email) return;
  const { mode, details, method, brand, email, senderName, replyTo, ...rest } = facts;
  const content = receiptContent({
    ...rest,
    locale: details.locale,
    sandbox: mode === 'sandbox',
    paymentId,
    brandName: brand === null ? null : brandName(brand),
    methodName: method === 'card' ? null : (findMethod(method)?.name ?? null),
  });
  const about = `receipt ${paymentId}`;
  const kind = 'receipt';
  const made = { id: newId('mail'), environmentId, kind, about, recipient: email, senderName, replyTo, content };
  // Without a mail server it is kept from the start.
  const status = deps.mailer ? 'queued' : 'kept';
  const { id } = await deps.db.shared(paymentId, tx => insertMail(tx, made, status));
  if (deps.mailer) await sendMail(deps, id);
}
