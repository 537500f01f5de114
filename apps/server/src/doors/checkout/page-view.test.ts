import { renderCheckout } from '@coinslot/checkout-page';
import { describe, expect, test } from 'vitest';
import { sellerOf } from '../../domain/company/seller.ts';
import type { Order } from '../../domain/order/order.ts';
import { findMethod } from '../../domain/payment/methods/method-table.ts';
import type { Payment } from '../../domain/payment/payment.ts';
import type { Gateway } from '../../domain/payment/providers/base/gateway.ts';
import { STRIPE_ABILITIES } from '../../domain/payment/providers/stripe/account/stripe-account.ts';
import { stripePageForm } from '../../domain/payment/providers/stripe/stripe-provider.ts';
import { checkoutState } from '../../domain/purchase/checkout/checkout.ts';
import { formatLocale, formatMoney } from '../../kit/format.ts';
import type { PageFacts } from './order-frame.ts';
import { pageView } from './page-view.ts';

const now = new Date('2026-05-04T12:00:00Z');
const secondsAgo = (seconds: number) => new Date(now.getTime() - seconds * 1000);

const order: Order = {
  environmentId: 'env_1',
  id: 'ord_1',
  playerId: 'p1',
  status: 'created',
  amountMinor: 1998,
  currency: 'EUR',
  items: [
    {
      sku: 'gems',
      name: null,
      description: null,
      imageUrl: null,
      quantity: 2,
      priceMinor: 999,
      fullPriceMinor: 1299,
      currency: 'EUR',
    },
  ],
  details: { country: null, locale: 'de-DE', theme: 'dark', backToGameUrl: null, backToStoreUrl: null, metadata: {} },
  email: null,
  problem: null,
  attention: null,
  grantedAt: null,
  paidAt: null,
  createdAt: secondsAgo(60),
  expiresAt: new Date(now.getTime() + 86_000_000),
  updatedAt: secondsAgo(60),
  version: 1,
};

const payment: Payment = {
  environmentId: 'env_1',
  id: 'pay_1',
  orderId: 'ord_1',
  playerId: 'p1',
  status: 'pending',
  gateway: 'simulator',
  method: 'card',
  brand: null,
  last4: null,
  country: null,
  email: null,
  amountMinor: 1998,
  currency: 'EUR',
  returnedMinor: 0,
  responseCode: null,
  responseDescription: null,
  refundReason: null,
  disputeReason: null,
  disputeStatus: null,
  problem: null,
  attention: null,
  instructions: null,
  saveMethod: false,
  createdAt: secondsAgo(1),
  updatedAt: secondsAgo(1),
  version: 1,
  authorizedAt: null,
  capturedAt: null,
  refundedAt: null,
  settledAt: null,
};

const facts: PageFacts = {
  base: '/c/token',
  nowAtMs: 0,
  order,
  payment: null,
  live: null,
  saved: [],
  gameName: 'Tiny Harvest',
  playerName: null,
  sandbox: true,
  mode: 'sandbox',
  hasProvider: true,
  hasItemEndpoint: true,
  acceptLanguage: null,
  chosenLanguage: null,
  gameIconUrl: null,
  logoUrl: null,
  accentColor: null,
  playerMessage: null,
  companyName: 'Northlight',
  seller: sellerOf({ seller: null }),
  secure: true,
  kept: {},
  now,
};

const withOrder = (change: Partial<Order>, rest: Partial<PageFacts> = {}): PageFacts => ({
  ...facts,
  ...rest,
  order: { ...order, ...change },
});

test('an order that costs less than its items says how much less', () => {
  const view = pageView(withOrder({ amountMinor: 1499 }));
  expect(view).toMatchObject({ total: '14,99\u00a0€', discount: '-4,99\u00a0€' });
  expect(renderCheckout(view).html).toMatch(/<dt>Rabatt<\/dt><dd>-4,99\u00a0€<\/dd>/);
  expect(pageView(facts)).toMatchObject({ discount: null });
});

test('a declined card is named by its last digits, the address it was tried with is kept, and no method is promised', () => {
  const last = { status: 'declined' as const, brand: 'visa', last4: '9015', email: 'mika@example.com' };
  const view = pageView({ ...facts, payment: { ...payment, ...last } });
  expect(view).toMatchObject({ problem: 'declined', lastCard: 'Visa •••• 9015', email: 'mika@example.com', kept: {} });
  expect(pageView(facts)).toMatchObject({ lastCard: null });
});

