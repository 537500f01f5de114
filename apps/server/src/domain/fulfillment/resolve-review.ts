import { AppError } from '../../kit/app-error.ts';
import { type Actor, writeAudit } from '../audit/audit.ts';
import { OutcomeUnknown } from '../payment/gateways/gateway.ts';
import { isInReview } from '../payment/is-in-review.ts';
import { findPayment, updatePaymentAccepted } from '../payment/payment.sql.ts';
import type { Payment } from '../payment/payment.ts';
import { UNWANTED, voidOrRefund } from './ask-provider.ts';
import type { FulfillmentDeps } from './fulfillment-deps.ts';
import type { Purchase } from './purchase.ts';
import { LEASE_SECONDS } from './purchase-table.ts';
import { lockPurchase } from './save-purchase.ts';
import { walkFromAnswer } from './walk.ts';

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

/** What the provider holds counts as what was asked for. Under the order's lock, and only while it is still in review. */
async function accept(deps: FulfillmentDeps, actor: Actor, input: ResolveReview, payment: Payment): Promise<void> {
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
  await walkFromAnswer(deps, payment, { kind: 'holds', charge });
}

/** The money goes back, and the order can be paid again or has lapsed. */
async function giveBack(deps: FulfillmentDeps, actor: Actor, input: ResolveReview, payment: Payment): Promise<void> {
  const { environmentId, id: paymentId, gateway } = payment;
  await deps.db.transaction(async tx => {
    const { companyId } = input;
    writeAudit(tx, actor, { companyId, environmentId, kind: 'payment.returned', objectId: paymentId });
  });
  const answer = await voidOrRefund(deps.gateways[gateway]!, { environmentId, paymentId }, UNWANTED);
  if (answer.kind === 'refund_refused') throw new AppError('payment_not_in_review', { detail: answer.reason });
  await walkFromAnswer(deps, payment, answer);
}

/** A person decides about a payment whose amount does not fit its order. */
export async function resolveReview(deps: FulfillmentDeps, actor: Actor, input: ResolveReview): Promise<Purchase> {
  const payment = await paymentInReview(deps, input);
  try {
    await (input.decision === 'accept' ? accept : giveBack)(deps, actor, input, payment);
  } catch (error) {
    if (!(error instanceof OutcomeUnknown)) throw error;
    throw new AppError('provider_unreachable', { detail: 'The provider did not say what happened. Try again.' });
  }
  return (await deps.db.transaction(tx => lockPurchase(tx, payment.environmentId, payment.orderId)))!;
}
