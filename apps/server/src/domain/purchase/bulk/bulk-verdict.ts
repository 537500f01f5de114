import type { BulkAction, BulkRefusal, DeliveryStatus } from '@coinslot/contract';
import { allowedCommands, type Order, orderIs, phaseOf } from '../../order/order.ts';
import type { Payment } from '../../payment/payment.ts';
import { mayRefund } from '../table/purchase-rules.ts';

export interface ItemDelivery {
  id: string;
  orderId: string;
  kind: string;
  status: DeliveryStatus;
}

export interface BulkFacts {
  order: Order;
  /** The last one, which alone can hold money. */
  payment: Payment | null;
  deliveries: readonly ItemDelivery[];
}

/** `already`: it is done, by this run before a crash or by another member. */
export type BulkVerdict = { go: true; deliveryId: string | null } | { already: true } | { refused: BulkRefusal };

const WAITING: readonly DeliveryStatus[] = ['pending', 'exhausted'];

const openGrant = ({ deliveries }: BulkFacts): ItemDelivery | undefined =>
  deliveries.find(({ kind, status }) => kind === 'item.add' && (status === 'pending' || status === 'held'));

function refundVerdict(facts: BulkFacts): BulkVerdict {
  const { order, payment } = facts;
  if (orderIs(order.status, 'refund_begun')) return { already: true };
  if (!payment || !allowedCommands(phaseOf(order)).includes('request_refund')) {
    return {
      refused: orderIs(order.status, 'money_back') ? 'already_returned' : 'not_paid',
    };
  }
  if (openGrant(facts)) return { refused: 'waits_for_game' };
  return mayRefund({ order, payment }) ? { go: true, deliveryId: null } : { refused: 'disputed' };
}

function releaseVerdict(facts: BulkFacts): BulkVerdict {
  const { order } = facts;
  if (orderIs(order.status, 'refund_begun')) return { already: true };
  const grant = openGrant(facts);
  return grant && order.status === 'authorized' ? { go: true, deliveryId: grant.id } : { refused: 'nothing_waiting' };
}

function retryVerdict({ order, deliveries }: BulkFacts): BulkVerdict {
  const waiting = deliveries.findLast(({ status }) => WAITING.includes(status));
  if (!waiting)
    return { refused: deliveries.some(({ status }) => status === 'held') ? 'no_endpoint' : 'nothing_waiting' };
  const isLate = waiting.kind === 'item.add' && !orderIs(order.status, 'grantable');
  return isLate ? { refused: 'not_grantable' } : { go: true, deliveryId: waiting.id };
}

const VERDICTS: Record<BulkAction, (facts: BulkFacts) => BulkVerdict> = {
  refund: refundVerdict,
  release: releaseVerdict,
  retry: retryVerdict,
};

/** What the action would do to this order now: the preview and the run ask the same. Pure. */
export const bulkVerdict = (action: BulkAction, facts: BulkFacts): BulkVerdict => VERDICTS[action](facts);
