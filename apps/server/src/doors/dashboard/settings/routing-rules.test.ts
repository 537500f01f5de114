import { signedInMember, type TestBrowser } from '@coinslot/testing/dashboard';
import { startTwoProviderShop, type TwoProviderShop } from '@coinslot/testing/two-provider-shop';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

let shop: TwoProviderShop;
let owner: TestBrowser;

beforeAll(async () => {
  shop = await startTwoProviderShop();
  ({ owner } = shop);
});

afterAll(() => shop?.close());

const path = (): string => `/companies/${shop.account.companyId}/routing`;
const offer = (): string => `/games/${shop.account.gameId}/live/offer`;
const ANY = {
  games: null,
  account: null,
  countries: null,
  currencies: null,
  methods: null,
  min_amount: null,
  max_amount: null,
};
const POLISH = { ...ANY, countries: ['PL'], currencies: ['PLN'], min_amount: 1_000, provider: 'stripe' };

interface Offer {
  methods: { id: string; provider: string; title: string }[];
}
const takerIn = ({ methods }: Offer) => methods.find(({ id }) => id === 'paypal')?.title;

describe('the rules of a company', () => {
  it('are tried before they are saved: what a player in Poland who pays 20 PLN sees', async () => {
    const visit = { country: 'PL', currency: 'PLN', amount: 2_000 };
    const seen = async (rules: object[], more: object = {}) =>
      takerIn((await owner.call<Offer>('POST', offer(), { ...visit, ...more, rules })).body);
    expect(await seen([])).toBe('PayPal');
    expect(await seen([POLISH])).toBe('Stripe');
    expect(await seen([POLISH], { amount: 500 })).toBe('PayPal');
    expect(await seen([POLISH], { country: 'DE' })).toBe('PayPal');
    expect(await seen([{ ...ANY, methods: ['paypal'], provider: null }])).toBeUndefined();
    expect((await owner.call('GET', path())).body).toEqual({ rules: [] });
  });

  it('are saved in order by an owner, on record, and decide what players see', async () => {
    const rules = [POLISH, { ...ANY, methods: ['paypal'], provider: 'paypal' }];
    expect(await owner.call('PUT', path(), { rules })).toMatchObject({ status: 200, body: { rules } });
    expect((await owner.call('GET', path())).body).toEqual({ rules });
    const query = `${offer()}?country=PL&currency=PLN&amount=2000`;
    await expect.poll(async () => takerIn((await owner.call<Offer>('GET', query)).body)).toBe('Stripe');
    const audit = await owner.call<{ data: object[] }>(
      'GET',
      `/companies/${shop.account.companyId}/audit?kind=payment_method.rules_changed`,
    );
    expect(audit.body.data).toMatchObject([
      { after: { rules: ['PL · PLN · * · 1000– → stripe', expect.any(String)] } },
    ]);
    const developer = await signedInMember(shop, 'developer');
    expect((await developer.browser.call('PUT', path(), { rules: [] })).status).toBe(403);
    expect((await owner.call('PUT', path(), { rules: [] })).status).toBe(200);
  });

  it('name what there is, and an amount in one currency', async () => {
    const save = (rule: object) => owner.call('PUT', path(), { rules: [{ ...ANY, provider: 'stripe', ...rule }] });
    expect(await save({ provider: 'beads' })).toMatchObject({ status: 422, body: { errors: [{ code: 'enum' }] } });
    expect(await save({ min_amount: 5 })).toMatchObject({
      status: 422,
      body: { errors: [{ code: 'currency_required', pointer: '/rules/0/currencies' }] },
    });
    expect((await save({ currencies: ['EUR', 'USD'], max_amount: 5 })).status).toBe(422);
    expect((await save({ methods: ['beads'] })).status).toBe(404);
    expect((await save({ countries: ['Poland'] })).status).toBe(422);
  });
});
