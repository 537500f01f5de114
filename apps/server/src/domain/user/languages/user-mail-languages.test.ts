import { DASHBOARD_LOCALES } from '@coinslot/contract';
import { describe, expect, it } from 'vitest';
import { ACCOUNT_LANGUAGES, mailLanguage } from './user-mail-languages.ts';
import type { AccountMailKind } from './user-mail-words.ts';

const placeholders = (text: string): string[] => (text.match(/\{\w+\}/g) ?? []).toSorted();
const { en } = ACCOUNT_LANGUAGES;

describe.each(DASHBOARD_LOCALES)('%s', language => {
  it('says everything that English says, with the same blanks to fill', () => {
    const { roles, mails } = ACCOUNT_LANGUAGES[language];
    expect(Object.keys(roles)).toEqual(Object.keys(en.roles));
    expect(Object.keys(mails)).toEqual(Object.keys(en.mails));
    for (const [kind, words] of Object.entries(en.mails)) {
      const own = mails[kind as AccountMailKind];
      expect(Object.keys(own), kind).toEqual(Object.keys(words));
      expect(placeholders(Object.values(own).join(' ')), kind).toEqual(placeholders(Object.values(words).join(' ')));
    }
  });
});

it('the language that a user chose is above that of the browser', () => {
  expect(mailLanguage('de', 'en')).toBe('de');
  expect(mailLanguage(null, 'de')).toBe('de');
  expect(mailLanguage('constructor', 'en')).toBe('en');
});
