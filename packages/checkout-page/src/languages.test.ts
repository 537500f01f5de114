import { describe, expect, test } from 'vitest';
import { en } from './languages/en.ts';
import { chooseLanguage, LANGUAGES, speak, type TextKey } from './languages.ts';

const holes = (text: string) => (text.match(/\{\w+\}/g) ?? []).toSorted();

describe.each(Object.entries(LANGUAGES))('%s', (_language, { texts }) => {
  test('lacks no text and has none too many', () => {
    expect(Object.keys(texts).toSorted()).toEqual(Object.keys(en).toSorted());
    expect(Object.values(texts).filter(text => text.trim() === '')).toEqual([]);
  });

  test('fills the same holes as English', () => {
    for (const key of Object.keys(en) as TextKey[]) expect([key, holes(texts[key])]).toEqual([key, holes(en[key])]);
  });
});

test('a value that looks like a hole is left as it is', () => {
  expect(speak('en')('back_to_game', { game: '{amount} $& $1' })).toBe('Back to {amount} $& $1');
});

test.each([
  ['de-AT', 'en', 'de'],
  ['DE_ch', null, 'de'],
  [null, 'fr-FR, de;q=0.5, en;q=0.7', 'en'],
  [null, 'de;q=0, en;q=0.1', 'en'],
  ['xx', 'de', 'de'],
  [null, null, 'en'],
  ['constructor', '__proto__, toString', 'en'],
  [null, ';;,,q=;de;q=x', 'en'],
])('locale %j and wishes %j get %s', (locale, wishes, language) => {
  expect(chooseLanguage(locale, wishes)).toBe(language);
});
