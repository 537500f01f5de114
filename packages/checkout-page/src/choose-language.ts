import { playerLanguageOf } from '@coinslot/texts/players';
import type { Language } from './languages.ts';

export interface LanguagePreferences {
  /** The language selected on the page: `lang` in its URL. */
  chosen: string | null;
  /** The order's locale. */
  locale: string | null;
  acceptLanguage: string | null;
}

export interface ChosenLanguage {
  language: Language;
  /** The tag that decided, with its region, because "es-MX" and "es" format numbers differently. */
  tag: string;
}

/** The player's selection comes first, then the order's locale, then the browser's languages, then English. */
export function chooseLanguage({ chosen, locale, acceptLanguage }: LanguagePreferences): ChosenLanguage {
  for (const tag of [chosen ?? '', locale ?? '', ...acceptedTags(acceptLanguage ?? '')]) {
    const language = playerLanguageOf(tag);
    if (language) return { language, tag };
  }
  return { language: 'en', tag: 'en' };
}

function acceptedTags(acceptLanguage: string): string[] {
  return acceptLanguage
    .slice(0, 500)
    .split(',')
    .map(part => {
      const [tag = '', ...parameters] = part.split(';').map(one => one.trim());
      const quality = parameters.find(parameter => /^q=/i.test(parameter))?.slice(2) ?? '1';
      return { tag, quality: /^(?:0(?:\.\d{0,3})?|1(?:\.0{0,3})?)$/.test(quality) ? Number(quality) : 0 };
    })
    .filter(one => one.quality > 0)
    .toSorted((a, b) => b.quality - a.quality)
    .map(one => one.tag);
}
