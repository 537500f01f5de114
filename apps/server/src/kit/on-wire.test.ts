import { expect, it } from 'vitest';
import { onWire } from './on-wire.ts';

const row = { orderId: 'ord_1', last4: '4242', paidAt: new Date(1_999), refundedAt: null, p50Ms: 3, secret: 'x' };

it('shows the named fields and no other, in snake case, with times in whole seconds', () => {
  const shown = onWire(row, 'order_id, last4, paid_at, refunded_at, p50_ms');
  expect(shown).toEqual({ order_id: 'ord_1', last4: '4242', paid_at: 1, refunded_at: null, p50_ms: 3 });
});

it('takes no name that the row does not have', () => {
  // @ts-expect-error: the row has no such field
  onWire(row, 'order_id, player_id');
});
