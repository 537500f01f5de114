import { signedInMember, type TestBrowser } from './dashboard.ts';
import { type LiveShop, startLiveShop } from './live-shop.ts';
import { type PaypalDouble, startPaypalDouble } from './paypal-double/paypal-double.ts';
import { type StripeDouble, startStripeDouble, TEST_KEYS } from './stripe-double/stripe-double.ts';

export interface TwoProviderShop extends LiveShop {
  owner: TestBrowser;
  stripe: StripeDouble;
  paypal: PaypalDouble;
  /** Below the company's path in the dashboard's API. */
  ofCompany(tail: string): string;
}

/** A live shop with Stripe and PayPal from the program's settings; both take PayPal. */
export async function startTwoProviderShop(env: Record<string, string> = {}): Promise<TwoProviderShop> {
  const paypal = await startPaypalDouble();
  const stripe = await startStripeDouble();
  stripe.settings.country = 'DE';
  const shop = await startLiveShop({
    env: {
      PAYPAL_API_BASE: paypal.url,
      PAYPAL_MODE: 'sandbox',
      PAYPAL_CLIENT_ID: paypal.keys.clientId,
      PAYPAL_CLIENT_SECRET: paypal.keys.secret,
      STRIPE_API_BASE: stripe.url,
      STRIPE_SECRET_KEY: TEST_KEYS.secret,
      STRIPE_PUBLISHABLE_KEY: TEST_KEYS.publishable,
      ...env,
    },
  });
  const { browser: owner } = await signedInMember(shop, 'owner');
  return {
    ...shop,
    owner,
    stripe,
    paypal,
    ofCompany: tail => `/companies/${shop.account.companyId}${tail}`,
    async close() {
      await shop.close();
      await paypal.close();
      await stripe.close();
    },
  };
}
