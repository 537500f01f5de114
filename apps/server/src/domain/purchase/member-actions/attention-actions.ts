import type { AttentionAction, OrderStatus } from '@coinslot/contract';
import { isInReview } from '../../payment/payment.ts';
import type { Purchase } from '../engine/purchase.ts';
import { mayRefund } from '../refund/refund-preview.ts';
import { isGivenUp, nextStep } from '../table/purchase-table.ts';

/** What rests where it is once it is settled; everything else goes on by a step of the provider or of a member. */
const SETTLED_BY_HAND: readonly string[] = ['refund_refused', 'refund_failed', 'provider_error'];

/** The player or a worker still waits for what becomes of these: settling them by hand would leave the order open for ever. */
const UNDER_WAY: readonly OrderStatus[] = ['pending', 'authorized', 'refund_requested', 'disputed'];

const maySettle = ({ order, payment }: Purchase): boolean =>
  SETTLED_BY_HAND.includes(payment.attention!.code) && (isGivenUp(payment.status) || !UNDER_WAY.includes(order.status));

/** The game was asked and will be asked again; without an endpoint there is no one to ask. */
export const isGameAsked = ({ payment: { attention } }: Purchase): boolean =>
  attention?.code === 'grant_unanswered' && attention.nextCheckAt !== null;

/** What a studio member may do about it now, the most useful first. */
export function actionsFor(purchase: Purchase): AttentionAction[] {
  const { order, payment } = purchase;
  const { attention } = payment;
  if (!attention) return [];
  const step = nextStep(purchase);
  const actions: AttentionAction[] = [];
  if (attention.code === 'amount_differs') actions.push('accept');
  if (isGameAsked(purchase) || (!isInReview(payment) && step !== 'none')) actions.push('ask_again');
  const isOwed = step === 'void_or_refund' && order.status !== 'refund_requested';
  if (isInReview(payment) || isOwed || mayRefund(order, payment)) actions.push('refund');
  if (attention.code === 'capture_refused') actions.push('void');
  if (maySettle(purchase)) actions.push('settle_elsewhere');
  return actions;
}
