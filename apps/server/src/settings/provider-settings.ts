import { companyIds, keyLike, oneOf, origin, plainKey, webUrl } from './parsers.ts';
import { mustBeHttps, setting } from './setting.ts';

/** The settings of each provider that the program knows, by its name. Its keys are an account of the operator's own. */
export const PROVIDER_SETTINGS = {
  stripe: {
    keys: {
      secretKey: setting('STRIPE_SECRET_KEY', keyLike('sk_', 'rk_'), undefined, {
        default: 'none: each company connects its account in the dashboard',
        meaning:
          'Secret key of a Stripe account that takes the live payments of the companies in STRIPE_COMPANIES, as long as they have connected none of their own. Test keys are refused in production.',
        example: 'sk_live_…',
        isSecret: true,
        refusedInProduction: secret => secret?.split('_')[1] === 'test' && 'must be a live key in production',
      }),
      publishableKey: setting('STRIPE_PUBLISHABLE_KEY', keyLike('pk_'), undefined, {
        meaning: 'Publishable key of the same account; given together with STRIPE_SECRET_KEY.',
        example: 'pk_live_…',
      }),
      callbackSecret: setting('STRIPE_WEBHOOK_SECRET', keyLike('whsec_'), undefined, {
        default: 'none: callbacks of Stripe are refused, changes are found by polling',
        meaning: 'Signing secret of the callback that Stripe sends to PUBLIC_URL/gateways/stripe for that account.',
        example: 'whsec_…',
        isSecret: true,
      }),
    },
    companies: setting('STRIPE_COMPANIES', companyIds, undefined, {
      default: 'the first company of the installation',
      meaning:
        'Whom that account belongs to: ids of companies, separated by commas. No other company uses it or sees it.',
      example: 'cmp_01jd3v7q8w5e6r7t8y9u0i1o2p',
    }),
    apiBase: setting('STRIPE_API_BASE', origin, 'https://api.stripe.com', {
      meaning: 'Where Stripe’s API answers, for a proxy of yours or for a test double. Production requires https.',
      example: 'http://127.0.0.1:12111',
      refusedInProduction: mustBeHttps,
    }),
    scriptUrl: setting('STRIPE_JS_URL', webUrl, 'https://js.stripe.com/endive/stripe.js', {
      meaning:
        'The script that the payment page loads in live, and the only foreign origin it may load scripts from. Production requires https.',
      example: 'http://127.0.0.1:12111/v3/',
      refusedInProduction: mustBeHttps,
    }),
  },
  paypal: {
    keys: {
      publishableKey: setting('PAYPAL_CLIENT_ID', plainKey, undefined, {
        default: 'none: each company connects its account in the dashboard',
        meaning:
          'Client ID of an app at PayPal that takes the live payments of the companies in PAYPAL_COMPANIES, as long as they have connected none of their own.',
        example: 'AbCd…',
      }),
      secretKey: setting('PAYPAL_CLIENT_SECRET', plainKey, undefined, {
        meaning: 'Secret of the same app; given together with PAYPAL_CLIENT_ID.',
        example: 'EfGh…',
        isSecret: true,
      }),
      callbackSecret: setting('PAYPAL_WEBHOOK_ID', plainKey, undefined, {
        default: 'none: callbacks of PayPal are refused, changes are found by polling',
        meaning: 'ID of the webhook by which PayPal reports changes to PUBLIC_URL/gateways/paypal for that app.',
        example: '8PT597110X687430LKGECATA',
      }),
    },
    isTest: setting('PAYPAL_MODE', text => oneOf(['live', 'sandbox'])(text) === 'sandbox', false, {
      default: 'live',
      meaning: '`sandbox` if the app is one of PayPal’s sandbox, where no real money moves. Production refuses it.',
      example: 'live',
      refusedInProduction: isTest => isTest && 'must be live in production',
    }),
    companies: setting('PAYPAL_COMPANIES', companyIds, undefined, {
      default: 'the first company of the installation',
      meaning: 'Whom that app belongs to: ids of companies, separated by commas. No other company uses it or sees it.',
      example: 'cmp_01jd3v7q8w5e6r7t8y9u0i1o2p',
    }),
    apiBase: setting('PAYPAL_API_BASE', origin, undefined, {
      default: 'https://api-m.paypal.com, and https://api-m.sandbox.paypal.com for apps of the sandbox',
      meaning: 'Where PayPal’s API answers, for a proxy of yours or for a test double. Production requires https.',
      example: 'http://127.0.0.1:12112',
      refusedInProduction: mustBeHttps,
    }),
  },
  mollie: {
    keys: {
      secretKey: setting('MOLLIE_API_KEY', keyLike('live_', 'test_', 'access_'), undefined, {
        default: 'none: each company connects its account in the dashboard',
        meaning:
          'API key of a profile at Mollie, or an access token of its organization, which reads settlements too. It takes the live payments of the companies in MOLLIE_COMPANIES, as long as they have connected none of their own. Test keys are refused in production.',
        example: 'live_…',
        isSecret: true,
        refusedInProduction: key => key?.startsWith('test_') === true && 'must be a live key in production',
      }),
      publishableKey: setting('MOLLIE_PROFILE_ID', keyLike('pfl_'), undefined, {
        meaning: 'ID of the profile that the key belongs to; given together with MOLLIE_API_KEY.',
        example: 'pfl_…',
      }),
    },
    companies: setting('MOLLIE_COMPANIES', companyIds, undefined, {
      default: 'the first company of the installation',
      meaning:
        'Whom that profile belongs to: ids of companies, separated by commas. No other company uses it or sees it.',
      example: 'cmp_01jd3v7q8w5e6r7t8y9u0i1o2p',
    }),
    apiBase: setting('MOLLIE_API_BASE', origin, 'https://api.mollie.com', {
      meaning: 'Where Mollie’s API answers, for a proxy of yours or for a test double. Production requires https.',
      example: 'http://127.0.0.1:12113',
      refusedInProduction: mustBeHttps,
    }),
  },
};
