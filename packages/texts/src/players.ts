import { catalog } from './catalog.ts';
import { ar } from './players/ar.ts';
import { cs } from './players/cs.ts';
import { da } from './players/da.ts';
import { de } from './players/de.ts';
import { el } from './players/el.ts';
import { en } from './players/en.ts';
import { es } from './players/es.ts';
import { fi } from './players/fi.ts';
import { fr } from './players/fr.ts';
import { he } from './players/he.ts';
import { hi } from './players/hi.ts';
import { hu } from './players/hu.ts';
import { id } from './players/id.ts';
import { it } from './players/it.ts';
import { ja } from './players/ja.ts';
import { ko } from './players/ko.ts';
import { ms } from './players/ms.ts';
import { nb } from './players/nb.ts';
import { nl } from './players/nl.ts';
import { pl } from './players/pl.ts';
import { ptBr } from './players/pt-br.ts';
import { ro } from './players/ro.ts';
import { ru } from './players/ru.ts';
import { sv } from './players/sv.ts';
import { th } from './players/th.ts';
import { tr } from './players/tr.ts';
import { uk } from './players/uk.ts';
import { vi } from './players/vi.ts';
import { zhHans } from './players/zh-hans.ts';
import { zhHant } from './players/zh-hant.ts';

/** What the payment page and the receipt mail say. */
export const players = catalog({
  en,
  de,
  fr,
  es,
  'pt-BR': ptBr,
  it,
  nl,
  da,
  sv,
  nb,
  fi,
  pl,
  cs,
  hu,
  ro,
  el,
  tr,
  uk,
  ru,
  ja,
  ko,
  'zh-Hans': zhHans,
  'zh-Hant': zhHant,
  id,
  ms,
  vi,
  th,
  hi,
  ar,
  he,
});

export type PlayerLanguage = keyof typeof players.languages;
export type PlayerKey = keyof typeof en;

/** The order of the page's switch, with each language's own name. */
export const PLAYER_LANGUAGES = {
  en: { name: 'English', dir: 'ltr' },
  de: { name: 'Deutsch', dir: 'ltr' },
  fr: { name: 'Français', dir: 'ltr' },
  es: { name: 'Español', dir: 'ltr' },
  'pt-BR': { name: 'Português (Brasil)', dir: 'ltr' },
  it: { name: 'Italiano', dir: 'ltr' },
  nl: { name: 'Nederlands', dir: 'ltr' },
  da: { name: 'Dansk', dir: 'ltr' },
  sv: { name: 'Svenska', dir: 'ltr' },
  nb: { name: 'Norsk', dir: 'ltr' },
  fi: { name: 'Suomi', dir: 'ltr' },
  pl: { name: 'Polski', dir: 'ltr' },
  cs: { name: 'Čeština', dir: 'ltr' },
  hu: { name: 'Magyar', dir: 'ltr' },
  ro: { name: 'Română', dir: 'ltr' },
  el: { name: 'Ελληνικά', dir: 'ltr' },
  tr: { name: 'Türkçe', dir: 'ltr' },
  uk: { name: 'Українська', dir: 'ltr' },
  ru: { name: 'Русский', dir: 'ltr' },
  ja: { name: '日本語', dir: 'ltr' },
  ko: { name: '한국어', dir: 'ltr' },
  'zh-Hans': { name: '简体中文', dir: 'ltr' },
  'zh-Hant': { name: '繁體中文', dir: 'ltr' },
  id: { name: 'Bahasa Indonesia', dir: 'ltr' },
  ms: { name: 'Bahasa Melayu', dir: 'ltr' },
  vi: { name: 'Tiếng Việt', dir: 'ltr' },
  th: { name: 'ไทย', dir: 'ltr' },
  hi: { name: 'हिन्दी', dir: 'ltr' },
  ar: { name: 'العربية', dir: 'rtl' },
  he: { name: 'עברית', dir: 'rtl' },
} as const satisfies Record<PlayerLanguage, { name: string; dir: 'ltr' | 'rtl' }>;

/** What browsers and systems also call them: both Norwegians are read as Bokmål, and old Android says `iw` and `in`. */
const SAME_LANGUAGE: Readonly<Record<string, PlayerLanguage | undefined>> = { no: 'nb', nn: 'nb', iw: 'he', in: 'id' };

/** The language for a tag such as "de-AT" or "zh_TW", or null when there is none. */
export function playerLanguageOf(tag: string): PlayerLanguage | null {
  const [primary = '', ...rest] = tag.toLowerCase().split(/[-_]/);
  if (primary === 'zh') return isTraditional(rest) ? 'zh-Hant' : 'zh-Hans';
  if (primary === 'pt') return 'pt-BR';
  const language = SAME_LANGUAGE[primary] ?? primary;
  return players.has(language) ? language : null;
}

/** An explicit script decides; otherwise the regions that use Traditional Chinese do. */
function isTraditional(subtags: string[]): boolean {
  if (subtags.includes('hans')) return false;
  return ['hant', 'tw', 'hk', 'mo'].some(subtag => subtags.includes(subtag));
}
