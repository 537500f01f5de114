import type { Language } from '@coinslot/checkout-page';
import { CURRENCIES, decimalText } from '../../kit/money.ts';

/** The order's locale decides how numbers are written, even where the page does not speak its language. */
export function formatLocale(locale: string | null, language: Language): string {
  try {
    return Intl.NumberFormat.supportedLocalesOf(locale ?? language)[0] ?? language;
  } catch {
    return language;
  }
}

/** Exact: the formatter reads the decimal text, so no float touches the amount. */
export function formatMoney(amountMinor: number, currency: string, locale: string): string {
  // The decimals are ours: ICU counts those in everyday use, which differ from ISO 4217 for some currencies.
  const decimals = CURRENCIES.get(currency) ?? 2;
  return formatter(locale, currency, decimals).format(decimalText(amountMinor, currency) as `${number}`);
}

export function formatCount(count: number, locale: string): string {
  return new Intl.NumberFormat(locale).format(count);
}

export function formatMinutes(minutes: number, locale: string): string {
  return new Intl.NumberFormat(locale, { style: 'unit', unit: 'minute', unitDisplay: 'long' }).format(minutes);
}

const formatters = new Map<string, Intl.NumberFormat>();
const FORMATTERS_KEPT = 200;

/** Making one costs more than rendering the page. Locales come from outside, so the number kept is bounded. */
function formatter(locale: string, currency: string, decimals: number): Intl.NumberFormat {
  const key = `${locale} ${currency}`;
  const known = formatters.get(key);
  if (known) return known;
  const made = new Intl.NumberFormat(locale, {
    style: 'currency',
    currency,
    minimumFractionDigits: decimals,
    maximumFractionDigits: decimals,
  });
  if (formatters.size >= FORMATTERS_KEPT) formatters.clear();
  formatters.set(key, made);
  return made;
}
