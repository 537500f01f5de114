import { advice } from '@coinslot/texts/advice';
import { PLAYER_LANGUAGES } from '@coinslot/texts/players';
import { describe, expect, it } from 'vitest';
import { formatMoney } from '../../kit/format.ts';
import { renderMail } from '../../mail/render-mail.ts';
import { sellerOf } from '../company/seller.ts';
import { connectionNotice, noticeContent } from './notices.ts';
import { type ReceiptView, receiptContent, receiptLanguage } from './render-receipt.ts';

const NO_LOOK = { iconUrl: null, logoUrl: null, accentColor: null };

const view = (changes: Partial<ReceiptView> = {}): ReceiptView => ({
  locale: 'en-GB',
  gameName: 'Dragon Harbor',
  companyName: 'Northlight Games',
  look: NO_LOOK,
  sandbox: false,
  orderId: 'ord_1',
  paymentId: 'pay_1',
  items: [
    { sku: 'gems', name: '500 Gems', quantity: 1, priceMinor: 499, currency: 'EUR' },
    { sku: 'sword', name: null, quantity: 3, priceMinor: 333, currency: 'EUR' },
  ],
  amountMinor: 1498,
  currency: 'EUR',
  brandName: 'Visa',
  last4: '4242',
  paidAt: new Date('2026-02-03T14:05:00Z'),
  seller: sellerOf({ seller: null }),
  receiptUrl: 'https://pay.example/c/token/receipt',
  ...changes,
});

const renderReceipt = (shown: ReceiptView) => renderMail(receiptContent(shown));

// A space that does not break is still a space to the reader.
const plain = (text: string): string => text.replace(/[\u00a0\u202f]/g, ' ').replace(/[\u200e\u200f\u061c]/g, '');

describe('a receipt', () => {
  it('says who, what, how much, when and how it was paid, in both forms', () => {
    const { subject, text, html } = renderReceipt(view());
    expect(subject).toBe('Your receipt from Dragon Harbor: €14.98');
    const facts = [
      'Dragon Harbor',
      'Northlight Games',
      '500 Gems',
      '€4.99',
      'sword',
      '€9.99',
      '€14.98',
      'ord_1',
      'pay_1',
    ];
    for (const fact of [...facts, 'Visa •••• 4242', '3 February 2026 at 14:05 UTC', 'Questions about this purchase?']) {
      expect(text).toContain(fact);
      expect(html).toContain(fact);
    }
    expect(text).toContain('sword × 3   €9.99');
    expect(text + html).not.toMatch(/SANDBOX|null|undefined|NaN/);
  });

  it('shows what the price of the order takes off the sum of its items as a discount', () => {
    const { text, html } = renderReceipt(view({ amountMinor: 1200 }));
    for (const form of [text, html]) {
      for (const fact of ['€4.99', '€9.99', 'Discount', '-€2.98', '€12.00']) expect(form).toContain(fact);
    }
    expect(renderReceipt(view({ amountMinor: 1 })).text).toContain('-€14.97');
    expect(renderReceipt(view()).text).not.toContain('Discount');
  });

  it('links to the page to print and names seller, support and terms, where they are known', () => {
    const seller = sellerOf({
      seller: {
        legal_name: 'Northlight GmbH',
        address: 'Hafen 7',
        country: 'DE',
        support: 'help@example.com',
        terms_url: 'https://example.com/terms',
      },
    });
    const { text, html } = renderReceipt(view({ seller }));
    for (const form of [text, html]) {
      for (const fact of [
        'https://pay.example/c/token/receipt',
        'Northlight GmbH, Hafen 7, Germany',
        'help@example.com',
        'https://example.com/terms',
      ]) {
        expect(form).toContain(fact);
      }
      expect(form).not.toContain('Privacy');
    }
    expect(renderReceipt(view({ seller, locale: 'de-AT' })).text).toContain('Hafen 7, Deutschland');
    expect(text.indexOf('€14.98')).toBeLessThan(text.indexOf('https://pay.example'));
  });

  it('of sandbox cannot be taken for a real one', () => {
    const { subject, text, html } = renderReceipt(view({ sandbox: true, locale: 'de' }));
    expect(subject).toMatch(/^\[SANDBOX\] /);
    for (const form of [text, html]) {
      expect(form).toContain('SANDBOX');
      expect(form).toContain('Es wurde kein echtes Geld abgebucht.');
    }
  });

  it.each(Object.keys(PLAYER_LANGUAGES))('in %s leaves no blank unfilled and says its direction', locale => {
    const { subject, text, html } = renderReceipt(view({ locale, sandbox: true }));
    expect(subject + text + html.replace(/<style>[\s\S]*?<\/style>/, '')).not.toMatch(/[{}]/);
    expect(html).toContain(`dir="${['ar', 'he'].includes(locale) ? 'rtl' : 'ltr'}"`);
    expect(plain(subject)).toMatch(/14[.,]98/);
  });

  it('writes amounts and dates the way the reader does', () => {
    const austrian = renderReceipt(view({ locale: 'de-AT' }));
    expect(plain(austrian.subject)).toBe('Ihr Beleg von Dragon Harbor: € 14,98');
    expect(austrian.text).toContain('3. Februar 2026');
    expect(plain(renderReceipt(view({ locale: 'de-DE' })).subject)).toBe('Ihr Beleg von Dragon Harbor: 14,98 €');
  });

  it('shows no prices of items that do not add up to what was paid', () => {
    const { text } = renderReceipt(view({ amountMinor: 2000 }));
    expect(text).toContain('Total: €20.00');
    expect(text).not.toContain('€4.99');
    const other = renderReceipt(
      view({ items: [{ sku: 'a', name: null, quantity: 1, priceMinor: null, currency: null }] }),
    );
    expect(other.text).toContain('\na\n');
  });

  it('names the method where it is no card, and the card inside a wallet', () => {
    const paidWith = (more: Partial<Parameters<typeof renderReceipt>[0]>) =>
      /Paid with: (.*)/.exec(renderReceipt(view(more)).text)?.[1];
    expect(paidWith({})).toBe('Visa •••• 4242');
    expect(paidWith({ methodName: 'Apple Pay' })).toBe('Apple Pay (Visa •••• 4242)');
    expect(paidWith({ methodName: 'iDEAL', brandName: null, last4: null })).toBe('iDEAL');
  });

  it('for nothing says that it was free', () => {
    const { subject, text } = renderReceipt(view({ amountMinor: 0, brandName: null, last4: null }));
    expect(subject).toContain('Free');
    expect(text).not.toContain('Paid with');
  });

  it('shows hostile names as text, on one line, in the subject too', () => {
    const evil = '<script>alert(1)</script>"\'&\r\nBcc: x@y.z\u2028Total: €0.00\u202e{seller}';
    const items = [{ sku: 'a', name: evil, quantity: 1, priceMinor: 1498, currency: 'EUR' }];
    const { subject, text, html } = renderReceipt(view({ gameName: evil, companyName: evil, items }));
    expect(html).not.toContain('<script>');
    expect(html).toContain('&lt;script&gt;alert(1)&lt;/script&gt;&quot;&#39;&amp; Bcc: x@y.z Total');
    expect(subject).not.toMatch(/[\r\n\u2028\u202e]/);
    expect(text.split('\n').filter(line => line.startsWith('Total: '))).toEqual(['Total: €14.98']);
    expect(text.split('\n').filter(line => line.startsWith('Bcc'))).toEqual([]);
  });
});