test('the lock stands only where the connection is encrypted', () => {
  expect(renderCheckout(pageView(facts)).html).toContain('class="lock"');
  expect(renderCheckout(pageView({ ...facts, secure: false })).html).not.toContain('class="lock"');
});

test('the seller is named by the company until it says more, and links that run script are dropped', () => {
  expect(renderCheckout(pageView(facts)).html).toContain('Northlight');
  const seller = sellerOf({
    seller: { legal_name: 'Northlight GmbH', support: 'help@example.com', terms_url: 'javascript:1' },
  });
  const page = renderCheckout(pageView({ ...facts, seller })).html;
  expect(page).toContain('Verkauft von Northlight GmbH');
  expect(page).toContain('href="mailto:help@example.com"');
  expect(page).not.toContain('javascript:1');
});

describe('the state a player meets', () => {
  test.each([
    ['ready', facts],
    ['claim', withOrder({ amountMinor: 0 })],
    ['expired', withOrder({ expiresAt: now })],
    ['not_connected', { ...facts, sandbox: false, hasProvider: false }],
    ['not_connected', { ...facts, sandbox: false, hasItemEndpoint: false }],
    ['claim', withOrder({ amountMinor: 0 }, { sandbox: false, hasProvider: false })],
    ['ready', { ...facts, hasItemEndpoint: false }],
    ['paying', withOrder({ status: 'pending' }, { payment })],
    ['checking', withOrder({ status: 'pending' }, { payment: { ...payment, createdAt: secondsAgo(20) } })],
    ['challenge', withOrder({ status: 'pending' }, { payment: { ...payment, status: 'requires_action' } })],
    ['asking', withOrder({ status: 'authorized' })],
    ['waiting_no_webhook', withOrder({ status: 'authorized' }, { hasItemEndpoint: false })],
    ['asking', withOrder({ status: 'authorized', grantedAt: now }, { hasItemEndpoint: false })],
    ['done', withOrder({ status: 'paid' })],
    ['charged_back', withOrder({ status: 'charged_back' })],
  ])('%s', (state, given) => {
    expect(checkoutState(given)).toBe(state);
    expect(renderCheckout(pageView(given)).html).toContain(`data-state="${state}"`);
  });
});

test("amounts are written in the order's locale, lines with their quantity", () => {
  expect(pageView(facts)).toMatchObject({
    language: 'de',
    theme: 'dark',
    total: '19,98\u00a0€',
    items: [{ name: 'gems', quantity: '2', price: '19,98\u00a0€', oldPrice: '25,98\u00a0€' }],
  });
});

test.each([
  [1234, 'JPY', 'en', '¥1,234'],
  [1234, 'KWD', 'en', 'KWD\u00a01.234'],
  [1234, 'CLF', 'en', 'CLF\u00a00.1234'],
  [9_999_999_999_999, 'UYW', 'en', 'UYW\u00a0999,999,999.9999'],
])('%i minor units of %s are written with the decimals of the currency', (amountMinor, currency, locale, text) => {
  expect(formatMoney(amountMinor, currency, locale)).toBe(text);
});

test('in Arabic the sign of a currency stays behind its letters', () => {
  expect(formatMoney(499, 'USD', 'ar')).toBe('\u200f4.99\u00a0US$\u200e');
  expect(formatMoney(499, 'EUR', 'ar')).toBe('\u200f4.99\u00a0€');
});

test('an unknown locale falls back to the language of the page', () => {
  expect(formatLocale('not a locale!', 'de')).toBe('de');
  expect(formatLocale(null, 'en')).toBe('en');
});

test('a decline is told in plain words and keeps the e-mail', () => {
  const declined = { ...payment, status: 'declined' as const, responseCode: '2051', responseDescription: 'No funds' };
  expect(pageView(withOrder({ email: 'mika@example.com' }, { payment: declined }))).toMatchObject({
    state: 'ready',
    email: 'mika@example.com',
    problem: 'insufficient_funds',
    problemDetail: '2051 No funds',
  });
});

