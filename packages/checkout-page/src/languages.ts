import { ar } from './languages/ar.ts';
import { cs } from './languages/cs.ts';
import { da } from './languages/da.ts';
import { de } from './languages/de.ts';
import { el } from './languages/el.ts';
import { en, type Texts } from './languages/en.ts';
import { es } from './languages/es.ts';
import { fi } from './languages/fi.ts';
import { fr } from './languages/fr.ts';
import { he } from './languages/he.ts';
import { hi } from './languages/hi.ts';
import { hu } from './languages/hu.ts';
import { id } from './languages/id.ts';
import { it } from './languages/it.ts';
import { ja } from './languages/ja.ts';
import { ko } from './languages/ko.ts';
import { ms } from './languages/ms.ts';
import { nb } from './languages/nb.ts';
import { nl } from './languages/nl.ts';
import { pl } from './languages/pl.ts';
import { ptBr } from './languages/pt-br.ts';
import { ro } from './languages/ro.ts';
import { ru } from './languages/ru.ts';
import { sv } from './languages/sv.ts';
import { th } from './languages/th.ts';
import { tr } from './languages/tr.ts';
import { uk } from './languages/uk.ts';
import { vi } from './languages/vi.ts';
import { zhHans } from './languages/zh-hans.ts';
import { zhHant } from './languages/zh-hant.ts';

export type TextKey = keyof Texts;

interface Catalog {
  /** The language's own name, as shown in the switch. */
  name: string;
  dir: 'ltr' | 'rtl';
  texts: Texts;
}

export const LANGUAGES = {
  en: { name: 'English', dir: 'ltr', texts: en },
  de: { name: 'Deutsch', dir: 'ltr', texts: de },
  fr: { name: 'Français', dir: 'ltr', texts: fr },
  es: { name: 'Español', dir: 'ltr', texts: es },
  'pt-BR': { name: 'Português (Brasil)', dir: 'ltr', texts: ptBr },
  it: { name: 'Italiano', dir: 'ltr', texts: it },
  nl: { name: 'Nederlands', dir: 'ltr', texts: nl },
  da: { name: 'Dansk', dir: 'ltr', texts: da },
  sv: { name: 'Svenska', dir: 'ltr', texts: sv },
  nb: { name: 'Norsk', dir: 'ltr', texts: nb },
  fi: { name: 'Suomi', dir: 'ltr', texts: fi },
  pl: { name: 'Polski', dir: 'ltr', texts: pl },
  cs: { name: 'Čeština', dir: 'ltr', texts: cs },
  hu: { name: 'Magyar', dir: 'ltr', texts: hu },
  ro: { name: 'Română', dir: 'ltr', texts: ro },
  el: { name: 'Ελληνικά', dir: 'ltr', texts: el },
  tr: { name: 'Türkçe', dir: 'ltr', texts: tr },
  uk: { name: 'Українська', dir: 'ltr', texts: uk },
  ru: { name: 'Русский', dir: 'ltr', texts: ru },
  ja: { name: '日本語', dir: 'ltr', texts: ja },
  ko: { name: '한국어', dir: 'ltr', texts: ko },
  'zh-Hans': { name: '简体中文', dir: 'ltr', texts: zhHans },
  'zh-Hant': { name: '繁體中文', dir: 'ltr', texts: zhHant },
  id: { name: 'Bahasa Indonesia', dir: 'ltr', texts: id },
  ms: { name: 'Bahasa Melayu', dir: 'ltr', texts: ms },
  vi: { name: 'Tiếng Việt', dir: 'ltr', texts: vi },
  th: { name: 'ไทย', dir: 'ltr', texts: th },
  hi: { name: 'हिन्दी', dir: 'ltr', texts: hi },
  ar: { name: 'العربية', dir: 'rtl', texts: ar },
  he: { name: 'עברית', dir: 'rtl', texts: he },
} as const satisfies Record<string, Catalog>;

export type Language = keyof typeof LANGUAGES;

export type Say = (key: TextKey, values?: Record<string, string>) => string;

export function speak(language: Language): Say {
  const { texts, dir } = LANGUAGES[language];
  const place = (value: string) => (dir === 'rtl' || RIGHT_TO_LEFT.test(value) ? isolate(value) : value);
  // One pass, so that a value containing "{game}" is not replaced again.
  return (key, values) => {
    if (values === undefined) return texts[key];
    return texts[key].replace(/\{(\w+)\}/g, (hole, name: string) => {
      const value = values[name];
      return value === undefined ? hole : place(value);
    });
  };
}

/** Characters that change the direction of the text after them. */
const RIGHT_TO_LEFT = /[\u0590-\u08ff\u200e\u200f\u202a-\u202e\u2066-\u2069\ufb1d-\ufdff\ufe70-\ufefc]/;

/** Isolates a name, so that its direction or control characters do not affect the sentence. */
const isolate = (value: string): string => `\u2068${value}\u2069`;
