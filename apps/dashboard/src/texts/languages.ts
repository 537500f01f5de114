export const LANGUAGES = { en: 'English', de: 'Deutsch' } as const;
export type LanguageCode = keyof typeof LANGUAGES;

export const LANGUAGE_STORAGE_KEY = 'coinslot.language';

const isLanguage = (text: string | null | undefined): text is LanguageCode => text === 'en' || text === 'de';

/** Uses the member's choice, or the first of the browser's languages that the dashboard has. */
export function chooseLanguage(kept: string | null, wanted: readonly string[]): LanguageCode {
  if (isLanguage(kept)) return kept;
  return wanted.map(tag => tag.slice(0, 2).toLowerCase()).find(isLanguage) ?? 'en';
}

export function preferredLanguage(): LanguageCode {
  let kept: string | null = null;
  try {
    kept = localStorage.getItem(LANGUAGE_STORAGE_KEY);
  } catch {}
  return chooseLanguage(kept, navigator.languages);
}
