export const LANGUAGES = { en: 'English', de: 'Deutsch' } as const;
export type LanguageCode = keyof typeof LANGUAGES;

export const KEPT_LANGUAGE = 'coinslot.language';

const isLanguage = (text: string | null | undefined): text is LanguageCode => text === 'en' || text === 'de';

/** The reader's choice, else the first of the browser's languages that we have. */
export function chooseLanguage(kept: string | null, wanted: readonly string[]): LanguageCode {
  if (isLanguage(kept)) return kept;
  return wanted.map(tag => tag.slice(0, 2).toLowerCase()).find(isLanguage) ?? 'en';
}

/** What the reader chose in this browser, or what it asks for. */
export function ownLanguage(): LanguageCode {
  let kept: string | null = null;
  try {
    kept = localStorage.getItem(KEPT_LANGUAGE);
  } catch {}
  return chooseLanguage(kept, navigator.languages);
}
