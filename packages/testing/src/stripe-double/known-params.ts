import { invalid } from './double-error.ts';
import type { FormFields, FormValue } from './form-body.ts';

/** `text` and `list` hold values, `map` holds any names, an object holds these names and no others. */
type Shape = 'text' | 'list' | 'map' | { readonly [name: string]: Shape };

const CUT = { limit: 'text', starting_after: 'text', ending_before: 'text', expand: 'list' } as const;
const CREATED = { gt: 'text', gte: 'text', lt: 'text', lte: 'text' } as const;
const BILLING = { email: 'text', name: 'text', phone: 'text', address: 'map', tax_id: 'text' } as const;

const RESERVES = { capture_method: 'text', setup_future_usage: 'text' } as const;
const KEEPS = { setup_future_usage: 'text' } as const;

/** Which options a method takes, as far as a shop like ours may send them. */
const METHOD_OPTIONS: Shape = {
  ...Object.fromEntries(
    (
      'affirm afterpay_clearpay alma amazon_pay card cashapp kakao_pay klarna kr_card link mobilepay naver_pay payco ' +
      'paypal revolut_pay samsung_pay satispay'
    )
      .split(' ')
      .map(type => [type, RESERVES]),
  ),
  ...Object.fromEntries(
    'alipay bancontact eps fpx grabpay ideal p24 pix sepa_debit swish twint zip'.split(' ').map(type => [type, KEEPS]),
  ),
  wechat_pay: { app_id: 'text', client: 'text', setup_future_usage: 'text' },
};

const METHOD_DATA: Shape = {
  type: 'text',
  billing_details: BILLING,
  allow_redisplay: 'text',
  metadata: 'map',
  fpx: { bank: 'text' },
  ideal: { bank: 'text' },
  eps: { bank: 'text' },
  p24: { bank: 'text' },
};

/** Every request that the double knows, with all that it may carry. Facts of Stripe's API, by method and path. */
const REQUESTS: readonly (readonly [request: RegExp, shape: { readonly [name: string]: Shape }])[] = [
  [/^GET \/v1\/account$/, { expand: 'list' }],
  [/^POST \/v1\/customers$/, { email: 'text', name: 'text', description: 'text', metadata: 'map', expand: 'list' }],
  [/^DELETE \/v1\/customers\/\w+$/, {}],
  [
    /^POST \/v1\/payment_intents$/,
    {
      amount: 'text',
      currency: 'text',
      confirm: 'text',
      capture_method: 'text',
      confirmation_token: 'text',
      payment_method: 'text',
      payment_method_data: METHOD_DATA,
      payment_method_options: METHOD_OPTIONS,
      payment_method_types: 'list',
      allowed_payment_method_types: 'list',
      setup_future_usage: 'text',
      off_session: 'text',
      customer: 'text',
      description: 'text',
      metadata: 'map',
      return_url: 'text',
      expand: 'list',
    },
  ],
  [/^GET \/v1\/payment_intents$/, { ...CUT, created: CREATED, customer: 'text' }],
  [/^GET \/v1\/payment_intents\/search$/, { query: 'text', limit: 'text', page: 'text', expand: 'list' }],
  [/^GET \/v1\/payment_intents\/\w+$/, { expand: 'list', client_secret: 'text' }],
  [
    /^POST \/v1\/payment_intents\/\w+\/capture$/,
    { amount_to_capture: 'text', final_capture: 'text', metadata: 'map', expand: 'list' },
  ],
  [/^POST \/v1\/payment_intents\/\w+\/cancel$/, { cancellation_reason: 'text', expand: 'list' }],
  [
    /^POST \/v1\/refunds$/,
    {
      payment_intent: 'text',
      charge: 'text',
      amount: 'text',
      reason: 'text',
      metadata: 'map',
      instructions_email: 'text',
      expand: 'list',
    },
  ],
  [/^GET \/v1\/refunds$/, { ...CUT, created: CREATED, payment_intent: 'text', charge: 'text' }],
  [/^GET \/v1\/balance_transactions$/, { ...CUT, created: CREATED, payout: 'text', type: 'text', currency: 'text' }],
  [/^GET \/v1\/disputes$/, { ...CUT, created: CREATED, payment_intent: 'text', charge: 'text' }],
  [/^POST \/v1\/files$/, { purpose: 'text', expand: 'list' }],
  [/^POST \/v1\/disputes\/\w+\/close$/, { expand: 'list' }],
  [
    /^POST \/v1\/disputes\/\w+$/,
    {
      evidence: {
        access_activity_log: 'text',
        customer_communication: 'text',
        customer_email_address: 'text',
        customer_name: 'text',
        customer_purchase_ip: 'text',
        product_description: 'text',
        receipt: 'text',
        refund_policy_disclosure: 'text',
        refund_refusal_explanation: 'text',
        service_date: 'text',
        service_documentation: 'text',
        uncategorized_file: 'text',
        uncategorized_text: 'text',
      },
      submit: 'text',
      metadata: 'map',
      expand: 'list',
    },
  ],
  [/^GET \/v1\/radar\/early_fraud_warnings$/, { ...CUT, created: CREATED, payment_intent: 'text', charge: 'text' }],
  [
    /^POST \/v1\/webhook_endpoints$/,
    { url: 'text', enabled_events: 'list', description: 'text', api_version: 'text', metadata: 'map' },
  ],
  [/^GET \/v1\/webhook_endpoints$/, CUT],
  [/^GET \/v1\/payment_method_domains$/, { ...CUT, domain_name: 'text', enabled: 'text' }],
  [/^POST \/v1\/payment_method_domains$/, { domain_name: 'text', enabled: 'text', expand: 'list' }],
  [
    /^POST \/v1\/test_helpers\/confirmation_tokens$/,
    { payment_method: 'text', setup_future_usage: 'text', return_url: 'text' },
  ],
];

const pathOf = (parents: readonly string[], name: string): string =>
  [...parents, name].reduce((path, part) => (path === '' ? part : `${path}[${part}]`), '');

function checkValue(value: FormValue, shape: Shape, parents: readonly string[], name: string): void {
  const param = pathOf(parents, name);
  if (shape === 'text' && typeof value !== 'string') throw invalid(`Invalid string: ${param}`, { param });
  if (shape === 'list' && !Array.isArray(value)) throw invalid(`Invalid array: ${param}`, { param });
  const isHash = typeof value === 'object' && !Array.isArray(value);
  if ((shape === 'map' || typeof shape === 'object') && !isHash) throw invalid(`Invalid object: ${param}`, { param });
  if (typeof shape === 'object') check(value as FormFields, shape, [...parents, name]);
}

function check(fields: FormFields, shape: { readonly [name: string]: Shape }, parents: readonly string[]): void {
  for (const [name, value] of Object.entries(fields)) {
    const own = Object.hasOwn(shape, name) ? shape[name] : undefined;
    if (own === undefined) {
      const param = pathOf(parents, name);
      throw invalid(`Received unknown parameter: ${param}`, { code: 'parameter_unknown', param });
    }
    checkValue(value, own, parents, name);
  }
}

/** Stripe refuses what it does not know, before it does anything. A request that is not in the list takes nothing. */
export function checkParams(request: string, fields: FormFields): void {
  check(fields, REQUESTS.find(([pattern]) => pattern.test(request))?.[1] ?? {}, []);
}
