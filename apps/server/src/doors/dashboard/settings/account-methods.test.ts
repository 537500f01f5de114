import { signedInMember, type TestBrowser } from '@coinslot/testing/dashboard';
import { TEST_KEYS } from '@coinslot/testing/stripe-double/stripe-double';
import { type StripeShop, startStripeShop } from '@coinslot/testing/stripe-shop';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

let shop: StripeShop;
let owner: TestBrowser;

beforeAll(async () => {
  const none = { STRIPE_SECRET_KEY: '', STRIPE_PUBLISHABLE_KEY: '', STRIPE_WEBHOOK_SECRET: '' };
  shop = await startStripeShop({ env: none });
  owner = (await signedInMember(shop, 'owner')).browser;
});

afterAll(() => shop?.close());

const path = () => `/companies/${shop.account.companyId}/providers/stripe`;
const KEYS = { secret_key: TEST_KEYS.secret, publishable_key: TEST_KEYS.publishable };
const connect = () => owner.call('PUT', path(), KEYS);

describe('an account that cannot take a method', () => {
  it('is not offered for it from the moment it is connected (row 180)', async () => {
    expect((await connect()).status).toBe(200);
    const { body } = await owner.call<{ data: { id: string; takers: object[] }[] }>(
      'GET',
      `/companies/${shop.account.companyId}/methods`,
    );
    const takersOf = (id: string) => body.data.find(method => method.id === id)?.takers;
    expect(takersOf('paypal')).toMatchObject([{ provider: 'stripe', connected: true, available: false }, {}, {}]);
    expect(takersOf('card')).toMatchObject([{ provider: 'stripe', connected: true, available: true }, {}]);
    // What each provider takes it for is its own; what wants an address of the player is never offered by it.
    const byMollie = (id: string) => takersOf(id)?.find(taker => 'provider' in taker && taker.provider === 'mollie');
    expect(byMollie('mb_way')).toMatchObject({ available: true, limits: [{ currency: 'EUR', min: 1, max: 500_000 }] });
    expect(byMollie('twint')).toMatchObject({ limits: [{ currency: 'CHF', min: 1, max: null }] });
    expect(byMollie('klarna')).toMatchObject({ available: false });
    const visit = `/games/${shop.account.gameId}/live/offer?currency=EUR&country=DE&amount=499`;
    await expect
      .poll(async () =>
        (await owner.call<{ methods: { id: string }[] }>('GET', visit)).body.methods.map(({ id }) => id),
      )
      .toContain('card');
    const offer = await owner.call<{ methods: { id: string }[] }>('GET', visit);
    expect(offer.body.methods.map(({ id }) => id)).not.toContain('paypal');
    expect((await owner.call('DELETE', path())).status).toBe(200);
  });
});

describe('what the provider says', () => {
  it('is shown in its own words where a key lacks a permission', async () => {
    const words = /restricted.*The provider says: “The provided key … .*'rak_accounts_read'/;
    expect(await owner.call('PUT', path(), { ...KEYS, secret_key: 'rk_test_Restricted1' })).toMatchObject({
      status: 422,
      body: { code: 'provider_permission_missing', detail: expect.stringMatching(words) },
    });
  });

  it('is shown in its own words where it suspended the account, and gone with the suspension', async () => {
    expect((await connect()).status).toBe(200);
    shop.stripe.settings.disabledReason = 'rejected.listed';
    const words = expect.stringMatching(/may not take payments.*“rejected\.listed”/);
    expect(await owner.call('POST', `${path()}/test`)).toMatchObject({
      body: { ok: false, advice: expect.arrayContaining([words]) },
    });
    shop.stripe.settings.disabledReason = null;
    expect(await owner.call('POST', `${path()}/test`)).toMatchObject({ body: { ok: true } });
  });
});
