import { describe, expect, test } from 'vitest';
import { coinslot, studio } from './stage.ts';

export function orderLifetime(): void {
  describe('an Order expires 24 hours after creation', () => {
    test('until then it can be paid, from then on it has lapsed', async () => {
      const day = 24 * 3600;
      const lapsing = await studio.createOrder();
      const paid = await studio.createOrder();
      const { created_at, expires_at } = await studio.readOrder(lapsing.order_id);
      expect(expires_at - created_at).toBe(day);
      await coinslot.setClockAhead(day - 60);
      expect(await studio.readOrder(lapsing.order_id)).toMatchObject({ status: 'created' });
      await studio.pay(paid.checkout_url);
      await studio.becomes(paid.order_id, 'paid');
      await coinslot.setClockAhead(day + 60);
      expect(await studio.readOrder(lapsing.order_id)).toMatchObject({ status: 'expired' });
      const html = await studio.page(lapsing.checkout_url);
      expect(html).toContain('This order has expired');
      expect(html).not.toContain('<form method="post"');
      expect(await studio.readOrder(paid.order_id)).toMatchObject({ status: 'paid' });
    });
  });
}
