import type { AttentionAction, Issue } from '@coinslot/contract';
import { phrase } from '@coinslot/texts/attention';
import type { Tx } from '../../../db/db.ts';
import { AppError } from '../../../kit/app-error.ts';
import type { AuditNote } from '../../audit/audit.ts';
import { updateOrderAccepted } from '../../order/order.sql.ts';
import { findPayment, updatePaymentAccepted } from '../../payment/payment.sql.ts';
import type { Payment } from '../../payment/payment.ts';
import { disputedRefusal, isHeldByBank } from '../../payment/providers/base/charges.ts';
import { advanceFromAnswer } from '../engine/advance-purchase.ts';
import { gatewayOf, UNWANTED, voidOrRefund } from '../engine/ask-provider.ts';
import type { LockedPurchase, Purchase, PurchaseShop } from '../engine/purchase.ts';
import { lockPurchase, savePurchase } from '../engine/save-purchase.ts';
import { isRemovalUnanswered, settleRemoval } from '../refund/removal-attention.ts';
import { LEASE_SECONDS } from '../table/purchase-table.ts';
import { actionsFor } from './attention-actions.ts';

const REASON_MISSING: Issue = { pointer: '/reason', code: 'required', message: 'Say how it was settled.' };

export type Note = Pick<AuditNote, 'kind' | 'before' | 'after'>;
export type Write = (tx: Tx, note: Note) => void;

/** Under the order's lock, and only while the action is still offered. */
export async function lockFor(tx: Tx, payment: Payment, action: AttentionAction): Promise<LockedPurchase> {
  const locked = await lockPurchase(tx, payment.environmentId, payment.orderId);
  const own = locked && (await findPayment(tx, payment.environmentId, payment.id));
  const purchase = locked && own && { ...locked, payment: own };
  if (!purchase || !actionsFor(purchase).includes(action)) throw new AppError('payment_not_in_review');
  return purchase;
}

/** What the provider holds counts as what was asked for, in the receipt, the figures and the ledger too. */
export async function acceptCharge(shop: PurchaseShop, payment: Payment, write: Write): Promise<void> {
  const { environmentId, id: paymentId, gateway } = payment;
  const charge = await shop.gateways[gateway]!.lookUp({ environmentId, paymentId });
  if (!charge) throw new AppError('payment_not_in_review', { detail: 'The provider holds no money for this payment.' });
  const accepted = await shop.db.transaction(async tx => {
    const locked = await lockFor(tx, payment, 'accept');
    const { amountMinor, currency } = charge;
    updatePaymentAccepted(tx, locked.payment, { amountMinor, currency, nextCheckInSeconds: LEASE_SECONDS });
    updateOrderAccepted(tx, locked, { amountMinor, currency });
    write(tx, {
      kind: 'payment.accepted',
      before: { amount: payment.amountMinor, currency: payment.currency },
      after: { amount: amountMinor, currency },
    });
    return { ...locked.payment, version: locked.payment.version + 1 };
  });
  await advanceFromAnswer(shop, accepted, { kind: 'holds', charge });
}

/** Ends at the provider what it holds: voids what is reserved, refunds what was captured. The log says what came of it. */
export async function voidOrRefundPayment(
  shop: PurchaseShop,
  purchase: Purchase,
  action: 'void' | 'refund',
  write: Write,
): Promise<void> {
  const { payment } = purchase;
  const { environmentId, id: paymentId } = payment;
  await shop.db.transaction(tx => lockFor(tx, payment, action));
  const answer = await voidOrRefund(gatewayOf(shop, purchase), { environmentId, paymentId }, UNWANTED);
  const isHeld = answer.kind === 'holds' && answer.charge !== 'absent' && isHeldByBank(answer.charge);
  const refusal = answer.kind === 'refused' ? answer.refusal : isHeld ? disputedRefusal(false).refusal : null;
  const note = (tx: Tx): void =>
    write(tx, {
      kind: refusal ? 'payment.return_refused' : 'payment.returned',
      ...(refusal && { after: { code: refusal.code, reason: refusal.reason } }),
    });
  await advanceFromAnswer(shop, payment, answer, { note });
  if (refusal) throw new AppError('provider_refused', { detail: refusal.reason });
}

function settlePayment(tx: Tx, signals: PurchaseShop['signals'], before: LockedPurchase, reason: string): void {
  const problem = [phrase('settled', { reason })];
  const after = {
    order: { ...before.order, problem },
    payment: { ...before.payment, problem, attention: null, settledAt: before.now },
  };
  savePurchase(tx, before, after, { nextCheckInSeconds: null, events: [], signals });
}

/** A member has settled it at the provider or with the player: the record says so, and no worker goes on. */
export function settleElsewhere(
  shop: PurchaseShop,
  payment: Payment,
  reason: string | null,
  write: Write,
): Promise<void> {
  if (!reason) throw new AppError('validation_failed', { issues: [REASON_MISSING] });
  return shop.db.transaction(async tx => {
    const before = await lockFor(tx, payment, 'settle_elsewhere');
    if (isRemovalUnanswered(before)) await settleRemoval(tx, shop.signals, before, reason);
    else settlePayment(tx, shop.signals, before, reason);
    write(tx, {
      kind: 'payment.settled_elsewhere',
      before: { attention: before.payment.attention!.code },
      after: { reason },
    });
  });
}
