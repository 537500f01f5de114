/** The names in `{braces}` of a text, so that the compiler asks for every value. */
export type Placeholders<Text extends string> = Text extends `${string}{${infer Name}}${infer Rest}`
  ? Name | Placeholders<Rest>
  : never;

export type Values<Text extends string> = Readonly<Record<Placeholders<Text>, string | number>>;

/** English decides which keys there are and what each of them is filled with. */
type English = Readonly<Record<string, string>>;
export type TextsOf<E extends English> = Readonly<Record<keyof E, string>>;

/** A text that depends on a number has one key for each plural form: `days_one`, `days_other`. It is asked for as `days`. */
type PluralName<E extends English> = keyof E extends infer Key
  ? Key extends `${infer Name}_other`
    ? Name
    : never
  : never;
export type KeyOf<E extends English> = (keyof E & string) | PluralName<E>;
export type TextOf<E extends English, Key extends KeyOf<E>> = Key extends keyof E ? E[Key] : E[`${Key}_other`] & string;

type Filling<Text extends string, Value> = [Placeholders<Text>] extends [never]
  ? []
  : [values: Readonly<Record<Placeholders<Text>, Value>>];

type PlainValue = string | number;

/** The same text in each of a catalog's languages. */
export type InEach<Language extends string> = Readonly<Record<Language, string>>;

/** Says a text of one language. */
export type Say<E extends English> = <Key extends KeyOf<E>>(
  key: Key,
  ...filling: Filling<TextOf<E, Key>, PlainValue>
) => string;

export interface Catalog<Language extends string, E extends English> {
  readonly languages: Readonly<Record<Language, TextsOf<E>>>;
  has(language: string | null): language is Language;
  /** The speaker of this language, or of English where the catalog does not have it. */
  in(language: string | null): Say<E>;
  text<Key extends KeyOf<E>>(
    language: string | null,
    key: Key,
    ...filling: Filling<TextOf<E, Key>, PlainValue>
  ): string;
  /** In every language at once; a value may differ between them. */
  each<Key extends KeyOf<E>>(
    key: Key,
    ...filling: Filling<TextOf<E, Key>, PlainValue | InEach<Language>>
  ): InEach<Language>;
}

/** Fills `{name}` in one pass, so that a value that contains a placeholder stays as it is. */
export const fill = (text: string, values: Readonly<Record<string, string | number | undefined>>): string =>
  text.replace(/\{(\w+)\}/g, (placeholder, name: string) => String(values[name] ?? placeholder));

function pluralOf(texts: English, language: string, key: string, count: unknown): string {
  const form = new Intl.PluralRules(language).select(Number(count));
  return texts[`${key}_${form}`] ?? texts[`${key}_other`] ?? key;
}

/** Joins the languages of one audience. A language that lacks a text of English does not compile. */
export function catalog<E extends English, Language extends string>(
  languages: Readonly<Record<Language, TextsOf<E>>> & { readonly en: E },
): Catalog<Language, E> {
  const has = (language: string | null): language is Language =>
    language !== null && Object.hasOwn(languages, language);
  const write = (language: Language | 'en', key: string, values: Readonly<Record<string, PlainValue>> = {}): string => {
    const texts: English = languages[language];
    return fill(texts[key] ?? pluralOf(texts, language, key, values.count), values);
  };
  return {
    languages,
    has,
    in:
      language =>
      (key, ...[values]) =>
        write(has(language) ? language : 'en', key, values),
    text: (language, key, ...[values]) => write(has(language) ? language : 'en', key, values),
    each(key, ...[values]) {
      const codes = Object.keys(languages) as Language[];
      const own = (language: Language): Record<string, PlainValue> =>
        Object.fromEntries(
          Object.entries<PlainValue | InEach<Language>>(values ?? {}).map(([name, value]) => [
            name,
            typeof value === 'object' ? value[language] : value,
          ]),
        );
      return Object.fromEntries(codes.map(code => [code, write(code, key, own(code))])) as InEach<Language>;
    },
  };
}