test('a refused form comes back with its errors, not with the decline before it', () => {
  const refused = { email: 'mika@', fieldErrors: { email: 'email_invalid' as const } };
  expect(pageView({ ...facts, payment: { ...payment, status: 'declined' } }, refused)).toMatchObject({
    email: 'mika@',
    problem: 'check_fields',
    problemDetail: null,
    fieldErrors: { email: 'email_invalid' },
  });
});

test('the time left is shown under an hour only', () => {
  expect(pageView(facts)).toMatchObject({ timeLeft: null });
  expect(pageView(withOrder({ expiresAt: new Date(now.getTime() + 750_000) }))).toMatchObject({
    timeLeft: '12 Minuten',
  });
});

test('test cards are listed in sandbox only', () => {
  expect(renderCheckout(pageView(facts)).html).toContain('4242 4242 4242 4242');
  expect(renderCheckout(pageView({ ...facts, sandbox: false })).html).not.toContain('4242');
});

test('the language the player picked goes before the locale, and writes the numbers', () => {
  expect(pageView({ ...facts, chosenLanguage: 'en' })).toMatchObject({
    language: 'en',
    chosenLanguage: 'en',
    total: '€19.98',
  });
  const swiss = { ...order.details, locale: 'de-CH' };
  expect(pageView(withOrder({ details: swiss }, { chosenLanguage: 'de' }))).toMatchObject({ total: 'EUR\u00a019.98' });
  expect(pageView({ ...facts, chosenLanguage: 'xx"><script>' })).toMatchObject({
    language: 'de',
    chosenLanguage: null,
  });
});

test("without a locale the browser's region writes the numbers", () => {
  const details = { ...order.details, locale: null };
  const total = (acceptLanguage: string) => pageView(withOrder({ details }, { acceptLanguage }));
  expect(total('es-ES')).toMatchObject({ language: 'es', total: '19,98\u00a0€' });
  expect(total('es-MX')).toMatchObject({ language: 'es', total: 'EUR\u00a019.98' });
});

test('what the clock alone changes comes with the seconds until then (row 181)', () => {
  const paying = (seconds: number) =>
    withOrder({ status: 'pending' }, { payment: { ...payment, createdAt: secondsAgo(seconds) } });
  expect(pageView(paying(0))).toMatchObject({ state: 'paying', slow: false, renewInSeconds: 4 });
  expect(pageView(paying(4))).toMatchObject({ state: 'paying', slow: true, renewInSeconds: 12 });
  expect(pageView(paying(16))).toMatchObject({ state: 'checking' });
  const asking = (seconds: number) => withOrder({ status: 'authorized', updatedAt: secondsAgo(seconds) });
  expect(pageView(asking(2))).toMatchObject({ mayClose: false, late: false, renewInSeconds: 4 });
  expect(pageView(asking(6))).toMatchObject({ mayClose: true, late: false, renewInSeconds: 40 });
  expect(pageView(asking(46))).toMatchObject({ mayClose: true, late: true, renewInSeconds: null });
  const soon = new Date(now.getTime() + 90_400);
  expect(pageView(withOrder({ expiresAt: soon }))).toMatchObject({ renewInSeconds: 91 });
});

test('who comes back after a while is told that it is paid, and nothing opens by itself', () => {
  const details = { ...order.details, backToGameUrl: 'castle://shop' };
  const paid = (seconds: number) => withOrder({ status: 'paid', details, paidAt: secondsAgo(seconds) });
  expect(renderCheckout(pageView(paid(2))).html).toContain('data-open="castle://shop"');
  const later = renderCheckout(pageView(paid(3600))).html;
  expect(later).not.toContain('data-open');
  expect(later).toContain('Schon bezahlt');
});

