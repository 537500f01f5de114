export const LANGUAGES = { en: 'English', de: 'Deutsch' } as const;
export type LanguageCode = keyof typeof LANGUAGES;
type English = typeof import('../texts/en.json', { with: { type: 'json' }});
export type TextKey = keyof English;
export type TextValues = Readonly<Record<string, string | number>>;

const KEPT = 'coinslot.language';
const FILES = {
  en: () => import('../texts/en.json', { with: { type: 'json' } }),
  de: () => import('../texts/de.json', { with: { type: 'json' } }),
} as const;

const isLanguage = (text: string | null | undefined): text is LanguageCode => text === 'en' || text === 'de';

let texts: Readonly<Record<string, string>> = {};
export let language: LanguageCode = 'en';
let plurals = new Intl.PluralRules('en');

/** The reader's choice, else the first language of the browser that we speak. */
export function chooseLanguage(kept: string | null, wanted: readonly string[]): LanguageCode {
  if (isLanguage(kept)) return kept;
  return wanted.map(tag => tag.slice(0, 2).toLowerCase()).find(isLanguage) ?? 'en';
}

export async function loadTexts(): Promise<void> {
  language = chooseLanguage(localStorage.getItem(KEPT), navigator.languages);
  texts = (await FILES[language]()).default;
  plurals = new Intl.PluralRules(language);
  document.documentElement.lang = language;
}

/** Texts are read while drawing and nobody subscribes to them, so a new language starts the page anew. */
export function switchLanguage(next: LanguageCode): void {
  localStorage.setItem(KEPT, next);
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

/** For words that come from outside, such as a status; shown as they came when we have none of our own. */
export function tryText(key: string): string | undefined {
  return texts[key];
}
