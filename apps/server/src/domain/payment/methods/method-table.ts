export type MethodGroup = 'card' | 'wallet' | 'bank' | 'later' | 'debit' | 'voucher';

/** Minor units of the currency, both ends included. */
export interface AmountRange {
  min?: number;
  max?: number;
}

/** What is usual for a method. A connection may be able to do more or less. */
export interface MethodAbilities {
  currencies: readonly string[] | 'any';
  limits: Readonly<Record<string, AmountRange>>;
  /** Money can be held first and captured after the game's yes. */
  canReserve: boolean;
  canRefund: boolean;
  canSave: boolean;
  takes: 'at_once' | 'minutes' | 'days';
  /** The player leaves for it and comes back, nothing is typed here: so it works without script. */
  leavesPage: boolean;
}

export interface PaymentMethod extends MethodAbilities {
  /** Our word for it: on payments, in the API and in switches. */
  id: string;
  /** Its own name, the same in every language. */
  name: string;
  group: MethodGroup;
  /** Where its players live. */
  countries: readonly string[] | 'any';
  onByDefault: boolean;
  canSwitchOff: boolean;
}

const SEPA =
  'AT BE BG CH CY CZ DE DK EE ES FI FR GB GR HR HU IE IS IT LI LT LU LV MC MT NL NO PL PT RO SE SI SK SM'.split(' ');

interface Row extends Omit<Partial<PaymentMethod>, 'currencies' | 'countries'> {
  /** Spelled with spaces. */
  currencies?: string;
  countries?: string | readonly string[];
}

const listOf = (text: string | readonly string[] | undefined): readonly string[] | 'any' =>
  typeof text === 'string' ? text.split(' ') : (text ?? 'any');

/** The usual case is left out of a row: not reserved, refundable, at once, on, can be switched off. */
const method = (id: string, name: string, group: MethodGroup, row: Row): PaymentMethod => ({
  limits: {},
  canReserve: false,
  canRefund: true,
  canSave: false,
  takes: 'at_once',
  leavesPage: false,
  onByDefault: true,
  canSwitchOff: true,
  ...row,
  id,
  name,
  group,
  currencies: listOf(row.currencies),
  countries: listOf(row.countries),
});

const FIXED = { canReserve: true, canSwitchOff: false } as const;
const LEAVES = { leavesPage: true } as const;
const RESERVES = { canReserve: true, leavesPage: true } as const;
const DAYS = { takes: 'days' } as const;
const OFF = { onByDefault: false } as const;
const KOREA = { currencies: 'KRW', countries: 'KR', limits: { KRW: { min: 100 } } };

const CARDS_AND_WALLETS: PaymentMethod[] = [
  method('card', 'Card', 'card', { ...FIXED, canSave: true }),
  method('apple_pay', 'Apple Pay', 'wallet', FIXED),
  method('google_pay', 'Google Pay', 'wallet', FIXED),
  method('paypal', 'PayPal', 'wallet', {
    ...FIXED,
    ...LEAVES,
    currencies: 'EUR GBP USD CHF CZK DKK NOK PLN SEK AUD CAD HKD NZD SGD',
  }),
  method('link', 'Link', 'wallet', { canReserve: true }),
  method('amazon_pay', 'Amazon Pay', 'wallet', {
    ...RESERVES,
    ...OFF,
    currencies: 'USD EUR GBP CHF DKK NOK SEK AUD NZD JPY HKD ZAR',
  }),
  method('cashapp', 'Cash App Pay', 'wallet', { ...RESERVES, currencies: 'USD', countries: 'US' }),
  method('revolut_pay', 'Revolut Pay', 'wallet', {
    ...RESERVES,
    currencies: 'EUR GBP RON HUF PLN DKK',
    countries: SEPA,
  }),
  method('mobilepay', 'MobilePay', 'wallet', { ...RESERVES, currencies: 'DKK EUR NOK SEK', countries: 'DK FI' }),
  method('satispay', 'Satispay', 'wallet', { ...RESERVES, ...OFF, currencies: 'EUR', countries: 'IT FR LU DE' }),
  method('twint', 'TWINT', 'wallet', {
    ...LEAVES,
    currencies: 'CHF',
    countries: 'CH',
    limits: { CHF: { max: 500_000 } },
  }),
  method('swish', 'Swish', 'wallet', { takes: 'minutes', ...LEAVES, currencies: 'SEK', countries: 'SE' }),
  method('alipay', 'Alipay', 'wallet', {
    ...LEAVES,
    currencies: 'CNY AUD CAD EUR GBP HKD JPY MYR NZD SGD USD',
    countries: 'CN HK MO SG MY',
  }),
  method('wechat_pay', 'WeChat Pay', 'wallet', {
    takes: 'minutes',
    currencies: 'CNY AUD CAD CHF DKK EUR GBP HKD JPY NOK SEK SGD USD',
    countries: 'CN HK MO',
  }),
  method('grabpay', 'GrabPay', 'wallet', { ...LEAVES, currencies: 'SGD MYR', countries: 'SG MY' }),
  method('kakao_pay', 'Kakao Pay', 'wallet', { ...RESERVES, ...KOREA }),
  method('naver_pay', 'Naver Pay', 'wallet', { ...RESERVES, ...KOREA }),
  method('payco', 'PAYCO', 'wallet', { ...RESERVES, ...OFF, ...KOREA }),
  method('samsung_pay', 'Samsung Pay', 'wallet', {
    ...RESERVES,
    ...OFF,
    ...KOREA,
    limits: { KRW: { min: 100, max: 2_000_000 } },
  }),
  method('kr_card', 'Korean cards', 'card', { ...RESERVES, ...OFF, ...KOREA }),
];

