import { expect, test } from 'vitest';
import { brandOf, fieldProblem } from './field-rules.js';

const rules = { now: new Date('2026-05-04T12:00:00Z'), sandbox: false };
const good = {
  email: 'mika@example.com',
  card_number: '4242 4242 4242 4242',
  card_expiry: '04 / 29',
  card_cvc: '123',
  postal_code: '10115',
};

test('a good form has no problem', () => {
  for (const field of Object.keys(good)) expect([field, fieldProblem(field, good, rules)]).toEqual([field, null]);
});

test.each([
  ['email', '', 'email_required'],
  ['email', 'mika@', 'email_invalid'],
  ['card_number', ' ', 'card_number_required'],
  ['card_number', '4242 4242 4242', 'card_number_invalid'],
  ['card_number', '4242 4242 4242 4241', 'card_number_invalid'],
  ['card_number', 'mika', 'card_number_invalid'],
  ['card_expiry', '13/29', 'card_expiry_invalid'],
  ['card_expiry', '04/26', 'card_expiry_past'],
  ['card_expiry', '05/26', null],
  ['card_expiry', '0527', null],
  ['card_cvc', '12', 'card_cvc_invalid'],
  ['card_cvc', '1234', 'card_cvc_invalid'],
  ['postal_code', 'x'.repeat(17), 'postal_code_invalid'],
])('%s %j is %s', (field, value, problem) => {
  expect(fieldProblem(field, { ...good, [field]: value }, rules)).toBe(problem);
});

test('four digits on American Express, three elsewhere', () => {
  const amex = { ...good, card_number: '3700 0000 0000 002' };
  expect(fieldProblem('card_cvc', amex, rules)).toBe('card_cvc_invalid');
  expect(fieldProblem('card_cvc', { ...amex, card_cvc: '1234' }, rules)).toBeNull();
});

test('sandbox leaves a mistyped number to the provider, and an address that is not needed may stay empty', () => {
  const mistyped = { ...good, card_number: '4242 4242 4242 4241' };
  expect(fieldProblem('card_number', mistyped, { ...rules, sandbox: true })).toBeNull();
  expect(fieldProblem('email', { email: '' }, { ...rules, optional: true })).toBeNull();
});

test.each([
  ['4', 'Visa'],
  ['51', 'Mastercard'],
  ['2221', 'Mastercard'],
  ['37', 'Amex'],
  ['6011', 'Discover'],
  ['3530', 'JCB'],
  ['36', 'Diners Club'],
  ['62', 'UnionPay'],
  ['9', undefined],
  ['', undefined],
])('%j begins like %s', (number, name) => {
  expect(brandOf(number)?.name).toBe(name);
});
