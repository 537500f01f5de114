import { PASSWORD, signedInMember } from '@coinslot/testing/dashboard';
import { GOOD_CARD, startLiveShop } from '@coinslot/testing/live-shop';
import { expect, it } from 'vitest';

it('in live a refund asks for the password again, and moves nothing without it (row 70)', async () => {
  const shop = await startLiveShop({ env: { LIVE_GATEWAY: 'simulator' } });
  const support = await signedInMember(shop, 'support');
  const order = await shop.order();
  await shop.post(order, '/pay', { method: 'card', ...GOOD_CARD });
  await shop.until(order, 'paid');
  const [payment] = await shop.paymentsOf(order);
  const path = `/games/${shop.account.gameId}/live/transactions/${String(payment!.payment_id)}/refund`;
  for (const password of [undefined, 'not the password']) {
    const answer = await support.browser.call('POST', path, { reason: 'Bought twice', password });
    expect(answer.body).toMatchObject({ code: 'password_wrong' });
  }
  expect(await shop.statusOf(order)).toBe('paid');
  const asked = await support.browser.call('POST', path, { reason: 'Bought twice', password: PASSWORD });
  expect(asked.status).toBe(200);
  await shop.until(order, 'refunded');
  await shop.close();
});
