import { signedInMember } from '@coinslot/testing/dashboard';
import { type LiveOrder, type LiveShop, startLiveShop } from '@coinslot/testing/live-shop';
import { MASTER_KEY } from '@coinslot/testing/program';
import { registerTestAccount } from '@coinslot/testing/registered-game';
import { type StripeDouble, startStripeDouble, TEST_KEYS } from '@coinslot/testing/stripe-double/stripe-double';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createSeal } from '../../kit/seal.ts';

const BUDGET = 3;

let stripe: StripeDouble;
let shop: LiveShop;

beforeAll(async () => {
  stripe = await startStripeDouble();
  shop = await startLiveShop({
    env: {
      STRIPE_API_BASE: stripe.url,
      STRIPE_SECRET_KEY: TEST_KEYS.secret,
      STRIPE_PUBLISHABLE_KEY: TEST_KEYS.publishable,
      BUDGET_PROVIDER_CALLS_PER_HOUR: String(BUDGET),
    },
  });
});

afterAll(async () => {
  await shop?.close();
  await stripe?.close();
});

const pay = (order: LiveOrder): Promise<Response> =>
  shop.post(order, '/pay', { method: 'card', provider_token: stripe.token() });
const limiter = () => shop.program.parts.budgets.limiters.providerCalls;
const used = (): number => BUDGET - limiter().peek(shop.account.companyId).remaining;

describe('the budget of calls to providers (row 182)', () => {
  it('lets a payment that has begun go on to its end, and begins no other', async () => {
    shop.game.answerAlways({ status: 503 });
    const first = await shop.order();
    const second = await shop.order({ player_id: 'second' });
    for (const order of [first, second]) expect((await pay(order)).status).toBe(303);
    for (const order of [first, second]) await shop.until(order, 'authorized');
    // Two were reserved, and reserving is a call each: capturing both goes beyond the budget, and must.
    shop.game.answerAlways(null);
    await shop.later(120);
    for (const order of [first, second]) await shop.until(order, 'paid');
    await expect.poll(used).toBe(BUDGET);
    const asked = stripe.requests.length;
    const refused = await pay(await shop.order({ player_id: 'third' }));
    expect(refused.status).toBe(429);
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
    expect(stripe.requests.slice(asked).filter(name => name.startsWith('POST /v1/payment_intents'))).toEqual([]);
  });

  it('is shown to the company as used up, and is another company’s own', async () => {
    const owner = (await signedInMember(shop, 'owner')).browser;
    const { body } = await owner.call<{ data: { kind: string }[] }>(
      'GET',
      `/companies/${shop.account.companyId}/budgets`,
    );
    expect(body.data.find(({ kind }) => kind === 'provider_calls')).toMatchObject({ used: BUDGET, most: BUDGET });
    const other = await registerTestAccount(shop.database.db, createSeal(MASTER_KEY));
    expect(limiter().peek(other.companyId)).toMatchObject({ allowed: true, remaining: BUDGET });
  });
});
