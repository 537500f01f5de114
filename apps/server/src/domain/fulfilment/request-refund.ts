import type { OrderStatus } from '@coinslot/contract';
import { AppError } from '../../kit/app-error.ts';
import { findOrder } from '../order/order.sql.ts';
import { decide as decideOrder } from '../order/order.ts';
import { decide as decidePayment } from '../payment/payment.ts';
import { continuePayment } from './attend-payment.ts';
import { deliverItem } from './deliver-item.ts';
import type { FulfilmentDeps } from './fulfilment-deps.ts';
import { LEASE_SECONDS } from './next-step.ts';
import { lockStory, saveStory } from './save-story.ts';
import { takeBack } from './take-back.ts';

export interface RequestRefund {
  environmentId: string;
  orderId: string;
  reason: string | null;
}

const UNDER_WAY: readonly OrderStatus[] = ['refund_requested', 'refunded'];

/** Whole, once, by whoever is first: asking again changes nothing. */
export async function requestRefund(deps: FulfilmentDeps, input: RequestRefund): Promise<void> {
  const { environmentId, orderId, reason } = input;
  const requested = await deps.db.transaction(async tx => {
    const story = await lockStory(tx, environmentId, orderId);
    if (!story) throw await whyNot(deps, input);
    if (UNDER_WAY.includes(story.order.status)) return null;
    const order = decideOrder(story.order, 'request_refund', story.now);
    const payment = decidePayment(story.payment, 'request_refund', story.now);
    if ('refused' in order || 'refused' in payment) throw wrongStatus(story.order.status);
    const after = { order: { ...order.order, problem: null }, payment: { ...payment.payment, refundReason: reason } };
    saveStory(tx, story, after, { attendInSeconds: LEASE_SECONDS, events: [], signals: deps.signals });
    const toSend = await takeBack(tx, after, 'refund', story.now, reason ?? undefined);
    return { paymentId: after.payment.id, toSend };
  });
  if (!requested) return;
  const { paymentId, toSend } = requested;
  if (toSend) deps.background(deliverItem(deps, toSend.delivery, toSend.target), 'item.remove');
  deps.background(continuePayment(deps, { environmentId, paymentId }), 'refund');
}

const wrongStatus = (status: OrderStatus): AppError =>
  new AppError('order_wrong_status', { detail: `The order is ${status}; only a paid one can be refunded.` });

/** There is no payment: either the order was never paid, or there is no such order. */
async function whyNot({ db }: FulfilmentDeps, { environmentId, orderId }: RequestRefund): Promise<AppError> {
  const found = await findOrder(db, environmentId, orderId);
  return found ? wrongStatus(found.order.status) : new AppError('order_not_found');
}
