import { readdirSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { GLOSSARY, TERM_KEYS, type Term } from './glossary.ts';
import { en } from './languages/en.ts';
import { LANGUAGES, type Language, speak, type TextKey } from './languages.ts';

const holes = (text: string) => (text.match(/\{\w+\}/g) ?? []).toSorted();

describe.each(Object.entries(LANGUAGES))('%s', (language, { texts }) => {
  test('lacks no text and has none too many', () => {
    expect(Object.keys(texts).toSorted()).toEqual(Object.keys(en).toSorted());
    expect(Object.values(texts).filter(text => text.trim() === '')).toEqual([]);
  });

  test('is a translation, not a copy', () => {
    const same = (Object.keys(en) as TextKey[]).filter(key => texts[key] === en[key] && en[key].length > 20);
    expect(texts === en ? [] : same).toEqual([]);
  });

  test('fills the same holes as English', () => {
    for (const key of Object.keys(en) as TextKey[]) expect([key, holes(texts[key])]).toEqual([key, holes(en[key])]);
  });

  test.each(Object.keys(TERM_KEYS) as Term[])('has one word for %s, the glossary’s', term => {
    const word = GLOSSARY[language as Language][term].toLocaleLowerCase(language);
    const others = TERM_KEYS[term].filter(key => !texts[key].toLocaleLowerCase(language).includes(word));
    expect(others.map(key => texts[key])).toEqual([]);
  });
});

test('the thirty languages are there, one file for each', () => {
  expect(Object.keys(LANGUAGES)).toHaveLength(30);
  const files = readdirSync(new URL('./languages', import.meta.url));
  expect(files.toSorted()).toEqual(
    Object.keys(LANGUAGES)
      .map(language => `${language.toLowerCase()}.ts`)
      .toSorted(),
  );
});

test('only Arabic and Hebrew are read from right to left', () => {
  const rtl = Object.entries(LANGUAGES).filter(([, { dir }]) => dir === 'rtl');
  expect(rtl.map(([language]) => language)).toEqual(['ar', 'he']);
});

test('a name in the other direction cannot turn the words around it', () => {
  expect(speak('en')('for_player', { player: 'ليلى' })).toBe('For \u2068ليلى\u2069');
  expect(speak('en')('for_player', { player: '\u202egnp' })).toBe('For \u2068\u202egnp\u2069');
  expect(speak('ar')('back_to_game', { game: 'Tiny' })).toContain('\u2068Tiny\u2069');
});

test('a value that looks like a hole is left as it is', () => {
  expect(speak('en')('back_to_game', { game: '{amount} $& $1' })).toBe('Back to {amount} $& $1');
});
