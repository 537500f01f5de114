import { KEPT_LANGUAGE, type LanguageCode, ownLanguage } from './languages.ts';

type English = typeof import('./en.json', { with: { type: 'json' }});
export type TextKey = keyof English;
export type TextValues = Readonly<Record<string, string | number>>;

/** The build divides the texts by what says them: the first page, the pages about purchases, and those about the set-up. */
const FILES = {
  en: {
    first: () => import('./en.json?first'),
    shop: () => import('./en.json?shop'),
    setup: () => import('./en.json?setup'),
  },
  de: {
    first: () => import('./de.json?first'),
    shop: () => import('./de.json?shop'),
    setup: () => import('./de.json?setup'),
  },
} as const;

export type TextPart = keyof (typeof FILES)['en'];

let texts: Readonly<Record<string, string>> = {};
export let language: LanguageCode = 'en';
let plurals = new Intl.PluralRules('en');
let loaded: Partial<Record<TextPart, Promise<void>>> = {};

/** From here on every text of the first page is in this language. */
async function begin(next: LanguageCode): Promise<void> {
  language = next;
  plurals = new Intl.PluralRules(next);
  texts = {};
  loaded = {};
  await loadTexts('first');
}

/** Loaded once, in any order; asked for again if that failed. */
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

/** A part of the app that says more than the first page does. */
export const withTexts =
  <Module>(part: TextPart, load: () => Promise<Module>): (() => Promise<Module>) =>
  async () => {
    const [module] = await Promise.all([load(), loadTexts(part)]);
    return module;
  };

/** From here on every text is in this language. */
export async function speak(next: LanguageCode): Promise<void> {
  await begin(next);
  await Promise.all([loadTexts('shop'), loadTexts('setup')]);
}

export async function loadFirstTexts(): Promise<void> {
  await begin(ownLanguage());
  document.documentElement.lang = language;
}

/** Components read texts while drawing and do not subscribe to them, so a new language reloads the page. */
export function switchLanguage(next: LanguageCode): void {
  localStorage.setItem(KEPT_LANGUAGE, next);
  if (next !== language) location.reload();
}

/** With `count` the plural of the language is chosen: `rows_one`, `rows_other`. */
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

/** The text in the reader's language. */
export function t(key: Stem<TextKey>, values: TextValues = {}): string {
  return fill(texts, plurals, key, values);
}

/** For words of the server, such as a status; the caller shows them as they are when there is no text. */
export function tryText(key: string): string | undefined {
  return texts[key];
}
