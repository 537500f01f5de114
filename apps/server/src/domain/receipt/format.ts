import { CURRENCIES, decimalText } from '../../kit/money.ts';

const formats = new Map<string, Intl.NumberFormat>();
const FORMATS_MOST = 500;

// Making a format is far dearer than using it; the keys come from outside, so the cache is bounded.
function moneyFormat(locale: string, currency: string): Intl.NumberFormat {
  const key = `${locale} ${currency}`;
  let format = formats.get(key);
  if (!format) {
    const decimals = CURRENCIES.get(currency) ?? 2;
    const digits = { minimumFractionDigits: decimals, maximumFractionDigits: decimals };
    format = new Intl.NumberFormat(locale, { style: 'currency', currency, ...digits });
    if (formats.size >= FORMATS_MOST) formats.clear();
    formats.set(key, format);
  }
  return format;
}

/** From decimal text, so the last digit is exact at every size. */
export const formatMoney = (amountMinor: number, currency: string, locale: string): string =>
  moneyFormat(locale, currency).format(decimalText(amountMinor, currency) as `${number}`);

export const formatTime = (time: Date, locale: string): string =>
  `${new Intl.DateTimeFormat(locale, { dateStyle: 'long', timeStyle: 'short', timeZone: 'UTC' }).format(time)} UTC`;

export const formatCount = (count: number, locale: string): string => new Intl.NumberFormat(locale).format(count);
