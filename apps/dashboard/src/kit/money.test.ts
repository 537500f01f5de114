import { describe, expect, test } from 'vitest';
import {
  amountRangeOf,
  amountSpanOf,
  amountText,
  formatCompactMoney,
  formatMoney,
  minorOf,
  numberOf,
} from './money.ts';

describe('money', () => {
  test.each([
    ['en', 499, 'USD', '$4.99'],
    ['en', 0, 'USD', '$0.00'],
    ['en', -499, 'USD', '-$4.99'],
    ['en', 499, 'JPY', '¥499'],
    ['en', 1_234, 'KWD', 'KWD 1.234'],
    ['en', 499_900, 'HUF', 'HUF 4,999.00'],
    ['de', 1_234_567, 'EUR', '12.345,67 €'],
  ])('in %s: %d minor units of %s are %s', (locale, minor, currency, text) => {
    expect(formatMoney(locale, minor, currency).replaceAll(/\s/g, ' ')).toBe(text);
  });

  test('keeps amount and decimals in a language that is written from right to left', () => {
    const digits = formatMoney('he', 123_450, 'ILS').replaceAll(/[^\d.,]/g, '');
    expect(digits).toBe('1,234.50');
    expect(formatMoney('ar-EG', 500, 'EGP')).toContain('٥٫٠٠');
  });

  test('of a word that is no currency is shown beside the number', () => {
    expect(formatMoney('en', 499, 'no currency')).toBe('4.99 no currency');
  });

  test('is short on an axis', () => {
    expect(formatCompactMoney('en', 1_250_000, 'USD')).toBe('$12.5K');
    expect(formatCompactMoney('en', 12_500, 'JPY')).toBe('¥12.5K');
  });

  test('is rounded to the minor unit, not cut', () => {
    expect(minorOf(4.35, 'USD')).toBe(435);
    expect(minorOf(1.005 * 1_000, 'JPY')).toBe(1_005);
    expect(minorOf(0.1 + 0.2, 'KWD')).toBe(300);
  });
});

describe('a price that is typed', () => {
  test.each([
    ['4.99', 4.99],
    ['4,99', 4.99],
    [' 10 ', 10],
    ['0', 0],
    ['1.000,00', null],
    ['1 000', null],
    ['free', null],
    ['-1', null],
    ['1e3', null],
    ['٤', null],
    ['', null],
  ])('%j is %j', (text, value) => {
    expect(numberOf(text)).toBe(value);
  });
});

describe('a range of amounts', () => {
  test.each([
    ['5..20', 'USD', { amount_from: 500, amount_to: 2_000 }],
    ['4.99', 'USD', { amount_from: 499, amount_to: 499 }],
    ['1000..', 'JPY', { amount_from: 1_000 }],
    ['1.5..', 'KWD', { amount_from: 1_500 }],
    ['..0,5', 'EUR', { amount_to: 50 }],
    ['lots..', 'EUR', {}],
    ['..', 'EUR', {}],
    [undefined, 'EUR', {}],
  ])('%s in %s is what the server counts', (text, currency, span) => {
    expect(amountSpanOf(text, currency)).toEqual(span);
  });

  test('is named in the chip', () => {
    expect(amountText('en', '5..20', 'USD')).toBe('$5.00 – $20.00');
    expect(amountText('en', '5', 'USD')).toBe('$5.00');
    expect(amountText('de', '5..', 'EUR')).toBe('≥ 5,00\u00a0€');
    expect(amountText('en', '..1000', 'JPY')).toBe('≤ ¥1,000');
    expect(amountText('en', 'lots', 'USD')).toBe('lots');
  });

  test('is written as it is read, and not at all when a part is no number', () => {
    expect(amountRangeOf('4,99', '')).toBe('4.99..');
    expect(amountRangeOf(' ', '20')).toBe('..20');
    expect(amountRangeOf('', '')).toBeUndefined();
    expect(amountRangeOf('five', '20')).toBeUndefined();
    expect(amountSpanOf(amountRangeOf('5', '20'), 'USD')).toEqual({ amount_from: 500, amount_to: 2_000 });
  });
});
