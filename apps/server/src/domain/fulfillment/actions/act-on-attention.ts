import type { AttentionAction, Issue } from '@coinslot/contract';
import type { Tx } from '../../../db/db.ts';
import { AppError } from '../../../kit/app-error.ts';
import { type Actor, type AuditNote, writeAudit } from '../../audit/audit.ts';
import { updateOrderAccepted } from '../../order/order.sql.ts';
import { OutcomeUnknown } from '../../payment/gateways/gateway.ts';
import { findPayment, updatePaymentAccepted } from '../../payment/payment.sql.ts';
import type { Payment } from '../../payment/payment.ts';
import { isInReview } from '../../payment/payment.ts';
import { retryDelivery } from '../../webhook/resend.ts';
import { gatewayOf, UNWANTED, voidOrRefund } from '../ask-provider.ts';
import type { FulfillmentDeps } from '../fulfillment-deps.ts';
import type { Purchase } from '../purchase.ts';
import { LEASE_SECONDS } from '../purchase-table.ts';
import { requestRefund } from '../request-refund.ts';
import { type LockedPurchase, lockPurchase, savePurchase } from '../save-purchase.ts';
import { walkFromAnswer, walkFromRow } from '../walk.ts';
import { actionsFor, isGameAsked } from './attention-actions.ts';
import { findOpenItemAdd } from './open-grants.sql.ts';

export interface ActOnAttention {
  companyId: string;
  environmentId: string;
  paymentId: string;
  action: AttentionAction;
  /** Why, in the member's words. Needed where the record is closed by hand. */
  reason: string | null;
}

type Note = Pick<AuditNote, 'kind' | 'before' | 'after'>;
type Write = (tx: Tx, note: Note) => void;

/** Under the order's lock, and only while the action is still offered. */
async function lockFor(tx: Tx, payment: Payment, action: AttentionAction): Promise<LockedPurchase> {
  const locked = await lockPurchase(tx, payment.environmentId, payment.orderId);
  const own = locked && (await findPayment(tx, payment.environmentId, payment.id));
  const purchase = locked && own && { ...locked, payment: own };
  if (!purchase || !actionsFor(purchase).includes(action)) throw new AppError('payment_not_in_review');
  return purchase;
}

const note = (deps: FulfillmentDeps, payment: Payment, action: AttentionAction, write: Write, given: Note) =>
  deps.db.transaction(async tx => {
    await lockFor(tx, payment, action);
    write(tx, given);
  });

/** What the provider holds counts as what was asked for, in the receipt, the figures and the ledger too. */
async function accept(deps: FulfillmentDeps, payment: Payment, write: Write): Promise<void> {
  const { environmentId, id: paymentId, orderId, gateway } = payment;
  const charge = await deps.gateways[gateway]!.lookUp({ environmentId, paymentId });
  if (!charge) throw new AppError('payment_not_in_review', { detail: 'The provider holds no money for this payment.' });
  await deps.db.transaction(async tx => {
    await lockFor(tx, payment, 'accept');
    const { amountMinor, currency } = charge;
    updatePaymentAccepted(tx, payment, { amountMinor, currency, nextCheckInSeconds: LEASE_SECONDS });
    updateOrderAccepted(tx, { environmentId, id: orderId }, { amountMinor, currency });
    write(tx, {
      kind: 'payment.accepted',
      before: { amount: payment.amountMinor, currency: payment.currency },
      after: { amount: amountMinor, currency },
    });
  });
  await walkFromAnswer(deps, payment, { kind: 'holds', charge });
}

/** Ends at the provider what it holds: voids what is reserved, refunds what was captured. The log says what came of it. */
async function voidOrRefundPayment(
  deps: FulfillmentDeps,
  purchase: Purchase,
  action: 'void' | 'refund',
  write: Write,
): Promise<void> {
  const { payment } = purchase;
  const { environmentId, id: paymentId } = payment;
  await deps.db.transaction(tx => lockFor(tx, payment, action));
  const answer = await voidOrRefund(gatewayOf(deps, purchase), { environmentId, paymentId }, UNWANTED);
  const isRefused = answer.kind === 'refused';
  await walkFromAnswer(deps, payment, answer, tx =>
    write(tx, {
      kind: isRefused ? 'payment.return_refused' : 'payment.returned',
      ...(isRefused && { after: { code: answer.refusal.code, reason: answer.refusal.reason } }),
    }),
  );
  if (isRefused) throw new AppError('provider_refused', { detail: answer.refusal.reason });
}

