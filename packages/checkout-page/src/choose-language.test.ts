import { expect, test } from 'vitest';
import { chooseLanguage } from './choose-language.ts';

test.each([
  ['de-AT', 'en', 'de'],
  ['DE_ch', null, 'de'],
  [null, 'sw-KE, de;q=0.5, en;q=0.7', 'en'],
  [null, 'sv-SE, de;q=0.5, en;q=0.7', 'sv'],
  [null, 'fr-FR, de;q=0.5, en;q=0.7', 'fr'],
  [null, 'de;q=0, en;q=0.1', 'en'],
  [null, 'de; q=0.2, ja ;q=0.9', 'ja'],
  [null, 'de;level=1;q=0.1, it;q=0.2', 'it'],
  [null, 'de;q=7, it;q=0.2', 'it'],
  [null, '*', 'en'],
  ['xx', 'de', 'de'],
  ['nb-NO', null, 'nb'],
  ['nn-NO', null, 'nb'],
  ['no', null, 'nb'],
  [null, null, 'en'],
  ['constructor', '__proto__, toString', 'en'],
  [null, ';;,,q=;de;q=x', 'en'],
])('locale %j and preferences %j get %s', (locale, acceptLanguage, language) => {
  expect(chooseLanguage({ chosen: null, locale, acceptLanguage }).language).toBe(language);
});

test('the player’s selection wins, and an unknown language is ignored', () => {
  const preferences = { locale: 'de', acceptLanguage: 'fr' };
  expect(chooseLanguage({ ...preferences, chosen: 'ja' })).toEqual({ language: 'ja', tag: 'ja' });
  expect(chooseLanguage({ ...preferences, chosen: '"><script>' })).toEqual({ language: 'de', tag: 'de' });
});

test('the tag that decided keeps its region', () => {
  expect(chooseLanguage({ chosen: null, locale: null, acceptLanguage: 'es-MX' })).toEqual({
    language: 'es',
    tag: 'es-MX',
  });
});
