import { CURRENCIES, decimalsOf } from '@coinslot/contract';

export { CURRENCIES, decimalsOf };

export interface Money {
  amountMinor: number;
  currency: string;
}

export const MAX_AMOUNT_MAJOR = 1_000_000_000;

export type MoneyProblem = 'negative' | 'too_many_decimals' | 'too_large' | 'not_a_number' | 'unknown_currency';

interface Decimal {
  negative: boolean;
  digits: string;
  /** The value is digits × 10^exponent. */
  exponent: number;
}

const NUMBER = /^(-?)(\d+)(?:\.(\d+))?(?:[eE]([+-]?\d+))?$/;

function readDecimal(text: string): Decimal | null {
  const match = NUMBER.exec(text);
  if (!match) return null;
  const fraction = match[3] ?? '';
  const all = `${match[2]}${fraction}`.replace(/^0+(?=\d)/, '');
  const trimmed = all.replace(/(?<!0)0+$/, '');
  const exponent = Number(match[4] ?? 0) - fraction.length + (all.length - trimmed.length);
  return { negative: match[1] === '-', digits: trimmed, exponent: trimmed === '' ? 0 : exponent };
}

/**
 * Reads an amount in major units exactly, from its decimal text: no float arithmetic touches it.
 * `String(number)` is exact for every number that the strict JSON reader lets through.
 */
export function toMinor(amount: number | string, currency: string): number | MoneyProblem {
  const decimals = CURRENCIES.get(currency);
  if (decimals === undefined) return 'unknown_currency';
  const value = readDecimal(String(amount));
  if (!value) return 'not_a_number';
  if (value.digits === '') return 0;
  if (value.negative) return 'negative';
  const shift = value.exponent + decimals;
  if (value.digits.length + value.exponent > 10) return 'too_large';
  if (shift < 0) return 'too_many_decimals';
  const minor = Number(value.digits + '0'.repeat(shift));
  return minor > MAX_AMOUNT_MAJOR * 10 ** decimals ? 'too_large' : minor;
}

/** Minor units as decimal text in major units, with all decimals of the currency: `1999 USD` is `19.99`. */
export function decimalText(amountMinor: number, currency: string): string {
  const decimals = decimalsOf(currency);
  if (decimals === 0) return String(amountMinor);
  const digits = String(Math.abs(amountMinor)).padStart(decimals + 1, '0');
  return `${amountMinor < 0 ? '-' : ''}${digits.slice(0, -decimals)}.${digits.slice(-decimals)}`;
}

/** The JSON number on the wire. Fifteen digits at most, so the shortest float text is the exact decimal. */
export const toDecimal = (amountMinor: number, currency: string): number => Number(decimalText(amountMinor, currency));

/** Half up, in integers: a 15 % discount on 9.99 leaves 8.49. */
export const percentOff = (amountMinor: number, percentHundredths: number): number =>
  Math.floor((amountMinor * (10_000 - percentHundredths) + 5_000) / 10_000);
