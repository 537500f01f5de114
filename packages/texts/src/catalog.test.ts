import { expect, test } from 'vitest';
import { catalog } from './catalog.ts';

const en = {
  greeting: 'Hello {name}',
  plain: 'Good day',
  days_one: '{count} day left',
  days_other: '{count} days left',
} as const;
const de = {
  greeting: 'Hallo {name}',
  plain: 'Guten Tag',
  days_one: 'Noch {count} Tag',
  days_other: 'Noch {count} Tage',
};
const texts = catalog({ en, de });

test('a text is said in the language that is asked for, and in English where there is none', () => {
  expect(texts.text('de', 'greeting', { name: 'Ada' })).toBe('Hallo Ada');
  expect(texts.text('fr', 'plain')).toBe('Good day');
  expect(texts.text(null, 'plain')).toBe('Good day');
  expect(texts.text('constructor', 'plain')).toBe('Good day');
  expect(texts.in('de')('plain')).toBe('Guten Tag');
});

test('a number decides the form of a text', () => {
  expect([1, 2].map(count => texts.text('en', 'days', { count }))).toEqual(['1 day left', '2 days left']);
  expect([1, 2].map(count => texts.text('de', 'days', { count }))).toEqual(['Noch 1 Tag', 'Noch 2 Tage']);
});

test('a value that looks like a placeholder or a pattern stays as it is', () => {
  expect(texts.text('en', 'greeting', { name: '{name} $& $1' })).toBe('Hello {name} $& $1');
});

test('a text can be said in every language at once, with values of each', () => {
  expect(texts.each('greeting', { name: { en: 'world', de: 'Welt' } })).toEqual({
    en: 'Hello world',
    de: 'Hallo Welt',
  });
});

test('the compiler asks for every placeholder and for keys that exist', () => {
  // @ts-expect-error a value is missing
  expect(texts.text('en', 'greeting')).toBe('Hello {name}');
  // @ts-expect-error another name than the placeholder's
  expect(texts.text('en', 'greeting', { nam: 'Ada' })).toBe('Hello {name}');
  // @ts-expect-error no such text
  expect(texts.text('en', 'farewell')).toBe('farewell');
  // @ts-expect-error German lacks a text
  catalog({ en, de: { greeting: 'Hallo {name}' } });
});
