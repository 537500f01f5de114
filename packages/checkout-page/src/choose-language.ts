import { playerLanguageOf } from '@coinslot/texts/players';
import type { Language } from './languages.ts';

export interface LanguageWishes {
  /** The language selected on the page: `lang` in its URL. */
  chosen: string | null;
  /** The order's locale. */
  locale: string | null;
  acceptLanguage: string | null;
}

export interface ChosenLanguage {
  language: Language;
  /** The tag that decided, with its region, because "es-MX" formats numbers differently from "es". */
  tag: string;
}

/** The player's selection first, then the order's locale, then the browser's languages in order, then English. */
export function chooseLanguage({ chosen, locale, acceptLanguage }: LanguageWishes): ChosenLanguage {
  for (const tag of [chosen ?? '', locale ?? '', ...wishes(acceptLanguage ?? '')]) {
    const language = playerLanguageOf(tag);
    if (language) return { language, tag };
  }
  return { language: 'en', tag: 'en' };
}

function wishes(acceptLanguage: string): string[] {
  return acceptLanguage
    .slice(0, 500)
    .split(',')
    .map(part => {
      const [tag = '', ...parameters] = part.split(';').map(one => one.trim());
      const quality = parameters.find(parameter => /^q=/i.test(parameter))?.slice(2) ?? '1';
      return { tag, quality: /^(?:0(?:\.\d{0,3})?|1(?:\.0{0,3})?)$/.test(quality) ? Number(quality) : 0 };
    })
    .filter(wish => wish.quality > 0)
    .toSorted((a, b) => b.quality - a.quality)
    .map(wish => wish.tag);
}
