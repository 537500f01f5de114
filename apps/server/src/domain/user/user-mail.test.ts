import { DASHBOARD_LOCALES } from '@coinslot/contract';
import { mails } from '@coinslot/texts/mails';
import { expect, it } from 'vitest';
import { mailLanguage } from './user-mail.ts';

it('the mails speak every language of the dashboard, and no other', () => {
  expect(Object.keys(mails.languages).toSorted()).toEqual([...DASHBOARD_LOCALES].toSorted());
});

it('the language that a user chose is above that of the browser', () => {
  expect(mailLanguage('de', 'en')).toBe('de');
  expect(mailLanguage(null, 'de')).toBe('de');
  expect(mailLanguage('constructor', 'en')).toBe('en');
});
