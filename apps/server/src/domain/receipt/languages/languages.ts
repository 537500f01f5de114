import { ar } from './ar.ts';
import { de } from './de.ts';
import { en } from './en.ts';
import { es } from './es.ts';
import { fr } from './fr.ts';
import { hi } from './hi.ts';
import { id } from './id.ts';
import { it } from './it.ts';
import { ja } from './ja.ts';
import { ko } from './ko.ts';
import { pl } from './pl.ts';
import { ptBr } from './pt-br.ts';
import type { ReceiptWords } from './receipt-words.ts';
import { ru } from './ru.ts';
import { th } from './th.ts';
import { tr } from './tr.ts';
import { uk } from './uk.ts';
import { vi } from './vi.ts';
import { zhHans } from './zh-hans.ts';
import { zhHant } from './zh-hant.ts';

export const LANGUAGES = {
  en,
  de,
  fr,
  es,
  pt: ptBr,
  it,
  pl,
  tr,
  uk,
  ru,
  ja,
  ko,
  'zh-Hans': zhHans,
  'zh-Hant': zhHant,
  id,
  vi,
  th,
  hi,
  ar,
} as const satisfies Record<string, ReceiptWords>;

export type LanguageTag = keyof typeof LANGUAGES;

const isKnown = (tag: string): tag is LanguageTag => Object.hasOwn(LANGUAGES, tag);

function languageOf(locale: Intl.Locale): string {
  if (locale.language !== 'zh') return locale.language;
  return locale.maximize().script === 'Hant' ? 'zh-Hant' : 'zh-Hans';
}

export interface ReceiptLanguage {
  tag: LanguageTag;
  /** For numbers and dates: as exact as the order's locale says, so that Austria and Germany may differ. */
  formatLocale: string;
  words: ReceiptWords;
}

const ENGLISH: ReceiptLanguage = { tag: 'en', formatLocale: 'en', words: en };

/** The language of a BCP 47 tag, or English when there is none of ours. */
export function findLanguage(locale: string | null): ReceiptLanguage {
  if (!locale) return ENGLISH;
  try {
    const parsed = new Intl.Locale(locale);
    const tag = languageOf(parsed);
    return isKnown(tag) ? { tag, formatLocale: parsed.baseName, words: LANGUAGES[tag] } : ENGLISH;
  } catch {
    return ENGLISH;
  }
}
