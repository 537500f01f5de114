import { de } from './languages/de.ts';
import { en, type Texts } from './languages/en.ts';

export type TextKey = keyof Texts;

interface Catalogue {
  dir: 'ltr' | 'rtl';
  texts: Texts;
}

export const LANGUAGES = {
  en: { dir: 'ltr', texts: en },
  de: { dir: 'ltr', texts: de },
} as const satisfies Record<string, Catalogue>;

export type Language = keyof typeof LANGUAGES;

export type Say = (key: TextKey, values?: Record<string, string>) => string;

export function speak(language: Language): Say {
  const { texts } = LANGUAGES[language];
  // One pass, so a value that itself holds "{game}" stays as it is.
  return (key, values = {}) => texts[key].replace(/\{(\w+)\}/g, (hole, name: string) => values[name] ?? hole);
}

/** The order's locale wins, then the browser's wishes in their order, then English. */
export function chooseLanguage(locale: string | null, acceptLanguage: string | null): Language {
  for (const tag of [locale ?? '', ...wishes(acceptLanguage ?? '')]) {
    const language = tag.toLowerCase().split(/[-_]/)[0]!;
    if (Object.hasOwn(LANGUAGES, language)) return language as Language;
  }
  return 'en';
}

function wishes(acceptLanguage: string): string[] {
  return acceptLanguage
    .slice(0, 500)
    .split(',')
    .map(part => {
      const [tag = '', quality = 'q=1'] = part.trim().split(/\s*;\s*/);
      return { tag, quality: Number(quality.replace(/^q=/, '')) || 0 };
    })
    .filter(wish => wish.quality > 0)
    .toSorted((a, b) => b.quality - a.quality)
    .map(wish => wish.tag);
}
