import { companyIds, isHttps, keyLike, oneOf, origin, plainKey, webUrl } from './setting-parsers.ts';

/** Accounts at payment providers that the operator gives, and where the providers answer. */
export const PROVIDER_SETTINGS = [
  {
    name: 'STRIPE_SECRET_KEY',
    default: 'none: each company connects its account in the dashboard',
    meaning:
      'Secret key of a Stripe account that takes the live payments of the companies in STRIPE_COMPANIES, as long as they have connected none of their own. Test keys are refused in production.',
    example: 'sk_live_…',
  },
  {
    name: 'STRIPE_PUBLISHABLE_KEY',
    default: 'none',
    meaning: 'Publishable key of the same account; given together with STRIPE_SECRET_KEY.',
    example: 'pk_live_…',
  },
  {
    name: 'STRIPE_COMPANIES',
    default: 'the first company of the installation',
    meaning:
      'Whom that account belongs to: ids of companies, separated by commas. No other company uses it or sees it.',
    example: 'cmp_01jd3v7q8w5e6r7t8y9u0i1o2p',
  },
  {
    name: 'STRIPE_WEBHOOK_SECRET',
    default: 'none: callbacks of Stripe are refused, news is found by asking',
    meaning: 'Signing secret of the callback that Stripe sends to PUBLIC_URL/gateways/stripe for that account.',
    example: 'whsec_…',
  },
  {
    name: 'STRIPE_API_BASE',
    default: 'https://api.stripe.com',
    meaning: 'Where Stripe’s API answers, for a proxy of yours or for a test double. Production requires https.',
    example: 'http://127.0.0.1:12111',
  },
  {
    name: 'STRIPE_JS_URL',
    default: 'https://js.stripe.com/endive/stripe.js',
    meaning:
      'The script that the payment page loads in live, and the only foreign origin it may load scripts from. Production requires https.',
    example: 'http://127.0.0.1:12111/v3/',
  },
  {
    name: 'PAYPAL_CLIENT_ID',
    default: 'none: each company connects its account in the dashboard',
    meaning:
      'Client ID of an app at PayPal that takes the live payments of the companies in PAYPAL_COMPANIES, as long as they have connected none of their own.',
    example: 'AbCd…',
  },
  {
    name: 'PAYPAL_CLIENT_SECRET',
    default: 'none',
    meaning: 'Secret of the same app; given together with PAYPAL_CLIENT_ID.',
    example: 'EfGh…',
  },
  {
    name: 'PAYPAL_MODE',
    default: 'live',
    meaning: '`sandbox` if the app is one of PayPal’s sandbox, where no real money moves. Production refuses it.',
    example: 'sandbox',
  },
  {
    name: 'PAYPAL_COMPANIES',
    default: 'the first company of the installation',
    meaning: 'Whom that app belongs to: ids of companies, separated by commas. No other company uses it or sees it.',
    example: 'cmp_01jd3v7q8w5e6r7t8y9u0i1o2p',
  },
  {
    name: 'PAYPAL_WEBHOOK_ID',
    default: 'none: callbacks of PayPal are refused, news is found by asking',
    meaning: 'ID of the webhook by which PayPal sends news to PUBLIC_URL/gateways/paypal for that app.',
    example: '8PT597110X687430LKGECATA',
  },
  {
    name: 'PAYPAL_API_BASE',
    default: 'https://api-m.paypal.com, and https://api-m.sandbox.paypal.com for apps of the sandbox',
    meaning: 'Where PayPal’s API answers, for a proxy of yours or for a test double. Production requires https.',
    example: 'http://127.0.0.1:12112',
  },
] as const satisfies readonly { name: string; default: string; meaning: string; example: string }[];

type Name = (typeof PROVIDER_SETTINGS)[number]['name'];
type Read = <T>(name: Name, parse: (text: string) => T) => T | undefined;

interface Keys {
  secretKey: string;
  publishableKey: string;
  callbackSecret: string | null;
}

export interface StripeConfig {
  /** Whose the keys are; undefined is the first company. */
  companies: string[] | undefined;
  /** Undefined: companies connect their own accounts. */
  keys: Keys | undefined;
  apiBase: string;
  scriptUrl: string;
}

export interface PaypalConfig {
  companies: string[] | undefined;
  keys: Keys | undefined;
  isTest: boolean;
  apiBase: string | undefined;
}

export function readStripe(
  read: Read,
  refuse: (name: Name, reason: string) => void,
  isProduction: boolean,
): StripeConfig {
  const secretKey = read('STRIPE_SECRET_KEY', keyLike('sk_', 'rk_'));
  const publishableKey = read('STRIPE_PUBLISHABLE_KEY', keyLike('pk_'));
  const callbackSecret = read('STRIPE_WEBHOOK_SECRET', keyLike('whsec_')) ?? null;
  const apiBase = read('STRIPE_API_BASE', origin) ?? 'https://api.stripe.com';
  const scriptUrl = read('STRIPE_JS_URL', webUrl) ?? 'https://js.stripe.com/endive/stripe.js';
  const modeOf = (text: string | undefined): string | undefined => text?.split('_')[1];
  if (secretKey && !publishableKey) refuse('STRIPE_PUBLISHABLE_KEY', 'is required beside STRIPE_SECRET_KEY');
  if (!secretKey && publishableKey) refuse('STRIPE_SECRET_KEY', 'is required beside STRIPE_PUBLISHABLE_KEY');
  if (secretKey && publishableKey && modeOf(secretKey) !== modeOf(publishableKey))
    refuse('STRIPE_PUBLISHABLE_KEY', 'must be of the same mode (test or live) as STRIPE_SECRET_KEY');
  if (isProduction) {
    if (modeOf(secretKey) === 'test') refuse('STRIPE_SECRET_KEY', 'must be a live key in production');
    if (!isHttps(apiBase)) refuse('STRIPE_API_BASE', 'must be https in production');
    if (!isHttps(scriptUrl)) refuse('STRIPE_JS_URL', 'must be https in production');
  }
  const keys = secretKey && publishableKey ? { secretKey, publishableKey, callbackSecret } : undefined;
  const companies = read('STRIPE_COMPANIES', companyIds);
  return { keys, companies, apiBase, scriptUrl };
}

export function readPaypal(
  read: Read,
  refuse: (name: Name, reason: string) => void,
  isProduction: boolean,
): PaypalConfig {
  const publishableKey = read('PAYPAL_CLIENT_ID', plainKey);
  const secretKey = read('PAYPAL_CLIENT_SECRET', plainKey);
  const callbackSecret = read('PAYPAL_WEBHOOK_ID', plainKey) ?? null;
  const isTest = read('PAYPAL_MODE', oneOf(['live', 'sandbox'])) === 'sandbox';
  const apiBase = read('PAYPAL_API_BASE', origin);
  if (publishableKey && !secretKey) refuse('PAYPAL_CLIENT_SECRET', 'is required beside PAYPAL_CLIENT_ID');
  if (!publishableKey && secretKey) refuse('PAYPAL_CLIENT_ID', 'is required beside PAYPAL_CLIENT_SECRET');
  if (isProduction && isTest) refuse('PAYPAL_MODE', 'must be live in production');
  if (isProduction && apiBase && !isHttps(apiBase)) refuse('PAYPAL_API_BASE', 'must be https in production');
  const keys = secretKey && publishableKey ? { secretKey, publishableKey, callbackSecret } : undefined;
  return { keys, companies: read('PAYPAL_COMPANIES', companyIds), isTest, apiBase };
}