const BANKS: PaymentMethod[] = [
  method('ideal', 'iDEAL', 'bank', { ...LEAVES, currencies: 'EUR', countries: 'NL' }),
  // The next two ask for the payer's name, FPX for the bank: that takes the provider's form.
  method('bancontact', 'Bancontact', 'bank', { currencies: 'EUR', countries: 'BE' }),
  method('eps', 'EPS', 'bank', { currencies: 'EUR', countries: 'AT' }),
  method('p24', 'Przelewy24', 'bank', { takes: 'minutes', ...LEAVES, currencies: 'PLN EUR', countries: 'PL' }),
  method('blik', 'BLIK', 'bank', { currencies: 'PLN', countries: 'PL' }),
  method('pay_by_bank', 'Pay by Bank', 'bank', { ...LEAVES, ...OFF, currencies: 'GBP', countries: 'GB' }),
  method('fpx', 'FPX', 'bank', { currencies: 'MYR', countries: 'MY', limits: { MYR: { min: 200, max: 3_000_000 } } }),
  method('upi', 'UPI', 'bank', { takes: 'minutes', currencies: 'INR', countries: 'IN' }),
  method('pix', 'Pix', 'bank', {
    takes: 'minutes',
    currencies: 'BRL',
    countries: 'BR',
    limits: { BRL: { min: 50, max: 1_500_000 } },
  }),
  method('paynow', 'PayNow', 'bank', { takes: 'minutes', currencies: 'SGD', countries: 'SG' }),
  method('promptpay', 'PromptPay', 'bank', { takes: 'minutes', currencies: 'THB', countries: 'TH' }),
];

const PAID_LATER: PaymentMethod[] = [
  method('klarna', 'Klarna', 'later', {
    ...RESERVES,
    currencies: 'EUR GBP USD DKK NOK SEK CHF PLN CZK RON AUD NZD CAD',
    countries: 'AT AU BE CA CH CZ DE DK ES FI FR GB GR IE IT NL NO NZ PL PT RO SE US'.split(' '),
  }),
  method('affirm', 'Affirm', 'later', {
    ...RESERVES,
    ...OFF,
    currencies: 'USD CAD',
    countries: 'US CA',
    limits: { USD: { min: 5_000, max: 3_000_000 }, CAD: { min: 5_000, max: 3_000_000 } },
  }),
  method('afterpay_clearpay', 'Afterpay / Clearpay', 'later', {
    ...RESERVES,
    ...OFF,
    currencies: 'USD CAD GBP AUD NZD',
    countries: 'US CA GB AU NZ',
    limits: {
      USD: { min: 100, max: 400_000 },
      CAD: { min: 100, max: 200_000 },
      GBP: { min: 100, max: 120_000 },
      AUD: { min: 100, max: 400_000 },
      NZD: { min: 100, max: 400_000 },
    },
  }),
  method('zip', 'Zip', 'later', {
    ...LEAVES,
    ...OFF,
    currencies: 'AUD',
    countries: 'AU',
    limits: { AUD: { min: 100, max: 100_000 } },
  }),
  method('alma', 'Alma', 'later', {
    ...RESERVES,
    ...OFF,
    currencies: 'EUR',
    countries: 'FR',
    limits: { EUR: { min: 5_000, max: 200_000 } },
  }),
];

