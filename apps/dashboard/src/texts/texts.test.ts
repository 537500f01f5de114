import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import german from './de.json' with { type: 'json' };
import english from './en.json' with { type: 'json' };
import { chooseLanguage } from './languages.ts';
import { fill } from './texts.ts';

const SOURCE = fileURLToPath(new URL('..', import.meta.url));
const files = readdirSync(SOURCE, { recursive: true, encoding: 'utf8' }).filter(name =>
  /(?<!\.test)\.tsx?$/.test(name),
);
const code = files.map(name => readFileSync(join(SOURCE, name), 'utf8')).join('\n');

const texts: Record<string, Record<string, string>> = { english, german };
const placeholders = (text: string): string[] => [...text.matchAll(/\{\w+\}/g)].map(([name]) => name).toSorted();

describe('every text', () => {
  test('is there in both languages', () => {
    expect(Object.keys(german)).toEqual(Object.keys(english));
  });

  test('is not empty and names the same things in both', () => {
    for (const [key, text] of Object.entries(english)) {
      const other = (german as Record<string, string>)[key] ?? '';
      expect(other, key).not.toBe('');
      expect(placeholders(other), key).toEqual(placeholders(text));
    }
  });

  test('is used, by its name or by the beginning of it', () => {
    const unused = Object.keys(english).filter(key => {
      const stem = key.replace(/_(?:one|other)$/, '');
      const starts = stem.split('.').map((_, at, parts) => `${parts.slice(0, at).join('.')}.$`);
      return !code.includes(`'${stem}'`) && !starts.some(start => start !== '.$' && code.includes(`\`${start}`));
    });
    expect(unused).toEqual([]);
  });

  test.each(Object.keys(texts))('of %s has no form without the other', language => {
    const keys = Object.keys(texts[language]!);
    const halves = keys.filter(key => key.endsWith('_one') && !keys.includes(key.replace(/_one$/, '_other')));
    expect(halves).toEqual([]);
  });
});

/** Words that make a reader stumble, and words that mean something else in payments. */
const AVOIDED = {
  english:
    /colour|behaviour|catalogue|cancelled|favour|authoris|fulfil\b|whoever|nobody|somebody|everybody|\btill\b|^empty:|payment page|\bcollect|\bheld\b|tak(?:e|en) back|\bstory\b/i,
  german: /verhalten|kasse|\bleer:|niemand|jemand|unterschreib|geheimnis|rückruf|vergabe|zurücknehm|zahlungsseite/i,
} as const;

describe('the words', () => {
  test.each(['english', 'german'] as const)('of every %s text are the ones we agreed on', language => {
    const odd = Object.entries(texts[language]!).filter(([, text]) => AVOIDED[language].test(text));
    expect(odd).toEqual([]);
  });
});

describe('a text with a number', () => {
  const rules = new Intl.PluralRules('en');
  const some = { rows_one: '{count} row', rows_other: '{count} rows', plain: 'Hello {name}' };

  test('takes the form of the language', () => {
    expect(fill(some, rules, 'rows', { count: 1 })).toBe('1 row');
    expect(fill(some, rules, 'rows', { count: 0 })).toBe('0 rows');
  });

  test('leaves alone what it has no value for', () => {
    expect(fill(some, rules, 'plain', {})).toBe('Hello {name}');
  });
});

describe('the language', () => {
  test('is the one that was chosen, else the first that the browser wants and we have', () => {
    expect(chooseLanguage('de', ['en-US'])).toBe('de');
    expect(chooseLanguage(null, ['fr-FR', 'de-AT', 'en'])).toBe('de');
    expect(chooseLanguage('xx', ['fr'])).toBe('en');
  });
});
