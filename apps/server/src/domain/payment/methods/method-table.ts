type MethodGroup = 'card' | 'wallet' | 'bank' | 'later' | 'debit' | 'voucher';

/** Minor units of the currency, both ends included. */
interface AmountRange {
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

const SEPA = 'AT BE BG CH CY CZ DE DK EE ES FI FR GB GR HR HU IE IS IT LI LT LU LV MC MT NL NO PL PT RO SE SI SK SM';

const listOf = (text: string): readonly string[] | 'any' => (text === 'any' ? text : text.split(' '));

/** The usual case needs no trait: not reserved, refundable, at once, on, can be switched off. */
const method = (
  id: string,
  name: string,
  group: MethodGroup,
  currencies: string,
  countries: string,
  ...traits: Partial<PaymentMethod>[]
): PaymentMethod => ({
  canReserve: false,
  canRefund: true,
  canSave: false,
  takes: 'at_once',
  leavesPage: false,
  onByDefault: true,
  canSwitchOff: true,
  ...Object.assign({}, ...traits),
  limits: Object.assign({}, ...traits.map(({ limits }) => limits)),
  id,
  name,
  group,
  currencies: listOf(currencies),
  countries: listOf(countries),
});

const FIXED = { canReserve: true, canSwitchOff: false };
const LEAVES = { leavesPage: true };
const RESERVES = { canReserve: true, leavesPage: true };
const MINUTES = { takes: 'minutes' } as const;
const DAYS = { takes: 'days' } as const;
const OFF = { onByDefault: false };

const limited = (currencies: string, range: AmountRange): Partial<PaymentMethod> => ({
  limits: Object.fromEntries(currencies.split(' ').map(currency => [currency, range])),
});
const upTo = (max: number, currencies: string) => limited(currencies, { max });
const between = (min: number, max: number, currencies: string) => limited(currencies, { min, max });
const WON = limited('KRW', { min: 100 });

const CARDS_AND_WALLETS: PaymentMethod[] = [
  method('card', 'Card', 'card', 'any', 'any', FIXED, { canSave: true }),
  method('apple_pay', 'Apple Pay', 'wallet', 'any', 'any', FIXED),
  method('google_pay', 'Google Pay', 'wallet', 'any', 'any', FIXED),
  method('paypal', 'PayPal', 'wallet', 'EUR GBP USD CHF CZK DKK NOK PLN SEK AUD CAD HKD NZD SGD', 'any', RESERVES),
  method('link', 'Link', 'wallet', 'any', 'any', { canReserve: true }),
  method('amazon_pay', 'Amazon Pay', 'wallet', 'USD EUR GBP CHF DKK NOK SEK AUD NZD JPY HKD ZAR', 'any', RESERVES, OFF),
  method('cashapp', 'Cash App Pay', 'wallet', 'USD', 'US', RESERVES),
  method('revolut_pay', 'Revolut Pay', 'wallet', 'EUR GBP RON HUF PLN DKK', SEPA, RESERVES),
  method('mobilepay', 'MobilePay', 'wallet', 'DKK EUR NOK SEK', 'DK FI', RESERVES),
  method('satispay', 'Satispay', 'wallet', 'EUR', 'IT FR LU DE', RESERVES, OFF),
  method('mb_way', 'MB WAY', 'wallet', 'EUR', 'PT', MINUTES, LEAVES),
  method('twint', 'TWINT', 'wallet', 'CHF', 'CH', LEAVES, upTo(500_000, 'CHF')),
  method('swish', 'Swish', 'wallet', 'SEK', 'SE', MINUTES, LEAVES),
  method('alipay', 'Alipay', 'wallet', 'CNY AUD CAD EUR GBP HKD JPY MYR NZD SGD USD', 'CN HK MO SG MY', LEAVES),
  method(
    'wechat_pay',
    'WeChat Pay',
    'wallet',
    'CNY AUD CAD CHF DKK EUR GBP HKD JPY NOK SEK SGD USD',
    'CN HK MO',
    MINUTES,
  ),
  method('grabpay', 'GrabPay', 'wallet', 'SGD MYR', 'SG MY', LEAVES),
  method('kakao_pay', 'Kakao Pay', 'wallet', 'KRW', 'KR', RESERVES, WON),
  method('naver_pay', 'Naver Pay', 'wallet', 'KRW', 'KR', RESERVES, WON),
  method('payco', 'PAYCO', 'wallet', 'KRW', 'KR', RESERVES, OFF, WON),
  method('samsung_pay', 'Samsung Pay', 'wallet', 'KRW', 'KR', RESERVES, OFF, between(100, 2_000_000, 'KRW')),
  method('kr_card', 'Korean cards', 'card', 'KRW', 'KR', RESERVES, OFF, WON),
];

const BANKS: PaymentMethod[] = [
  method('ideal', 'iDEAL', 'bank', 'EUR', 'NL', LEAVES),
  // The next two ask for the payer's name, FPX for the bank: that takes the provider's form.
  method('bancontact', 'Bancontact', 'bank', 'EUR', 'BE'),
  method('eps', 'EPS', 'bank', 'EUR', 'AT'),
  method('kbc', 'KBC/CBC', 'bank', 'EUR', 'BE', LEAVES, upTo(5_000_000, 'EUR')),
  method('p24', 'Przelewy24', 'bank', 'PLN EUR', 'PL', MINUTES, LEAVES),
  method('blik', 'BLIK', 'bank', 'PLN', 'PL'),
  method('pay_by_bank', 'Pay by Bank', 'bank', 'GBP', 'GB', LEAVES, OFF),
  method('fpx', 'FPX', 'bank', 'MYR', 'MY', between(200, 3_000_000, 'MYR')),
  method('upi', 'UPI', 'bank', 'INR', 'IN', MINUTES),
  method('pix', 'Pix', 'bank', 'BRL', 'BR', MINUTES, between(50, 1_500_000, 'BRL')),
  method('paynow', 'PayNow', 'bank', 'SGD', 'SG', MINUTES),
  method('promptpay', 'PromptPay', 'bank', 'THB', 'TH', MINUTES),
];

const PAID_LATER: PaymentMethod[] = [
  method(
    'klarna',
    'Klarna',
    'later',
    'EUR GBP USD DKK NOK SEK CHF PLN CZK RON AUD NZD CAD',
    'AT AU BE CA CH CZ DE DK ES FI FR GB GR IE IT NL NO NZ PL PT RO SE US',
    RESERVES,
  ),
  method('affirm', 'Affirm', 'later', 'USD CAD', 'US CA', RESERVES, OFF, between(5_000, 3_000_000, 'USD CAD')),
  method(
    'afterpay_clearpay',
    'Afterpay / Clearpay',
    'later',
    'USD CAD GBP AUD NZD',
    'US CA GB AU NZ',
    RESERVES,
    OFF,
    between(100, 400_000, 'USD AUD NZD'),
    between(100, 200_000, 'CAD'),
    between(100, 120_000, 'GBP'),
  ),
  method('zip', 'Zip', 'later', 'AUD', 'AU', LEAVES, OFF, between(100, 100_000, 'AUD')),
  method('alma', 'Alma', 'later', 'EUR', 'FR', RESERVES, OFF, between(5_000, 200_000, 'EUR')),
];

/** The provider cannot return cash that was paid in a store: a studio that switches these on returns it by other ways. */
const CASH = { canRefund: false };

/** The money comes days later, if it comes. Most are not on by themselves: a player of a game seldom waits that long. */
const SLOW: PaymentMethod[] = [
  method('sepa_debit', 'SEPA Direct Debit', 'debit', 'EUR', SEPA, DAYS, OFF, upTo(1_000_000, 'EUR')),
  method('sepa_transfer', 'SEPA bank transfer', 'bank', 'EUR', SEPA, DAYS, LEAVES, OFF, upTo(100_000_000, 'EUR')),
  method('us_bank_account', 'US bank account', 'debit', 'USD', 'US', DAYS, OFF),
  method('bacs_debit', 'Bacs Direct Debit', 'debit', 'GBP', 'GB', DAYS, OFF),
  method('au_becs_debit', 'BECS Direct Debit', 'debit', 'AUD', 'AU', DAYS, OFF),
  method('acss_debit', 'Canadian bank account', 'debit', 'CAD USD', 'CA', DAYS, OFF),
  method('multibanco', 'Multibanco', 'voucher', 'EUR', 'PT', DAYS, upTo(9_999_999, 'EUR')),
  method('oxxo', 'OXXO', 'voucher', 'MXN', 'MX', DAYS, OFF, CASH, between(1_000, 1_000_000, 'MXN')),
  method('boleto', 'Boleto', 'voucher', 'BRL', 'BR', DAYS, OFF, CASH, between(500, 4_999_999, 'BRL')),
  method('konbini', 'Konbini', 'voucher', 'JPY', 'JP', DAYS, OFF, between(120, 300_000, 'JPY')),
];

/** Every method that Coinslot knows. Where nothing else speaks for one, the order here is the order on the page. */
export const METHODS: readonly PaymentMethod[] = [...CARDS_AND_WALLETS, ...BANKS, ...PAID_LATER, ...SLOW];

const byId = new Map(METHODS.map(entry => [entry.id, entry]));

export const findMethod = (id: string): PaymentMethod | undefined => byId.get(id);

/** What people of a country reach for first. The rest follows in the table's order. */
export const FAVORITES: Readonly<Record<string, readonly string[]>> = {
  AT: ['paypal', 'eps', 'klarna', 'card'],
  BE: ['bancontact', 'kbc', 'card', 'paypal'],
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
  PT: ['mb_way', 'multibanco', 'card', 'paypal'],
  SE: ['swish', 'klarna', 'card'],
  SG: ['card', 'paynow', 'grabpay'],
  TH: ['promptpay', 'card'],
  US: ['card', 'apple_pay', 'google_pay', 'cashapp', 'paypal'],
};
