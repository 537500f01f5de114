import { decimalsOf, decimalText } from './money.ts';

/** The order's locale decides how numbers are written, even where the page does not speak its language. */
export function formatLocale(locale: string | null, language: string): string {
  return kept(`locale ${locale} ${language}`, () => supportedLocale(locale ?? language) ?? language);
}

function supportedLocale(locale: string): string | undefined {
  try {
    return Intl.NumberFormat.supportedLocalesOf(locale)[0];
  } catch {
    return undefined;
  }
}

/** Formats exactly: the formatter reads the decimal text, so no float touches the amount. */
export function formatMoney(amountMinor: number, currency: string, locale: string): string {
  const formatter = kept(`money ${locale} ${currency}`, () => {
    // The decimals are ours: ICU counts those in everyday use, which differ from ISO 4217 for some currencies.
    const decimals = decimalsOf(currency);
    const digits = { minimumFractionDigits: decimals, maximumFractionDigits: decimals };
    return new Intl.NumberFormat(locale, { style: 'currency', currency, ...digits });
  });
  // In right-to-left text the sign of "US$" would stand before its letters. The mark keeps it behind them.
  return formatter
    .format(decimalText(amountMinor, currency) as `${number}`)
    .replace(/^(\u200f.*[A-Z]\p{Sc})$/u, '$1\u200e');
}

export function formatCount(count: number, locale: string): string {
  return kept(`count ${locale}`, () => new Intl.NumberFormat(locale)).format(count);
}

export function formatMinutes(minutes: number, locale: string): string {
  const options = { style: 'unit', unit: 'minute', unitDisplay: 'long' } as const;
  return kept(`minutes ${locale}`, () => new Intl.NumberFormat(locale, options)).format(minutes);
}

export function formatDay(day: Date, locale: string): string {
  return kept(`day ${locale}`, () => new Intl.DateTimeFormat(locale, { dateStyle: 'long' })).format(day);
}

/** `Germany`, or the code where the language has no name for it. */
export function formatCountry(code: string, language: string): string {
  return kept(`country ${language}`, () => new Intl.DisplayNames(language, { type: 'region' })).of(code) ?? code;
}

/** Formats in UTC and says so, because the server does not know its reader's time zone. */
export function formatTime(time: Date, locale: string): string {
  const options = { dateStyle: 'long', timeStyle: 'short', timeZone: 'UTC' } as const;
  return `${kept(`time ${locale}`, () => new Intl.DateTimeFormat(locale, options)).format(time)} UTC`;
}

const made = new Map<string, unknown>();
const MOST_KEPT = 500;

/** Keeps formatters, because making one costs more than rendering a page. Callers choose the locale, so the number is bounded. */
function kept<T>(key: string, make: () => T): T {
  // Only one function uses each kind of key, so the value has the type that this function makes.
  if (made.has(key)) return made.get(key) as T;
  const value = make();
  if (made.size >= MOST_KEPT) made.clear();
  made.set(key, value);
  return value;
}
