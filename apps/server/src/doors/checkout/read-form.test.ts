import { FIELDS, fieldProblem } from '@coinslot/checkout-page';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { readClaimForm, readPayForm } from './read-form.ts';

const now = new Date('2026-05-04T12:00:00Z');
const good = {
  email: ' mika@example.com ',
  card_number: '4242 4242 4242 4242',
  card_expiry: '04 / 29',
  card_cvc: '123',
  postal_code: '10115',
};

test('a good form gives the address and the card', () => {
  expect(readPayForm(good, now)).toEqual({
    email: 'mika@example.com',
    card: { number: '4242424242424242', expiryMonth: 4, expiryYear: 2029, cvc: '123', postalCode: '10115' },
  });
});

test.each([undefined, null, 'text', [], {}, { email: ['a', 'b'], card_number: { a: 1 } }, { __proto__: good }])(
  'a body that is no form (%j) has every field missing',
  body => {
    expect(readPayForm(body, now)).toEqual({
      email: '',
      fieldErrors: {
        email: 'email_required',
        card_number: 'card_number_required',
        card_expiry: 'card_expiry_required',
        card_cvc: 'card_cvc_required',
        postal_code: 'postal_code_required',
      },
      kept: {},
    });
  },
);

test.each([
  ['email', 'mika@', 'email_invalid'],
  ['email', 'a@b.c\r\nBcc: x@y.z', 'email_invalid'],
  ['email', `${'a'.repeat(250)}@b.example`, 'email_invalid'],
  ['email', ',@b.example', 'email_invalid'],
  ['email', 'a@b.example<c>', 'email_invalid'],
  ['email', 'a@b..example', 'email_invalid'],
  ['card_number', '4242 4242 4242 4241', 'card_number_invalid'],
  ['card_expiry', '13/29', 'card_expiry_invalid'],
  ['card_expiry', '04/26', 'card_expiry_past'],
  ['card_cvc', '12', 'card_cvc_invalid'],
  ['postal_code', 'x'.repeat(20), 'postal_code_invalid'],
])('%s %j is answered with %s beside the field', (field, value, error) => {
  const read = readPayForm({ ...good, [field]: value }, now);
  expect(read).toMatchObject({ fieldErrors: { [field]: error } });
});

test('a refused form keeps nothing of the card', () => {
  expect(JSON.stringify(readPayForm({ ...good, email: '' }, now))).not.toContain('4242');
});

test('a claim needs no address, but a given one must be one', () => {
  expect(readClaimForm({})).toEqual({ email: null });
  expect(readClaimForm({ email: 'mika@example.com' })).toEqual({ email: 'mika@example.com' });
  expect(readClaimForm({ email: 'mika' })).toEqual({ email: 'mika', fieldErrors: { email: 'email_invalid' } });
});

test('in sandbox a number that is no test card goes to the provider, which declines it', () => {
  const mistyped = { ...good, card_number: '4242 4242 4242 4241' };
  expect(readPayForm(mistyped, now, true)).toMatchObject({ card: { number: '4242424242424241' } });
});

const near = (...values: string[]) => fc.oneof(fc.constantFrom(...values), fc.string({ maxLength: 24 }));
const anyForm = fc.record({
  email: near(good.email, 'a.b+c@x.y.z', 'ü@bücher.example', 'a@b', ' a@b.c '),
  card_number: near(good.card_number, '4242-4242-4242-4242', '370000000000002', '123456789012', ' 4242 '),
  card_expiry: near('04/29', '4/2029', '0429', '05.26', '4-99', '13/30', '05/2126', '06/2126'),
  card_cvc: near('123', '1234', '12', ' 123 '),
  postal_code: near('10115', 'SW1A 1AA', 'x'.repeat(16), 'x'.repeat(17)),
});

test('what the server takes, the script in the page never holds back', () => {
  fc.assert(
    fc.property(anyForm, fc.boolean(), (form, sandbox) => {
      if ('fieldErrors' in readPayForm(form, now, sandbox)) return;
      const held = FIELDS.filter(field => fieldProblem(field, form, { now, sandbox }) !== null);
      expect([form, held]).toEqual([form, []]);
    }),
    { numRuns: 3000 },
  );
});

test('what comes back with a wrong field is the expiry and the postal code, never the number, wherever it was typed', () => {
  const form = { email: 'mika@', card_number: '4242 4242 4242 4242', card_cvc: '987', postal_code: '10115' };
  expect(readPayForm({ ...form, card_expiry: '12 / 40' }, now)).toMatchObject({
    kept: { card_expiry: '12 / 40', postal_code: '10115' },
  });
  const odd = readPayForm({ ...form, card_expiry: '4242424242424242', postal_code: '4242424242424242' }, now);
  expect(odd).toMatchObject({ kept: {} });
  expect(JSON.stringify(odd)).not.toMatch(/4242|987/);
});
