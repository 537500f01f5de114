import { AppError } from '../../../kit/app-error.ts';
import { type Actor, auditScope } from '../../audit/audit.ts';
import { type Environment, isSandbox } from '../../game/environment.ts';
import { readOrder } from '../../order/read-order.ts';
import { readPayment } from '../../payment/payment-view.ts';
import { assertConfirmed, type Confirmation, isProofGiven, type Proof, proveNow } from '../../user/confirm-identity.ts';
import type { Purchase, PurchaseShop } from '../engine/purchase.ts';
import { type ActOnAttention, actOnAttention } from '../member-actions/act-on-attention.ts';
import { grantActions, readOpenGrant } from '../member-actions/order-actions.ts';
import { requestRefund } from './request-refund.ts';

export interface RefundPayment extends Proof {
  paymentId: string;
  reason: string;
}

/** A member refunds a payment. A session left open on a client must not be enough to move real money. */
export async function refundPayment(
  shop: PurchaseShop,
  actor: Actor,
  environment: Environment,
  { paymentId, reason, ...proof }: RefundPayment,
): Promise<void> {
  const payment = await readPayment(shop.db, environment.id, paymentId);
  if (!isSandbox(environment) || isProofGiven(proof)) await proveNow(shop, actor, proof);
  const { orderId, status, amountMinor: amount, currency } = payment;
  const found = await readOrder(shop.db, environment.id, orderId);
  if (found.paymentId !== paymentId) {
    const detail = `This payment is ${status} and holds no money; the order was tried again later.`;
    throw new AppError('order_wrong_status', { detail });
  }
  const after = { reason, order_id: orderId, amount, currency };
  const note = { ...auditScope(environment), kind: 'payment.refund_requested', objectId: paymentId, after } as const;
  await requestRefund(shop, { environmentId: environment.id, orderId, reason, by: { actor, note } });
}

type GuardedAct = Omit<ActOnAttention, 'companyId' | 'environmentId'> & Proof;

/**
 * A member acts on what needs attention. In live a refund asks for the password or a passkey here too, and what decides about the
 * money in another way for a proof of the last minutes.
 */
export async function actAsMember(
  shop: PurchaseShop,
  actor: Actor,
  environment: Environment,
  { by, password, answer, ...act }: GuardedAct,
): Promise<Purchase> {
  const proof = { by, password, answer };
  const isLive = !isSandbox(environment);
  if (isProofGiven(proof) || (isLive && act.action === 'refund')) await proveNow(shop, actor, proof);
  else if (isLive && act.action !== 'ask_again') assertConfirmed(by);
  return actOnAttention(shop, actor, { ...act, companyId: environment.companyId, environmentId: environment.id });
}

interface ReleaseGrant {
  deliveryId: string;
  reason: string;
  by: Confirmation;
}

/** A member stops waiting for the game: the money goes back. Answers with the order's id. */
export async function releaseGrant(
  shop: PurchaseShop,
  actor: Actor,
  environment: Environment,
  { deliveryId, reason, by }: ReleaseGrant,
): Promise<string> {
  if (!isSandbox(environment)) assertConfirmed(by);
  const grant = await readOpenGrant(shop, environment.id, deliveryId);
  const { orderId, orderStatus, amountMinor: amount, currency } = grant;
  if (!grantActions(grant).includes('release')) {
    throw new AppError('order_wrong_status', { detail: `The order is ${orderStatus}; its money is on its way back.` });
  }
  const after = { reason, delivery_id: deliveryId, amount, currency };
  const note = { ...auditScope(environment), kind: 'grant.released', objectId: orderId, after } as const;
  await requestRefund(shop, { environmentId: environment.id, orderId, reason, by: { actor, note } });
  return orderId;
}
