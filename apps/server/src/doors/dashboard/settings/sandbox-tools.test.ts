import { signedInMember } from '@coinslot/testing/dashboard';
import { startProgram, type TestProgram } from '@coinslot/testing/program';
import { afterAll, beforeAll, expect, it } from 'vitest';

let shop: TestProgram;
let developer: Awaited<ReturnType<typeof signedInMember>>;

beforeAll(async () => {
  shop = await startProgram();
  developer = await signedInMember(shop, 'developer');
});
afterAll(() => shop?.close());

const at = (mode: 'sandbox' | 'live', path: string): string => `/games/${shop.account.gameId}/${mode}/${path}`;

it('a developer turns chaos on and off, and the audit log names who did', async () => {
  const on = await developer.browser.call('PUT', at('sandbox', 'chaos'), { enabled: true });
  expect(on).toMatchObject({ status: 200, body: { enabled: true } });
  expect((await developer.browser.call('GET', at('sandbox', 'chaos'))).body).toEqual({ enabled: true });
  const { body } = await shop.call<{ enabled: boolean }>('GET', '/s2s/v1/sandbox/chaos');
  expect(body).toEqual({ enabled: true });
  await developer.browser.call('PUT', at('sandbox', 'chaos'), { enabled: false });
  const owner = await signedInMember(shop, 'owner');
  const audit = await owner.browser.call('GET', `/companies/${shop.account.companyId}/audit`);
  expect(JSON.stringify(audit.body)).toContain('chaos.changed');
});

it('live has no chaos and no time travel, and a viewer none at all', async () => {
  expect((await developer.browser.call('GET', at('live', 'chaos'))).body).toEqual({ enabled: false });
  const { body: order } = await shop.call<{ order_id: string }>(
    'POST',
    '/s2s/v1/orders',
    { player_id: 'ann', items: [{ sku: 'sword' }], price_decimal: 1, currency: 'EUR' },
    { key: shop.account.live.s2sKey },
  );
  const refused = [
    await developer.browser.call('PUT', at('live', 'chaos'), { enabled: true }),
    await developer.browser.call('POST', at('live', `orders/${order.order_id}/advance`), { seconds: 60 }),
  ];
  for (const answer of refused) expect(answer).toMatchObject({ status: 403, body: { code: 'sandbox_only' } });
  const viewer = await signedInMember(shop, 'viewer');
  const looked = await viewer.browser.call('PUT', at('sandbox', 'chaos'), { enabled: true });
  expect(looked).toMatchObject({ status: 403, body: { code: 'role_too_low' } });
});

it('an order is a day older at the press of a button, and expired', async () => {
  const { order_id } = await shop.createOrder();
  const moved = await developer.browser.call('POST', at('sandbox', `orders/${order_id}/advance`), { seconds: 90_000 });
  expect(moved).toMatchObject({ status: 200, body: { order: { order_id, status: 'expired' } } });
});
