import { LANGUAGES, type Language } from './languages.ts';

export interface LanguageWishes {
  /** What the player picked on the page: the `lang` of its address. */
  chosen: string | null;
  /** The order's own. */
  locale: string | null;
  acceptLanguage: string | null;
}

export interface ChosenLanguage {
  language: Language;
  /** The tag that decided, with its region: "es-MX" writes numbers unlike "es". */
  tag: string;
}

/** What the player picked wins, then the order's locale, then the browser's wishes in their order, then English. */
export function chooseLanguage({ chosen, locale, acceptLanguage }: LanguageWishes): ChosenLanguage {
  for (const tag of [chosen ?? '', locale ?? '', ...wishes(acceptLanguage ?? '')]) {
    const language = languageOf(tag);
    if (language) return { language, tag };
  }
  return { language: 'en', tag: 'en' };
}

/** The page's language for a tag such as "de-AT" or "zh_TW", or null when it speaks none that fits. */
export function languageOf(tag: string): Language | null {
  const [primary = '', ...rest] = tag.toLowerCase().split(/[-_]/);
  if (primary === 'zh') return isTraditional(rest) ? 'zh-Hant' : 'zh-Hans';
  if (primary === 'pt') return 'pt-BR';
  return Object.hasOwn(LANGUAGES, primary) ? (primary as Language) : null;
}

/** A script that is named decides; without one the places that write Traditional Chinese do. */
function isTraditional(subtags: string[]): boolean {
  if (subtags.includes('hans')) return false;
  return ['hant', 'tw', 'hk', 'mo'].some(subtag => subtags.includes(subtag));
}

function wishes(acceptLanguage: string): string[] {
  return acceptLanguage
    .slice(0, 500)
    .split(',')
    .map(part => {
      const [tag = '', ...parameters] = part.trim().split(/\s*;\s*/);
      const quality = parameters.find(parameter => /^q=/i.test(parameter))?.slice(2) ?? '1';
      return { tag, quality: /^(?:0(?:\.\d{0,3})?|1(?:\.0{0,3})?)$/.test(quality) ? Number(quality) : 0 };
    })
    .filter(wish => wish.quality > 0)
    .toSorted((a, b) => b.quality - a.quality)
    .map(wish => wish.tag);
}
