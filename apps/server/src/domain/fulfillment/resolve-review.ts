import { AppError } from '../../kit/app-error.ts';
import { type Actor, writeAudit } from '../audit/audit.ts';
import { chargeIn, OutcomeUnknown } from '../payment/gateways/gateway.ts';
import { isInReview } from '../payment/is-in-review.ts';
import { findPayment, updatePaymentAccepted } from '../payment/payment.sql.ts';
import type { Payment } from '../payment/payment.ts';
import type { Purchase } from './apply-charge.ts';
import { deliverItem } from './deliver-item.ts';
import type { FulfillmentDeps } from './fulfillment-deps.ts';
import { LEASE_SECONDS } from './next-step.ts';
import { recordCharge } from './record-charge.ts';
import { lockPurchase } from './save-purchase.ts';

export interface ResolveReview {
  companyId: string;
  environmentId: string;
  paymentId: string;
  decision: 'accept' | 'refund';
}

async function paymentInReview({ db }: FulfillmentDeps, { environmentId, paymentId }: ResolveReview): Promise<Payment> {
  const payment = await findPayment(db, environmentId, paymentId);
  if (!payment) throw new AppError('payment_not_found');
  if (!isInReview(payment)) throw new AppError('payment_not_in_review');
  return payment;
}

/** What the provider holds counts as what was asked for. Under the order's lock, and only while it is still held. */
async function accept(deps: FulfillmentDeps, actor: Actor, input: ResolveReview, payment: Payment): Promise<Purchase> {
  const { environmentId, id: paymentId, orderId, gateway } = payment;
  const charge = await deps.gateways[gateway]!.lookUp({ environmentId, paymentId });
  if (!charge) throw new AppError('payment_not_in_review', { detail: 'The provider holds no money for this payment.' });
  await deps.db.transaction(async tx => {
    const locked = await lockPurchase(tx, environmentId, orderId);
    if (!locked || locked.payment.id !== paymentId || !isInReview(locked.payment))
      throw new AppError('payment_not_in_review');
    const { amountMinor, currency } = charge;
    updatePaymentAccepted(tx, locked.payment, { amountMinor, currency, nextCheckInSeconds: LEASE_SECONDS });
    writeAudit(tx, actor, {
      companyId: input.companyId,
      environmentId,
      kind: 'payment.accepted',
      objectId: paymentId,
      before: { amount: payment.amountMinor, currency: payment.currency },
      after: { amount: amountMinor, currency },
    });
  });
  const recorded = await recordCharge(deps, { environmentId, paymentId, orderId }, charge);
  if (recorded.toSend) await deliverItem(deps, recorded.toSend.delivery, recorded.toSend.target);
  return recorded;
}

/** The money goes back, and the order can be paid again or has lapsed. */
async function voidOrRefund(
  deps: FulfillmentDeps,
  actor: Actor,
  input: ResolveReview,
  payment: Payment,
): Promise<Purchase> {
  const { environmentId, id: paymentId, orderId, gateway: name } = payment;
  const gateway = deps.gateways[name]!;
  const ref = { environmentId, paymentId };
  await deps.db.transaction(async tx => {
    const { companyId } = input;
    writeAudit(tx, actor, { companyId, environmentId, kind: 'payment.returned', objectId: paymentId });
  });
  const charge = await gateway.lookUp(ref);
  if (charge?.status === 'captured') {
    const answer = await gateway.refund(ref);
    if (answer.kind === 'refused') throw new AppError('payment_not_in_review', { detail: answer.refusal.reason });
    return recordCharge(deps, { ...ref, orderId }, answer.charge);
  }
  const isOpen = charge?.status === 'authorized' || charge?.status === 'requires_action';
  return recordCharge(deps, { ...ref, orderId }, isOpen ? chargeIn(await gateway.void(ref)) : (charge ?? 'absent'));
}

/** A person decides about a payment whose amount does not fit its order. */
export async function resolveReview(deps: FulfillmentDeps, actor: Actor, input: ResolveReview): Promise<Purchase> {
  const payment = await paymentInReview(deps, input);
  try {
    return await (input.decision === 'accept' ? accept : voidOrRefund)(deps, actor, input, payment);
  } catch (error) {
    if (!(error instanceof OutcomeUnknown)) throw error;
    throw new AppError('provider_unreachable', { detail: 'The provider did not say what happened. Try again.' });
  }
}