describe('in live', () => {
  const gateway = { name: 'stripe' } as Gateway;
  const scriptUrl = 'https://js.stripe.com/endive/stripe.js';
  const keys = { secretKey: 'sk_live_1', publishableKey: 'pk_live_1', callbackSecret: null };
  const form = stripePageForm(scriptUrl)({ accountId: 'acct_1', isTest: false, ...keys });
  const script = { publishableKey: 'pk_live_1', scriptUrl, sources: form.sources };
  const provider = { gateway, abilities: STRIPE_ABILITIES, form, isTest: false, isSimulated: false, isSilent: false };
  const routed = (id: string) => ({ ...findMethod(id)!, by: provider });
  const live = { provider, providers: [provider], offer: { methods: ['ideal', 'card', 'apple_pay'].map(routed) } };
  const inLive = { sandbox: false, live };
  const pending = (change: Partial<Payment>): PageFacts =>
    withOrder({ status: 'pending' }, { ...inLive, payment: { ...payment, gateway: 'stripe', ...change } });

  test('the provider’s script may be loaded while the player can still pay, and not after', () => {
    expect(pageView({ ...facts, ...inLive })).toMatchObject({ state: 'ready', provider: script });
    expect(pageView(pending({ status: 'requires_action' }))).toMatchObject({
      state: 'challenge',
      by: 'provider',
      provider: script,
    });
    for (const status of ['authorized', 'paid', 'rejected', 'expired'] as const) {
      expect(pageView(withOrder({ status }, inLive))).toMatchObject({ provider: null });
    }
  });

  test('the form has what is offered by the provider’s names, and only what needs no script beside it', () => {
    const view = pageView({ ...facts, ...inLive });
    expect(view).toMatchObject({
      live: {
        methods: [{ id: 'ideal', charges: 'first' }],
        wallets: [],
        notRefundable: [],
        form: {
          types: ['ideal', 'card'],
          order: ['ideal', 'card', 'apple_pay'],
          currency: 'eur',
          amount: 1998,
          charges: { ideal: 'first' },
        },
      },
    });
  });

  test.each(['currency', 'amount_low', 'amount_high', 'method'] as const)(
    'nothing to pay with (%s) is said',
    missing => {
      const view = pageView({
        ...facts,
        sandbox: false,
        live: { provider, providers: [provider], offer: { missing } },
      });
      expect(view).toMatchObject({ state: 'not_connected', missing });
    },
  );

  test.each([
    ['multibanco', 'voucher'],
    ['sepa_debit', 'debit'],
    ['pix', 'soon'],
  ])('money by %s that is on its way is waited for as a %s', (method, kind) => {
    const instructions = {
      url: 'https://pay.example/slip',
      reference: '123',
      expiresAt: new Date('2026-11-18T12:00:00Z'),
    };
    expect(pageView(pending({ method, instructions }))).toMatchObject({
      state: 'awaiting',
      kind,
      reference: '123',
      until: '18. November 2026',
      slipUrl: 'https://pay.example/slip',
    });
  });

  test('what was captured first goes back after the game’s no, what was held is released', () => {
    const rejected = (method: string) =>
      withOrder({ status: 'rejected' }, { ...inLive, payment: { ...payment, method } });
    expect(pageView(rejected('ideal'))).toMatchObject({ returned: true });
    expect(pageView(rejected('card'))).toMatchObject({ returned: false });
  });

  test('a method that the provider cannot refund is named before the payment, and no refund is promised', () => {
    const offered = { ...inLive, live: { ...live, offer: { methods: [routed('oxxo')] } } };
    expect(pageView({ ...facts, ...offered })).toMatchObject({
      live: { notRefundable: ['OXXO'] },
    });
    const instructions = { url: null, reference: '123', expiresAt: null };
    expect(pageView(pending({ method: 'oxxo', instructions }))).toMatchObject({ state: 'awaiting', refundable: false });
    expect(pageView(pending({ method: 'multibanco', instructions }))).toMatchObject({ refundable: true });
    const rejected = withOrder({ status: 'rejected' }, { ...inLive, payment: { ...payment, method: 'oxxo' } });
    expect(pageView(rejected)).toMatchObject({ state: 'rejected', owed: true });
  });

  test('keys of the provider’s test mode and the simulator are marked', () => {
    const as = (more: object) =>
      pageView({ ...facts, ...inLive, live: { ...live, provider: { ...provider, ...more } } });
    expect(as({})).toMatchObject({ demo: null });
    expect(as({ isTest: true })).toMatchObject({ demo: 'test' });
    expect(as({ form: null, isTest: true, isSimulated: true })).toMatchObject({ demo: 'simulated', provider: null });
  });
});
