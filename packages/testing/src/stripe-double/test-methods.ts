/** What the browser's form would have made of what the player typed. Stripe's own names for its test methods. */
export interface TestMethod {
  type: string;
  details: Record<string, unknown>;
  outcome: 'approve' | 'challenge' | 'redirect' | 'processing' | 'voucher' | { decline: string };
}

const card = (last4: string, outcome: TestMethod['outcome'], more: Record<string, unknown> = {}): TestMethod => ({
  type: 'card',
  details: {
    brand: 'visa',
    checks: { address_line1_check: null, address_postal_code_check: 'pass', cvc_check: 'pass' },
    country: 'US',
    exp_month: 8,
    exp_year: 2040,
    funding: 'credit',
    last4,
    wallet: null,
    ...more,
  },
  outcome,
});

const other = (type: string, outcome: TestMethod['outcome'], details: Record<string, unknown> = {}): TestMethod => ({
  type,
  details,
  outcome,
});

export const TEST_METHODS: Readonly<Record<string, TestMethod>> = {
  pm_card_visa: card('4242', 'approve'),
  pm_card_applePay: card('4242', 'approve', { wallet: { type: 'apple_pay', dynamic_last4: null } }),
  pm_card_threeDSecure2Required: card('3220', 'challenge'),
  pm_card_chargeDeclined: card('0002', { decline: 'generic_decline' }),
  pm_card_chargeDeclinedInsufficientFunds: card('9995', { decline: 'insufficient_funds' }),
  pm_card_chargeDeclinedExpiredCard: card('0069', { decline: 'expired_card' }),
  pm_card_chargeDeclinedLostCard: card('9987', { decline: 'lost_card' }),
  ideal: other('ideal', 'redirect', { bank: 'ing' }),
  paypal: other('paypal', 'redirect', { payer_email: null }),
  sepa_debit: other('sepa_debit', 'processing', { last4: '3000', country: 'DE', bank_code: '37040044' }),
  oxxo: other('oxxo', 'voucher'),
  konbini: other('konbini', 'voucher'),
  alma: other('alma', 'redirect'),
  bancontact: other('bancontact', 'redirect', { preferred_language: 'fr' }),
  wechat_pay: other('wechat_pay', 'redirect'),
  link: other('link', 'approve', { email: 'player@example.com' }),
  amazon_pay: other('amazon_pay', 'redirect'),
  cashapp: other('cashapp', 'redirect', { cashtag: '$player' }),
  revolut_pay: other('revolut_pay', 'redirect'),
  kakao_pay: other('kakao_pay', 'redirect'),
  naver_pay: other('naver_pay', 'redirect', { funding: 'card' }),
  kr_card: other('kr_card', 'redirect', { brand: 'shinhan', last4: '1234' }),
  us_bank_account: other('us_bank_account', 'processing', { last4: '6789', bank_name: 'STRIPE TEST BANK' }),
  bacs_debit: other('bacs_debit', 'processing', { last4: '2345', sort_code: '108800' }),
  au_becs_debit: other('au_becs_debit', 'processing', { last4: '3456', bsb_number: '000000' }),
  blik: other('blik', 'redirect'),
};
