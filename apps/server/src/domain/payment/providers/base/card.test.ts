import { describe, expect, it } from 'vitest';
import { printedNumber, TEST_CARDS } from '../simulator/test-cards.ts';
import { brandName, brandOf, checkCard, passesLuhn, readCard, readExpiry } from './card.ts';
import type { CardDetails } from './gateway.ts';

const now = new Date('2026-03-31T23:59:59Z');
const card = (changes: Partial<CardDetails> = {}): CardDetails => ({
  number: '4242 4242 4242 4242',
  expiryMonth: 12,
  expiryYear: 2030,
  cvc: '123',
  postalCode: 'SW1A 1AA',
  ...changes,
});
const codes = (changes: Partial<CardDetails>) =>
  checkCard(card(changes), now).map(({ field, code }) => `${field} ${code}`);

describe('a card', () => {
  it.each(TEST_CARDS)('$number of sandbox is well formed and of the brand its row says', ({ number, brand }) => {
    expect(checkCard(card({ number, cvc: brand === 'amex' ? '1234' : '123' }), now)).toEqual([]);
    expect(brandOf(number)).toBe(brand);
  });

  it.each([
    ['', 'number missing'],
    ['4242 4242 4242 424x', 'number not_digits'],
    ['٤٢٤٢٤٢٤٢٤٢٤٢٤٢٤٢', 'number not_digits'],
    ['4242 4242 4242', 'number wrong_length'],
    ['42424242424242424242', 'number wrong_length'],
    ['9999', 'number wrong_length'],
    ['4242 4242 4242 4241', 'number check_digit'],
  ])('number %j is refused: %s', (number, problem) => {
    expect(codes({ number })).toEqual([problem]);
  });

  it('may be typed with spaces or hyphens', () => {
    expect(codes({ number: ' 4242-4242 4242\t4242 ' })).toEqual([]);
  });

  it('is good to the end of its month and no longer', () => {
    expect(codes({ expiryMonth: 3, expiryYear: 2026 })).toEqual([]);
    expect(codes({ expiryMonth: 2, expiryYear: 2026 })).toEqual(['expiry in_the_past']);
    expect(codes({ expiryMonth: 12, expiryYear: 2025 })).toEqual(['expiry in_the_past']);
    expect(codes({ expiryMonth: 13 })).toEqual(['expiry not_a_month']);
    expect(codes({ expiryMonth: 0 })).toEqual(['expiry not_a_month']);
    expect(codes({ expiryYear: 2099 })).toEqual([]);
    expect(codes({ expiryYear: 2177 })).toEqual(['expiry too_far_ahead']);
  });

  it('has a CVV of three digits, American Express of four', () => {
    expect(codes({ cvc: '' })).toEqual(['cvc missing']);
    expect(codes({ cvc: '12' })).toEqual(['cvc wrong_length']);
    expect(codes({ cvc: '1234' })).toEqual(['cvc wrong_length']);
    expect(codes({ cvc: '12a' })).toEqual(['cvc not_digits']);
    expect(codes({ number: '370000000000002', cvc: '123' })).toEqual(['cvc wrong_length']);
    expect(codes({ number: '370000000000002', cvc: '1234' })).toEqual([]);
  });

  it('takes any postal code but none', () => {
    expect(codes({ postalCode: '〒100-0001' })).toEqual([]);
    expect(codes({ postalCode: ' ' })).toEqual(['postal_code missing']);
    expect(codes({ postalCode: '1'.repeat(17) })).toEqual(['postal_code too_long']);
  });

  it('shows all its problems at once, without repeating what was typed', () => {
    const problems = checkCard(card({ number: '4242424242424241', cvc: '7', expiryMonth: 13, postalCode: '' }), now);
    expect(problems.map(({ field }) => field)).toEqual(['number', 'expiry', 'cvc', 'postal_code']);
    expect(JSON.stringify(problems)).not.toContain('4241');
  });
});

describe('the form', () => {
  it.each([
    ['04/27', 4, 2027],
    ['4 / 2027', 4, 2027],
    ['0427', 4, 2027],
    [' 12-30 ', 12, 2030],
    ['12 30', 12, 2030],
  ])('reads the expiry %j', (text, expiryMonth, expiryYear) => {
    expect(readExpiry(text)).toEqual({ expiryMonth, expiryYear });
  });

  it.each(['', '4', 'soon', '04/027', '1/1/27'])('cannot read the expiry %j', text => {
    expect(readExpiry(text)).toBeNull();
  });

  it('becomes a card or a list of problems', () => {
    const form = { number: '4242 4242 4242 4242', expiry: '04/27', cvc: ' 123 ', postalCode: ' 10115 ' };
    expect(readCard(form, now)).toEqual({
      card: { number: '4242424242424242', expiryMonth: 4, expiryYear: 2027, cvc: '123', postalCode: '10115' },
    });
    expect(readCard({ ...form, expiry: '' }, now)).toMatchObject({ problems: [{ field: 'expiry', code: 'missing' }] });
    expect(readCard({ ...form, expiry: 'x' }, now)).toMatchObject({
      problems: [{ field: 'expiry', code: 'not_a_month' }],
    });
  });
});

it('names brands for people and leaves unknown ones as they are', () => {
  expect(brandName('amex')).toBe('American Express');
  expect(brandName('other')).toBe('other');
  expect(brandOf('2223000048400011')).toBe('mastercard');
  expect(brandOf('30569309025904')).toBe('diners');
  expect(brandOf('6200000000000005')).toBe('unionpay');
  expect(brandOf('9999')).toBeNull();
});

it('checks the last digit', () => {
  expect(passesLuhn('79927398713')).toBe(true);
  expect(passesLuhn('79927398710')).toBe(false);
});

it('prints numbers the way cards do', () => {
  expect(printedNumber({ number: '4242424242424242', brand: 'visa' })).toBe('4242 4242 4242 4242');
  expect(printedNumber({ number: '370000000000002', brand: 'amex' })).toBe('3700 000000 00002');
});
