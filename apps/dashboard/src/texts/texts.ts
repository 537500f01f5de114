import { LANGUAGE_STORAGE_KEY, type LanguageCode, preferredLanguage } from './languages.ts';

type English = typeof import('./en.json', { with: { type: 'json' }});
export type TextKey = keyof English;
export type TextValues = Readonly<Record<string, string | number>>;

/** The build splits the texts by the pages that use them: the shell and home, the shop pages, the setup pages. */
const FILES = {
  en: {
    core: () => import('./en.json?core'),
    shop: () => import('./en.json?shop'),
    setup: () => import('./en.json?setup'),
  },
  de: {
    core: () => import('./de.json?core'),
    shop: () => import('./de.json?shop'),
    setup: () => import('./de.json?setup'),
  },
} as const;

export type TextPart = keyof (typeof FILES)['en'];

let texts: Readonly<Record<string, string>> = {};
export let language: LanguageCode = 'en';
let plurals = new Intl.PluralRules('en');
let loaded: Partial<Record<TextPart, Promise<void>>> = {};

/** Switches the language and loads the core texts. */
async function startLanguage(next: LanguageCode): Promise<void> {
  language = next;
  plurals = new Intl.PluralRules(next);
  texts = {};
  loaded = {};
  await loadTexts('core');
}

/** Loads each part once. A part that failed is requested again. */
async function loadTexts(part: TextPart): Promise<void> {
  loaded[part] ??= FILES[language][part]().then(({ default: more }) => {
    texts = { ...texts, ...more };
  });
  try {
    await loaded[part];
  } catch (error) {
    delete loaded[part];
    throw error;
  }
}

/** Loads a page together with its texts. */
export const withTexts =
  <Module>(part: TextPart, load: () => Promise<Module>): (() => Promise<Module>) =>
  async () => {
    const [module] = await Promise.all([load(), loadTexts(part)]);
    return module;
  };

/** Switches the language and loads all texts. */
export async function setLanguage(next: LanguageCode): Promise<void> {
  await startLanguage(next);
  await Promise.all([loadTexts('shop'), loadTexts('setup')]);
}

export async function loadCoreTexts(): Promise<void> {
  await startLanguage(preferredLanguage());
  document.documentElement.lang = language;
}

/** Components do not subscribe to texts, so a new language reloads the page. */
export function switchLanguage(next: LanguageCode): void {
  localStorage.setItem(LANGUAGE_STORAGE_KEY, next);
  if (next !== language) location.reload();
}

/** With `count`, picks the language's plural form: `rows_one`, `rows_other`. */
export function fill(
  all: Readonly<Record<string, string>>,
  rules: Intl.PluralRules,
  key: string,
  values: TextValues,
): string {
  const { count } = values;
  const form = typeof count === 'number' ? all[`${key}_${rules.select(count)}`] : undefined;
  const text = form ?? all[`${key}_other`] ?? all[key] ?? key;
  return text.replace(/\{(\w+)\}/g, (whole, name: string) => String(values[name] ?? whole));
}

type Stem<Key> = Key extends `${infer Start}_one` | `${infer Start}_other` ? Start : Key;

export function t(key: Stem<TextKey>, values: TextValues = {}): string {
  return fill(texts, plurals, key, values);
}

/** For codes from the server, such as a status. Without a text, the caller shows the code itself. */
export function tryText(key: string): string | undefined {
  return texts[key];
}
