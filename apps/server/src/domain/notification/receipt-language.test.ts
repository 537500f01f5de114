import { describe, expect, it } from 'vitest';
import { findLanguage, RECEIPT_WORDS } from './receipt-language.ts';

const placeholders = (text: string): string[] => (text.match(/\{\w+\}/g) ?? []).toSorted();

describe.each(Object.entries(RECEIPT_WORDS))('%s', (_, words) => {
  it('says everything that English says, with the same blanks to fill', () => {
    expect(Object.keys(words)).toEqual(Object.keys(RECEIPT_WORDS.en));
    for (const [key, text] of Object.entries(RECEIPT_WORDS.en)) {
      const own = words[key as keyof typeof words];
      expect(own.trim(), key).not.toBe('');
      expect(placeholders(own), key).toEqual(placeholders(text));
    }
  });
});

it.each([
  ['de', 'de', 'de'],
  ['de-AT', 'de', 'de-AT'],
  ['pt-PT', 'pt', 'pt-PT'],
  ['zh', 'zh-Hans', 'zh'],
  ['zh-CN', 'zh-Hans', 'zh-CN'],
  ['zh-TW', 'zh-Hant', 'zh-TW'],
  ['zh-HK', 'zh-Hant', 'zh-HK'],
  ['zh-Hant-CN', 'zh-Hant', 'zh-Hant-CN'],
  ['EN-us', 'en', 'en-US'],
  ['ar-EG-u-nu-latn', 'ar', 'ar-EG'],
  ['nn-NO', 'nb', 'nn-NO'],
  ['no', 'nb', 'no'],
  ['iw', 'he', 'he'],
  ['ms-MY', 'ms', 'ms-MY'],
  ['sw', 'en', 'en'],
  ['constructor', 'en', 'en'],
  ['not a locale', 'en', 'en'],
  ['', 'en', 'en'],
  [null, 'en', 'en'],
])('locale %j is written in %s', (locale, tag, formatLocale) => {
  expect(findLanguage(locale)).toMatchObject({ tag, formatLocale });
});
