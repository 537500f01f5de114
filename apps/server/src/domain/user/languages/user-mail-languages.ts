import type { DashboardLocale } from '@coinslot/contract';
import { de } from './de.ts';
import { en } from './en.ts';
import type { AccountWords } from './user-mail-words.ts';

/** The languages of the dashboard: who reads it in one gets mails in the same. */
export const ACCOUNT_LANGUAGES: Readonly<Record<DashboardLocale, AccountWords>> = { en, de };

const isKnown = (locale: string | null): locale is DashboardLocale =>
  locale !== null && Object.hasOwn(ACCOUNT_LANGUAGES, locale);

/** What a user has chosen, else what the dashboard spoke when it was asked for. */
export const mailLanguage = (kept: string | null, spoken: DashboardLocale): DashboardLocale =>
  isKnown(kept) ? kept : spoken;
