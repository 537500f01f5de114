import type { DashboardLocale } from '@coinslot/contract';
import { de } from './de.ts';
import { en } from './en.ts';
import type { AccountWords } from './user-mail-words.ts';

/** The languages of the dashboard; its mails are written in the same. */
export const ACCOUNT_LANGUAGES: Readonly<Record<DashboardLocale, AccountWords>> = { en, de };

const isKnown = (locale: string | null): locale is DashboardLocale =>
  locale !== null && Object.hasOwn(ACCOUNT_LANGUAGES, locale);

/** The language that the user chose, else the one in which the dashboard was shown. */
export const mailLanguage = (chosen: string | null, shown: DashboardLocale): DashboardLocale =>
  isKnown(chosen) ? chosen : shown;
