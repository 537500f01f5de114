import { signedInMember, type TestMember } from '@coinslot/testing/dashboard';
import { startProgram, type TestProgram } from '@coinslot/testing/program';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

let shop: TestProgram;
let owner: TestMember;

beforeAll(async () => {
  shop = await startProgram({ workers: false });
  owner = await signedInMember(shop, 'owner');
});
afterAll(() => shop?.close());

interface Method {
  id: string;
  enabled: boolean;
  can_switch_off: boolean;
  currencies: string[] | null;
}

const path = (method = ''): string => `/companies/${shop.account.companyId}/methods${method && `/${method}`}`;
const listed = async (): Promise<Method[]> => (await owner.browser.call<{ data: Method[] }>('GET', path())).body.data;
const find = async (id: string): Promise<Method> => (await listed()).find(method => method.id === id)!;

describe('payment methods', () => {
  test('are listed with where they work and how they stand before a member switched one', async () => {
    const methods = await listed();
    expect(methods.length).toBeGreaterThanOrEqual(29);
    expect(methods[0]).toMatchObject({ id: 'card', enabled: true, can_switch_off: false, currencies: null });
    expect(await find('ideal')).toMatchObject({
      enabled: true,
      currencies: ['EUR'],
      countries: ['NL'],
      can_reserve: false,
      can_refund: true,
      takes: 'at_once',
    });
    expect(await find('oxxo')).toMatchObject({
      enabled: false,
      can_refund: false,
      takes: 'days',
      limits: [{ currency: 'MXN', min: 1_000, max: 1_000_000 }],
    });
  });

  test('are switched by an owner, once, and the log says who', async () => {
    const answer = await owner.browser.call('PATCH', path('ideal'), { enabled: false });
    expect(answer).toMatchObject({ status: 200, body: { id: 'ideal', enabled: false } });
    await owner.browser.call('PATCH', path('ideal'), { enabled: false });
    expect((await find('ideal')).enabled).toBe(false);
    const audit = await owner.browser.call<{ data: object[] }>(
      'GET',
      `/companies/${shop.account.companyId}/audit?kind=payment_method.switched`,
    );
    expect(audit.body.data).toMatchObject([
      { actor: owner.email, object_id: 'ideal', before: { enabled: true }, after: { enabled: false } },
    ]);
    await owner.browser.call('PATCH', path('ideal'), { enabled: true });
    expect((await find('ideal')).enabled).toBe(true);
  });

  test.each(['card', 'apple_pay', 'google_pay'])('%s cannot be switched off', async id => {
    const answer = await owner.browser.call('PATCH', path(id), { enabled: false });
    expect(answer).toMatchObject({ status: 422, body: { errors: [{ code: 'cannot_be_switched_off' }] } });
    expect((await find(id)).enabled).toBe(true);
  });

  test('PayPal is switched off like any other', async () => {
    expect((await owner.browser.call('PATCH', path('paypal'), { enabled: false })).status).toBe(200);
    expect(await find('paypal')).toMatchObject({ enabled: false, can_switch_off: true });
    await owner.browser.call('PATCH', path('paypal'), { enabled: true });
  });

  test('one that there is not is a 404', async () => {
    expect((await owner.browser.call('PATCH', path('beads'), { enabled: true })).status).toBe(404);
  });

  test('no role below owner switches one', async () => {
    const developer = await signedInMember(shop, 'developer');
    expect((await developer.browser.call('GET', path())).status).toBe(200);
    expect((await developer.browser.call('PATCH', path('ideal'), { enabled: false })).status).toBe(403);
  });
});
