import { KEPT_LANGUAGE, type LanguageCode, ownLanguage } from './languages.ts';

type English = typeof import('./en.json', { with: { type: 'json' }});
export type TextKey = keyof English;
export type TextValues = Readonly<Record<string, string | number>>;

const FILES = {
  en: () => import('./en.json', { with: { type: 'json' } }),
  de: () => import('./de.json', { with: { type: 'json' } }),
} as const;

let texts: Readonly<Record<string, string>> = {};
export let language: LanguageCode = 'en';
let plurals = new Intl.PluralRules('en');

/** From here on every text is in this language. */
export async function speak(next: LanguageCode): Promise<void> {
  texts = (await FILES[next]()).default;
  plurals = new Intl.PluralRules(next);
  language = next;
}

export async function loadTexts(): Promise<void> {
  await speak(ownLanguage());
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
