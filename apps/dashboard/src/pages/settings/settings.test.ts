import type { DashboardMethod, GrantRules } from '@coinslot/contract';
import { beforeAll, describe, expect, test } from 'vitest';
import { isColor } from '../../kit/forms.ts';
import { setLanguage } from '../../texts/texts.ts';
import { changeText } from './audit-change.ts';
import { grantRulesForm, grantRulesInput, isGrantRulesFormValid, isListed } from './grant-rules-form.ts';
import { countriesOf, currenciesOf, findMethods, type MethodSearch } from './methods/find-methods.ts';
import { countriesText, currenciesText, limitText, traitsText } from './methods/method-text.ts';

beforeAll(() => setLanguage('en'));

describe('an accent', () => {
  test.each([
    ['#F2A900', true],
    ['#fff', false],
    ['f2a900', false],
    ['#f2a90g', false],
    ['', false],
  ])('%j is a color: %s', (text, isOne) => {
    expect(isColor(text)).toBe(isOne);
  });
});

describe('the search for methods', () => {
  const method = (id: string, name: string, countries: string[] | null, currencies: string[] | null) =>
    ({ id, name, countries, currencies }) as DashboardMethod;
  const all = [
    method('card', 'Card', null, null),
    method('ideal', 'iDEAL', ['NL'], ['EUR']),
    method('p24', 'Przelewy24', ['PL'], ['PLN', 'EUR']),
  ];
  const found = (search: Partial<MethodSearch>): string[] =>
    findMethods(all, { text: '', country: '', currency: '', ...search }).map(({ id }) => id);

  test('finds by name, country and currency; what has no limit is everywhere', () => {
    expect(found({})).toEqual(['card', 'ideal', 'p24']);
    expect(found({ text: ' IDÉAL ' })).toEqual(['ideal']);
    expect(found({ country: 'PL' })).toEqual(['card', 'p24']);
    expect(found({ currency: 'EUR' })).toEqual(['card', 'ideal', 'p24']);
    expect(found({ currency: 'PLN', country: 'NL' })).toEqual(['card']);
    expect(found({ text: 'nothing' })).toEqual([]);
  });

  test('offers the countries and currencies that occur, by name', () => {
    expect(countriesOf(all)).toEqual([
      { code: 'NL', name: 'Netherlands' },
      { code: 'PL', name: 'Poland' },
    ]);
    expect(currenciesOf(all)).toEqual(['EUR', 'PLN']);
  });
});

describe('the form of the grant rules', () => {
  const rules = (release: number | null, price: { price_decimal: number; currency: string } | null): GrantRules => ({
    release_grant_after_seconds: release,
    default_price: price,
  });

  test('comes back as it was saved', () => {
    const saved = rules(900, { price_decimal: 1.5, currency: 'EUR' });
    expect(grantRulesInput(grantRulesForm(saved), 'sandbox')).toEqual(saved);
  });

  test('without a value stands for the default', () => {
    const form = grantRulesForm(rules(null, null));
    expect(form).toEqual({ releaseSeconds: '', price: '', currency: 'USD' });
    expect(grantRulesInput(form, 'live')).toEqual({ release_grant_after_seconds: null });
  });

  test('has a price only in the sandbox, and needs it there', () => {
    const form = { releaseSeconds: '300', price: '2', currency: 'USD' };
    expect(grantRulesInput(form, 'live')).not.toHaveProperty('default_price');
    expect(isGrantRulesFormValid({ ...form, price: 'x' }, 'live')).toBe(true);
    expect(isGrantRulesFormValid({ ...form, price: 'x' }, 'sandbox')).toBe(false);
    expect(isGrantRulesFormValid(form, 'sandbox')).toBe(true);
  });

  test('shows a time that the list does not offer', () => {
    expect(isListed('')).toBe(true);
    expect(isListed('300')).toBe(true);
    expect(isListed('301')).toBe(false);
  });
});

describe('a payment method', () => {
  test('names a few countries and counts the rest', () => {
    expect(countriesText(null)).toBe('No country limit');
    expect(countriesText(['DE', 'AT'])).toBe('Germany, Austria');
    expect(countriesText(['DE', 'AT', 'CH', 'FR', 'IT', 'ES', 'PT', 'BE'])).toMatch(/, Spain and 2 more$/);
    expect(currenciesText(null)).toBe('any currency');
    expect(currenciesText(['EUR'])).toBe('EUR');
    expect(currenciesText([])).toBe('');
    expect(currenciesText(Array.from({ length: 137 }, (_, at) => `C${at}`))).toBe('137 currencies');
  });

  test.each([
    [{ currency: 'USD', min: 50, max: 10_000 }, '$0.50 – $100.00'],
    [{ currency: 'JPY', min: null, max: 30_000 }, 'up to ¥30,000'],
    [{ currency: 'USD', min: 100, max: null }, 'from $1.00'],
    [{ currency: 'USD', min: null, max: null }, ''],
  ])('with limits %j says %j', (limit, text) => {
    expect(limitText(limit)).toBe(text);
  });

  test('says when the money is captured and what is not possible', () => {
    const limits = [{ currency: 'USD', min: null, max: null }];
    expect(traitsText({ can_reserve: true, takes: 'at_once', can_refund: true, can_save: true, limits })).toBe(
      'Captured after the grant · Instant · Can be saved',
    );
    expect(traitsText({ can_reserve: false, takes: 'days', can_refund: false, can_save: false, limits: [] })).toBe(
      'Captured before the grant · Takes days · No refunds',
    );
  });
});

test('an audit entry says which way it was changed, and of a new thing what it is', () => {
  expect(changeText({ before: { role: 'viewer', email: 'a@b' }, after: { role: 'owner', email: 'a@b' } })).toBe(
    'role: viewer → owner',
  );
  expect(changeText({ before: null, after: { email: 'new@example.com' } })).toBe('e-mail: new@example.com');
  expect(changeText({ before: { reply_to: 'a@b' }, after: { reply_to: null } })).toBe('reply-to address: a@b → –');
  expect(changeText({ before: null, after: { something_new: 'x' } })).toBe('something new: x');
  expect(changeText({ before: null, after: null })).toBe('');
  expect(changeText({ before: null, after: { a: 1, b: 2, c: 3, d: 4 } })).toBe('a: 1, b: 2, c: 3, …');
});
