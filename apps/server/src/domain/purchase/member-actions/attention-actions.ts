import type { AttentionAction } from '@coinslot/contract';
import { isInReview } from '../../payment/payment.ts';
import type { Purchase } from '../engine/purchase.ts';
import { isRemovalUnanswered } from '../refund/removal-attention.ts';
import { isAtRest, isOwed, mayRefund, nextAction } from '../table/purchase-rules.ts';

/**
 * Causes that a member may settle by hand: nothing else would happen. Every other cause ends by a step of the provider or of a
 * member.
 */
const SETTLED_BY_HAND: readonly string[] = [
  'refund_refused',
  'refund_failed',
  'provider_error',
  'fraud_warning',
  'removal_unanswered',
];

const maySettle = (purchase: Purchase): boolean =>
  SETTLED_BY_HAND.includes(purchase.payment.attention!.code) && isAtRest(purchase);

/** The game was asked and will be asked again; without an endpoint there is no one to ask. */
export const isGameAsked = ({ payment: { attention } }: Purchase): boolean =>
  attention?.code === 'grant_unanswered' && attention.nextCheckAt !== null;

/** What a studio member may do about it now, the most useful first. */
export function actionsFor(purchase: Purchase): AttentionAction[] {
  const { payment } = purchase;
  const { attention } = payment;
  if (!attention) return [];
  const actions: AttentionAction[] = [];
  if (attention.code === 'amount_differs') actions.push('accept');
  if (
    isRemovalUnanswered(purchase) ||
    isGameAsked(purchase) ||
    (!isInReview(payment) && nextAction(purchase) !== 'none')
  )
    actions.push('ask_again');
  if (isInReview(payment) || isOwed(purchase) || mayRefund(purchase)) actions.push('refund');
  if (attention.code === 'capture_refused') actions.push('void');
  if (maySettle(purchase)) actions.push('settle_elsewhere');
  return actions;
}