/** The game may have answered since the list was drawn; then there is nothing left to send. */
async function askGameAgain(
  deps: FulfillmentDeps,
  actor: Actor,
  { companyId, environmentId }: ActOnAttention,
  { order }: Purchase,
): Promise<void> {
  const deliveryId = await findOpenItemAdd(deps.db, environmentId, order.id);
  if (!deliveryId) throw new AppError('payment_not_in_review');
  const entry = { kind: 'grant.retried', objectId: order.id, after: { delivery_id: deliveryId } } as const;
  await retryDelivery(deps, actor, { id: environmentId, companyId }, deliveryId, entry);
}

/** A member has settled it at the provider or with the player: the record says so, and no worker goes on. */
function settleElsewhere(deps: FulfillmentDeps, payment: Payment, reason: string | null, write: Write): Promise<void> {
  if (!reason) throw new AppError('validation_failed', { issues: [REASON_MISSING] });
  return deps.db.transaction(async tx => {
    const { now, ...before } = await lockFor(tx, payment, 'settle_elsewhere');
    const problem = `Settled elsewhere: ${reason}`;
    const after = {
      order: { ...before.order, problem },
      payment: { ...before.payment, problem, attention: null, settledAt: now },
    };
    savePurchase(tx, before, after, { nextCheckInSeconds: null, events: [], signals: deps.signals, now });
    write(tx, {
      kind: 'payment.settled_elsewhere',
      before: { attention: before.payment.attention!.code },
      after: { reason },
    });
  });
}

const REASON_MISSING: Issue = { pointer: '/reason', code: 'required', message: 'Say how it was settled.' };

async function act(deps: FulfillmentDeps, actor: Actor, input: ActOnAttention, purchase: Purchase): Promise<void> {
  const { payment } = purchase;
  const { companyId, environmentId, paymentId, reason, action } = input;
  const write: Write = (tx, given) =>
    writeAudit(tx, actor, { companyId, environmentId, objectId: paymentId, ...given });
  switch (action) {
    case 'ask_again':
      if (isGameAsked(purchase)) return askGameAgain(deps, actor, input, purchase);
      await note(deps, payment, action, write, { kind: 'payment.asked_again' });
      return walkFromRow(deps, { environmentId, paymentId });
    case 'refund': {
      if (
        isInReview(payment) ||
        purchase.order.status === 'rejected' ||
        payment.problem?.startsWith('The provider holds')
      )
        return voidOrRefundPayment(deps, purchase, action, write);
      const { orderId, amountMinor: amount, currency } = payment;
      const after = { reason, order_id: orderId, amount, currency };
      const asked = { companyId, environmentId, kind: 'payment.refund_requested', objectId: paymentId, after } as const;
      return requestRefund(deps, { environmentId, orderId, reason, by: { actor, note: asked } });
    }
    case 'void':
      return voidOrRefundPayment(deps, purchase, action, write);
    case 'accept':
      return accept(deps, payment, write);
    case 'settle_elsewhere':
      return settleElsewhere(deps, payment, reason, write);
  }
}

/** A studio member acts on money that waits for a person. */
export async function actOnAttention(deps: FulfillmentDeps, actor: Actor, input: ActOnAttention): Promise<Purchase> {
  const { environmentId, paymentId } = input;
  const read = (): Promise<Purchase | null> =>
    deps.db.transaction(async tx => {
      const payment = await findPayment(tx, environmentId, paymentId);
      const locked = payment && (await lockPurchase(tx, environmentId, payment.orderId));
      return locked && { order: locked.order, payment: (await findPayment(tx, environmentId, paymentId))! };
    });
  const purchase = await read();
  if (!purchase) throw new AppError('payment_not_found');
  if (!actionsFor(purchase).includes(input.action)) throw new AppError('payment_not_in_review');
  try {
    await act(deps, actor, input, purchase);
  } catch (error) {
    if (!(error instanceof OutcomeUnknown)) throw error;
    throw new AppError('provider_unreachable', { detail: 'The provider did not say what happened. Try again.' });
  }
  return (await read())!;
}
