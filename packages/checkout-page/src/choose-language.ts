import { LANGUAGES, type Language } from './languages.ts';

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
    const language = languageOf(tag);
    if (language) return { language, tag };
  }
  return { language: 'en', tag: 'en' };
}

/** What browsers and systems also call them: both Norwegians are read as Bokmål, and old Android says `iw` and `in`. */
const SAME_LANGUAGE: Record<string, Language | undefined> = { no: 'nb', nn: 'nb', iw: 'he', in: 'id' };

/** The page's language for a tag such as "de-AT" or "zh_TW", or null when it is not supported. */
export function languageOf(tag: string): Language | null {
  const [primary = '', ...rest] = tag.toLowerCase().split(/[-_]/);
  if (primary === 'zh') return isTraditional(rest) ? 'zh-Hant' : 'zh-Hans';
  if (primary === 'pt') return 'pt-BR';
  const language = SAME_LANGUAGE[primary] ?? primary;
  return Object.hasOwn(LANGUAGES, language) ? (language as Language) : null;
}

/** An explicit script decides; otherwise the regions that use Traditional Chinese do. */
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
