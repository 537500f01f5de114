import type { ReceiptWords } from './receipt-words.ts';
import { ASIAN_WORDS } from './receipt-words-asia.ts';
import { EUROPEAN_WORDS } from './receipt-words-europe.ts';

export const RECEIPT_WORDS = { ...EUROPEAN_WORDS, ...ASIAN_WORDS };

export type LanguageTag = keyof typeof RECEIPT_WORDS;

const isKnown = (tag: string): tag is LanguageTag => Object.hasOwn(RECEIPT_WORDS, tag);

function languageOf(locale: Intl.Locale): string {
  // Both Norwegians are read as Bokmål.
  if (locale.language === 'no' || locale.language === 'nn') return 'nb';
  if (locale.language !== 'zh') return locale.language;
  return locale.maximize().script === 'Hant' ? 'zh-Hant' : 'zh-Hans';
}

export interface ReceiptLanguage {
  tag: LanguageTag;
  /** For numbers and dates: as exact as the order's locale says, so that Austria and Germany may differ. */
  formatLocale: string;
  words: ReceiptWords;
}

const ENGLISH: ReceiptLanguage = { tag: 'en', formatLocale: 'en', words: RECEIPT_WORDS.en };

/** The language of a BCP 47 tag, or English when there is none of ours. */
export function findLanguage(locale: string | null): ReceiptLanguage {
  if (!locale) return ENGLISH;
  try {
    const parsed = new Intl.Locale(locale);
    const tag = languageOf(parsed);
    return isKnown(tag) ? { tag, formatLocale: parsed.baseName, words: RECEIPT_WORDS[tag] } : ENGLISH;
  } catch {
    return ENGLISH;
  }
}
