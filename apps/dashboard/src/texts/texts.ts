import { KEPT_LANGUAGE, type LanguageCode, ownLanguage } from './languages.ts';

type English = typeof import('./en.json', { with: { type: 'json' }});
export type TextKey = keyof English;
export type TextValues = Readonly<Record<string, string | number>>;

/** The build puts into the first file what the first page says. */
const FILES = {
  en: { first: () => import('./en.json?first'), rest: () => import('./en.json?rest') },
  de: { first: () => import('./de.json?first'), rest: () => import('./de.json?rest') },
} as const;

let texts: Readonly<Record<string, string>> = {};
export let language: LanguageCode = 'en';
let plurals = new Intl.PluralRules('en');
let rest: Promise<void> | undefined;

/** From here on every text of the first page is in this language. */
async function begin(next: LanguageCode): Promise<void> {
  language = next;
  plurals = new Intl.PluralRules(next);
  texts = {};
  rest = undefined;
  add((await FILES[next].first()).default);
}

/** The two files may come in either order. */
function add(more: Readonly<Record<string, string>>): void {
  texts = { ...texts, ...more };
}

/** The texts of all other pages, loaded once; asked for again if that failed. */
export function loadRest(): Promise<void> {
  rest ??= FILES[language]
    .rest()
    .then(({ default: more }) => add(more))
    .catch((error: unknown) => {
      rest = undefined;
      throw error;
    });
  return rest;
}

/** A part of the app that says more than the first page does. */
export const withAllTexts =
  <Module>(load: () => Promise<Module>): (() => Promise<Module>) =>
  async () => {
    const [module] = await Promise.all([load(), loadRest()]);
    return module;
  };

/** From here on every text is in this language. */
export async function speak(next: LanguageCode): Promise<void> {
  await begin(next);
  await loadRest();
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
