import {
  FOREIGN_PUBLISHABLE_KEY,
  type StripeDouble,
  startStripeDouble,
  TEST_KEYS,
} from '@coinslot/testing/stripe-double/stripe-double';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { createStripeClients } from '../stripe-client.ts';
import { askAccount } from './ask-account.ts';
import { inspectAccount } from './inspect-account.ts';

let stripe: StripeDouble;
let check: ReturnType<typeof inspectAccount>;

/** What a member would read. */
const inspect = async (...input: Parameters<typeof check>): Promise<string[]> =>
  (await check(...input)).flatMap(({ advice }) => advice?.en ?? []);

beforeAll(async () => {
  stripe = await startStripeDouble();
  check = inspectAccount(createStripeClients({ apiBase: stripe.url, version: 'test' }));
});
afterEach(() => {
  stripe.faults.clear();
  Object.assign(stripe.settings, { capabilities: {}, inactiveWallets: [], apiVersion: undefined, clockOffSeconds: 0 });
});
afterAll(() => stripe.close());

const account = {
  accountId: 'acct_1',
  secretKey: TEST_KEYS.secret,
  publishableKey: TEST_KEYS.publishable,
  callbackSecret: null,
  isTest: true,
};
const site = { host: 'pay.example.com', methods: ['card', 'ideal'], nowMs: Date.now() };

describe('the inspection of an account', () => {
  it('finds nothing where all is well, registers the page’s address once, and takes no money', async () => {
    expect(await inspect(account, site)).toEqual([]);
    expect(await inspect(account, site)).toEqual([]);
    expect(stripe.requests.filter(name => name === 'POST /v1/payment_method_domains')).toHaveLength(1);
    expect([...stripe.store.intents.values()].every(({ status }) => status === 'canceled')).toBe(true);
    expect(stripe.store.movements).toEqual([]);
  });

  it('names the methods that are switched on here and not ready there', async () => {
    stripe.settings.capabilities = { card_payments: 'active', ideal_payments: 'pending', oxxo_payments: 'inactive' };
    expect(await inspect(account, site)).toEqual([expect.stringMatching(/^iDEAL is pending at Stripe/)]);
  });

  it('learns what the account cannot take: what is not active, and PayPal outside of its countries (row 180)', async () => {
    stripe.settings.capabilities = { card_payments: 'active', ideal_payments: 'pending', oxxo_payments: 'inactive' };
    const asked = await askAccount(createStripeClients({ apiBase: stripe.url, version: 'test' }), account.secretKey);
    expect(asked).toMatchObject({ seen: { country: 'US', unavailableMethods: ['paypal', 'ideal', 'oxxo'] } });
  });

  it('says that PayPal is not for businesses of every country', async () => {
    expect(await inspect(account, { ...site, methods: ['paypal'] })).toEqual([expect.stringContaining('the EEA')]);
  });

  it('finds a publishable key of another account', async () => {
    const foreign = { ...account, publishableKey: FOREIGN_PUBLISHABLE_KEY };
    expect(await inspect(foreign, site)).toEqual([expect.stringContaining('another account')]);
  });

  it('names the wallets that are not active on the page’s address', async () => {
    stripe.settings.inactiveWallets = ['apple_pay'];
    expect(await inspect(account, site)).toEqual([
      expect.stringMatching(/^Apple Pay is not active for pay\.example\.com/),
    ]);
  });

  it('registers the page’s new address when it has moved', async () => {
    expect(await inspect(account, { ...site, host: 'shop.example.org' })).toEqual([]);
    expect(stripe.store.domains).toContain('shop.example.org');
  });

  it('tells method by method what is ready', async () => {
    stripe.settings.capabilities = { card_payments: 'active', ideal_payments: 'inactive' };
    const methods = (await check(account, site)).filter(one => one.check === 'methods');
    expect(methods).toMatchObject([
      { about: 'Card', state: 'ok' },
      { about: 'iDEAL', state: 'warning' },
    ]);
    stripe.settings.capabilities = { card_payments: 'pending' };
    expect(await check(account, site)).toContainEqual(expect.objectContaining({ check: 'methods', state: 'failed' }));
  });

  it('finds an answer in another version of the API', async () => {
    stripe.settings.apiVersion = '2019-12-03';
    expect(await inspect(account, site)).toEqual([expect.stringContaining('Update Coinslot')]);
  });

  it.each([
    [-90, 'warning'],
    [400, 'failed'],
  ])('finds a clock that is %i seconds off', async (clockOffSeconds, state) => {
    stripe.settings.clockOffSeconds = clockOffSeconds;
    expect(await check(account, { ...site, nowMs: Date.now() })).toContainEqual(
      expect.objectContaining({
        check: 'clock',
        state,
        advice: { en: expect.stringContaining('NTP'), de: expect.stringContaining('Uhr') },
      }),
    );
  });

  it('says which permission is missing, and checks the rest', async () => {
    stripe.faults.plan(/payment_method_domains$/, { kind: 'refuse', status: 403, type: 'invalid_request_error' });
    stripe.faults.plan(/^GET \/v1\/disputes$/, { kind: 'refuse', status: 403, type: 'invalid_request_error' });
    expect(await inspect(account, site)).toEqual([
      expect.stringContaining('may not read disputes'),
      expect.stringContaining('may not read payment method domains'),
    ]);
  });
});
