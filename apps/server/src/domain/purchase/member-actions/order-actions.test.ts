import type { DeliveryStatus, OrderStatus } from '@coinslot/contract';
import { orderIn, purchaseIn } from '@coinslot/testing/purchase-samples';
import { describe, expect, it } from 'vitest';
import type { OrderAt } from '../../order/order.sql.ts';
import type { Delivery } from '../../webhook/delivery/delivery.sql.ts';
import { orderActions, paymentActions } from './order-actions.ts';

const { payment: PAID } = purchaseIn('paid', 'succeeded');

const at = (status: OrderStatus, now = orderIn(status).createdAt): OrderAt => ({
  order: orderIn(status),
  now,
  paymentId: PAID.id,
});

const grantIn = (status: DeliveryStatus) => ({ kind: 'item.add', status }) as Delivery;

describe('an order', () => {
  it.each<[OrderStatus, DeliveryStatus | null, string[]]>([
    ['created', null, ['cancel']],
    ['canceled', null, []],
    ['authorized', 'pending', ['retry_grant', 'release_grant']],
    ['authorized', 'held', ['release_grant']],
    ['paid', 'succeeded', ['refund']],
    ['refund_requested', 'succeeded', []],
    ['refunded', 'succeeded', []],
  ])('that is %s with a grant that is %s offers %j', (status, grant, actions) => {
    const deliveries = grant ? [grantIn(grant)] : [];
    expect(orderActions('support', at(status), deliveries, [PAID])).toEqual(actions);
    expect(orderActions('viewer', at(status), deliveries, [PAID])).toEqual([]);
  });

  it('whose time is over cannot be canceled', () => {
    expect(orderActions('owner', at('created', orderIn('created').expiresAt), [], [])).toEqual([]);
  });

  it('whose money the bank has taken back offers no refund, one that the bank only asks about does', () => {
    const { order, payment } = purchaseIn('disputed', 'disputed');
    const found = { order, now: order.createdAt, paymentId: payment.id };
    const actionsOf = (disputeStatus: typeof payment.disputeStatus) =>
      orderActions('support', found, [grantIn('succeeded')], [{ ...payment, disputeStatus }]);
    expect(actionsOf('open')).toEqual([]);
    expect(actionsOf('inquiry')).toEqual(['refund']);
  });
});

it('only the last payment of an order can be refunded, by a member from support up', () => {
  const { order, payment } = purchaseIn('paid', 'succeeded');
  const found = { order, now: order.createdAt, paymentId: payment.id };
  expect(paymentActions('support', found, payment)).toEqual(['refund']);
  expect(paymentActions('viewer', found, payment)).toEqual([]);
  expect(paymentActions('owner', { ...found, paymentId: 'pay_later' }, payment)).toEqual([]);
});
