import { PASSWORD, signedInMember, type TestMember } from '@coinslot/testing/dashboard';
import { GOOD_CARD, startLiveShop } from '@coinslot/testing/live-shop';
import { generateSync } from 'otplib';
import { afterAll, beforeAll, expect, it } from 'vitest';

let shop: Awaited<ReturnType<typeof startLiveShop>>;
let support: TestMember;
let secret: string;

const codeNow = (): string => generateSync({ secret, epoch: shop.program.parts.clock.nowSeconds() });

beforeAll(async () => {
  shop = await startLiveShop({ env: { LIVE_GATEWAY: 'simulator' } });
  support = await signedInMember(shop, 'support');
  ({ secret } = (await support.browser.call<{ secret: string }>('POST', '/me/totp', {})).body);
  expect((await support.browser.call('POST', '/me/totp/confirm', { code: codeNow() })).status).toBe(200);
  await shop.later(601);
});

afterAll(() => shop?.close());

const ASKED = { status: 403, body: { code: 'confirmation_required' } };
const post = (path: string, body: object) => support.browser.call('POST', path, body);
const live = (path: string): string => `/games/${shop.account.gameId}/live${path}`;

it('who has a second factor moves no money with the password alone, which a thief may know (row 238)', async () => {
  const order = await shop.order();
  await shop.post(order, '/pay', { method: 'card', ...GOOD_CARD });
  await shop.until(order, 'paid');
  const [payment] = await shop.paymentsOf(order);
  const paymentId = String(payment!.payment_id);
  const given = { reason: 'Bought twice', password: PASSWORD };
  const refund = live(`/transactions/${paymentId}/refund`);
  const bulk = { ...given, action: 'refund', order_ids: [order.order_id] };
  expect(await post(refund, given)).toMatchObject(ASKED);
  expect(await post(live('/bulk'), bulk)).toMatchObject(ASKED);
  expect(await post(live(`/attention/${paymentId}`), { ...given, action: 'refund' })).toMatchObject(ASKED);
  expect(await post(live(`/transactions/${paymentId}/disputes/dsp_x/accept`), {})).toMatchObject(ASKED);
  expect(await post(live('/grants/dlv_x/release'), { reason: 'Waited too long' })).toMatchObject(ASKED);
  expect(await shop.statusOf(order)).toBe('paid');

  expect((await post('/me/confirm', { password: PASSWORD, code: codeNow() })).status).toBe(204);
  expect((await post(refund, { ...given, password: 'not the password' })).body.code).toBe('password_wrong');
  expect((await post(refund, given)).status).toBe(200);
  await shop.until(order, 'refunded');
});

it('nor decides about it in another way without a proof (row 262)', async () => {
  await shop.later(601);
  const attention = live('/attention/pay_00000000000000000000000000');
  for (const action of ['accept', 'void', 'settle_elsewhere'])
    expect(await post(attention, { action, reason: 'Handled' })).toMatchObject(ASKED);
  const evidence = { product: 'x', delivery: '', terms: '', refund_refusal: '', uncategorized: '' };
  expect(await post(live('/transactions/pay_x/disputes/dsp_x/answer'), evidence)).toMatchObject(ASKED);
  expect((await post(attention, { action: 'ask_again' })).body.code).toBe('payment_not_found');
  expect((await post('/me/confirm', { password: PASSWORD, code: codeNow() })).status).toBe(204);
  expect((await post(attention, { action: 'void' })).body.code).toBe('payment_not_found');
});

it('nor takes the password of the account with it', async () => {
  await shop.later(601);
  const change = { current_password: PASSWORD, password: 'seven green kettles' };
  expect(await post('/me/password', change)).toMatchObject(ASKED);
  expect((await post('/me/confirm', { password: PASSWORD, code: codeNow() })).status).toBe(204);
  expect((await post('/me/password', change)).status).toBe(204);
});