/** The money comes days later, if it comes. Not on by itself: a player of a game seldom waits that long. */
const SLOW: PaymentMethod[] = [
  method('sepa_debit', 'SEPA Direct Debit', 'debit', {
    ...DAYS,
    ...OFF,
    currencies: 'EUR',
    countries: SEPA,
    limits: { EUR: { max: 1_000_000 } },
  }),
  method('us_bank_account', 'US bank account', 'debit', { ...DAYS, ...OFF, currencies: 'USD', countries: 'US' }),
  method('bacs_debit', 'Bacs Direct Debit', 'debit', { ...DAYS, ...OFF, currencies: 'GBP', countries: 'GB' }),
  method('au_becs_debit', 'BECS Direct Debit', 'debit', { ...DAYS, ...OFF, currencies: 'AUD', countries: 'AU' }),
  method('acss_debit', 'Canadian bank account', 'debit', { ...DAYS, ...OFF, currencies: 'CAD USD', countries: 'CA' }),
  method('multibanco', 'Multibanco', 'voucher', {
    ...DAYS,
    currencies: 'EUR',
    countries: 'PT',
    limits: { EUR: { max: 9_999_999 } },
  }),
  // The provider cannot return cash that was paid in a store: a studio that switches these on returns it by other ways.
  method('oxxo', 'OXXO', 'voucher', {
    ...DAYS,
    ...OFF,
    canRefund: false,
    currencies: 'MXN',
    countries: 'MX',
    limits: { MXN: { min: 1_000, max: 1_000_000 } },
  }),
  method('boleto', 'Boleto', 'voucher', {
    ...DAYS,
    ...OFF,
    canRefund: false,
    currencies: 'BRL',
    countries: 'BR',
    limits: { BRL: { min: 500, max: 4_999_999 } },
  }),
  method('konbini', 'Konbini', 'voucher', {
    ...DAYS,
    ...OFF,
    currencies: 'JPY',
    countries: 'JP',
    limits: { JPY: { min: 120, max: 300_000 } },
  }),
];

/** Every method that Coinslot knows. Where nothing else speaks for one, the order here is the order on the page. */
export const METHODS: readonly PaymentMethod[] = [...CARDS_AND_WALLETS, ...BANKS, ...PAID_LATER, ...SLOW];

const byId = new Map(METHODS.map(entry => [entry.id, entry]));

export const findMethod = (id: string): PaymentMethod | undefined => byId.get(id);

/** What people of a country reach for first. The rest follows in the table's order. */
export const FAVORITES: Readonly<Record<string, readonly string[]>> = {
  AT: ['paypal', 'eps', 'klarna', 'card'],
  BE: ['bancontact', 'card', 'paypal'],
  BR: ['pix', 'card', 'boleto'],
  CH: ['twint', 'card', 'paypal'],
  CN: ['alipay', 'wechat_pay', 'card'],
  DE: ['paypal', 'klarna', 'card'],
  DK: ['mobilepay', 'card'],
  FI: ['mobilepay', 'card'],
  HK: ['card', 'alipay', 'wechat_pay'],
  IN: ['upi', 'card'],
  JP: ['card', 'konbini'],
  KR: ['kakao_pay', 'naver_pay', 'kr_card', 'samsung_pay', 'payco', 'card'],
  MX: ['card', 'oxxo'],
  MY: ['fpx', 'grabpay', 'card'],
  NL: ['ideal', 'card', 'paypal'],
  NO: ['card', 'klarna', 'paypal'],
  PL: ['blik', 'p24', 'card'],
  PT: ['multibanco', 'card', 'paypal'],
  SE: ['swish', 'klarna', 'card'],
  SG: ['card', 'paynow', 'grabpay'],
  TH: ['promptpay', 'card'],
  US: ['card', 'apple_pay', 'google_pay', 'cashapp', 'paypal'],
};