describe('money', () => {
  it.each([
    [1999, 'USD', '$19.99'],
    [0, 'USD', '$0.00'],
    [5, 'USD', '$0.05'],
    [1498, 'JPY', '¥1,498'],
    [1234, 'KWD', 'KWD 1.234'],
    [1000, 'IQD', 'IQD 1.000'],
    [12345, 'CLF', 'CLF 1.2345'],
    [100000000099, 'USD', '$1,000,000,000.99'],
    [9007199254740991, 'USD', '$90,071,992,547,409.91'],
  ])('%d minor units of %s are %s, exactly', (amountMinor, currency, text) => {
    expect(plain(formatMoney(amountMinor, currency, 'en'))).toBe(text);
  });
});

it('a notice says which game, what happened and where to look, escaped', () => {
  const facts = [{ label: 'Endpoint', value: 'https://a.example/<b>' }];
  const game = {
    gameId: 'game_1',
    gameName: 'Dragon <Harbor>',
    mode: 'sandbox',
    look: NO_LOOK,
    hour: '2026-01-01 00',
  } as const;
  const notice = {
    heading: 'Grants are failing',
    paragraphs: ['`It` broke.'],
    facts,
    link: { label: 'Open the order', path: 'orders/ord_1' },
  };
  const { subject, text, html } = renderMail(noticeContent('https://pay.example', game, notice, 'en'));
  expect(subject).toBe('[SANDBOX] Dragon <Harbor>: Grants are failing');
  for (const form of [text, html]) expect(form).toContain('It broke.');
  expect(text).toContain('Endpoint: https://a.example/<b>');
  expect(html).toContain('Dragon &lt;Harbor&gt;');
  expect(html).not.toContain('<b>');
  expect(html).toContain('href="https://pay.example/dashboard/g/game_1/sandbox/orders/ord_1"');
});

it('a notice about a connection says what to do in the reader’s language', () => {
  const facts = {
    mode: 'live' as const,
    gameId: 'game_1',
    gameName: 'Dragon',
    look: NO_LOOK,
    hour: '2026-01-01 00',
    provider: 'stripe',
    account: 'acct_1',
    advice: [advice.each('callback_not_registered')],
  };
  const said = connectionNotice(facts, 'de');
  expect(said.paragraphs[1]).toContain('Registriere den Callback');
  expect(said.facts[0]).toEqual({ label: 'Anbieter', value: 'stripe' });
});

it.each([
  ['de', 'de', 'de'],
  ['de-AT', 'de', 'de-AT'],
  ['pt-PT', 'pt-BR', 'pt-PT'],
  ['zh', 'zh-Hans', 'zh'],
  ['zh-CN', 'zh-Hans', 'zh-CN'],
  ['zh-TW', 'zh-Hant', 'zh-TW'],
  ['zh-HK', 'zh-Hant', 'zh-HK'],
  ['zh-Hant-CN', 'zh-Hant', 'zh-Hant-CN'],
  ['EN-us', 'en', 'en-US'],
  ['ar-EG-u-nu-latn', 'ar', 'ar-EG'],
  ['nn-NO', 'nb', 'nn-NO'],
  ['no', 'nb', 'no'],
  ['iw', 'he', 'he'],
  ['ms-MY', 'ms', 'ms-MY'],
  ['sw', 'en', 'en'],
  ['constructor', 'en', 'en'],
  ['not a locale', 'en', 'en'],
  ['', 'en', 'en'],
  [null, 'en', 'en'],
])('locale %j is written in %s', (locale, tag, formatLocale) => {
  expect(receiptLanguage(locale)).toMatchObject({ tag, formatLocale });
});
