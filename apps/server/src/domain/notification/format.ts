import { decimalsOf, decimalText } from '../../kit/money.ts';

const FORMATS_MOST = 500;

/** Making a format is far dearer than using it; the keys come from outside, so what is kept is bounded. */
function kept<Key extends string[], Format>(make: (...key: Key) => Format): (...key: Key) => Format {
  const formats = new Map<string, Format>();
  return (...parts) => {
    const key = parts.join(' ');
    const format = formats.get(key) ?? make(...parts);
    if (formats.size >= FORMATS_MOST) formats.clear();
    formats.set(key, format);
    return format;
  };
}

const moneyFormat = kept((locale: string, currency: string) => {
  const decimals = decimalsOf(currency);
  const digits = { minimumFractionDigits: decimals, maximumFractionDigits: decimals };
  return new Intl.NumberFormat(locale, { style: 'currency', currency, ...digits });
});

const timeFormat = kept(
  (locale: string) => new Intl.DateTimeFormat(locale, { dateStyle: 'long', timeStyle: 'short', timeZone: 'UTC' }),
);

const countFormat = kept((locale: string) => new Intl.NumberFormat(locale));

/** From decimal text, so the last digit is exact at every size. */
export const formatMoney = (amountMinor: number, currency: string, locale: string): string =>
  moneyFormat(locale, currency).format(decimalText(amountMinor, currency) as `${number}`);

export const formatTime = (time: Date, locale: string): string => `${timeFormat(locale).format(time)} UTC`;

export const formatCount = (count: number, locale: string): string => countFormat(locale).format(count);
