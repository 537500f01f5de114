import { decimalsOf } from '@coinslot/contract/currencies';
import { numberFormat } from './format.ts';

export const minorOf = (decimal: number, currency: string): number => Math.round(decimal * 10 ** decimalsOf(currency));

const majorOf = (amountMinor: number, currency: string): number => amountMinor / 10 ** decimalsOf(currency);

/** Formats minor units. An unknown currency code is written after the number. */
export function formatMoney(locale: string, amountMinor: number, currency: string): string {
  const digits = decimalsOf(currency);
  const decimals = { minimumFractionDigits: digits, maximumFractionDigits: digits };
  const major = majorOf(amountMinor, currency);
  try {
    return numberFormat(locale, { style: 'currency', currency, ...decimals }).format(major);
  } catch {
    return `${numberFormat(locale, decimals).format(major)} ${currency}`;
  }
}

/** For chart axes: $12K, $1.5M. */
export const formatCompactMoney = (locale: string, amountMinor: number, currency: string): string =>
  numberFormat(locale, { style: 'currency', currency, notation: 'compact', maximumFractionDigits: 1 }).format(
    majorOf(amountMinor, currency),
  );

/** Reads "4.99" and "4,99" as the same number and refuses thousands separators. */
export function numberOf(text: string): number | null {
  const plain = text.trim().replace(',', '.');
  return /^\d+(?:\.\d+)?$/.test(plain) ? Number(plain) : null;
}

/** Amounts of one currency between two bounds. The address writes them as `5..20`, `5..` or `..20` in major units. */
export interface AmountSpan {
  amount_from?: number;
  amount_to?: number;
}

/** Returns minor units, as the API counts. A bound that is not a number is ignored. */
export function amountSpanOf(text: string | undefined, currency: string): AmountSpan {
  if (text === undefined) return {};
  const [first = '', last = ''] = text.split('..');
  const minor = (part: string): number | null => {
    const value = numberOf(part);
    return value === null ? null : minorOf(value, currency);
  };
  const [from, to] = [minor(first), minor(text.includes('..') ? last : first)];
  return { ...(from !== null && { amount_from: from }), ...(to !== null && { amount_to: to }) };
}

export function amountText(locale: string, text: string, currency: string): string {
  const { amount_from: from, amount_to: to } = amountSpanOf(text, currency);
  const money = (minor: number): string => formatMoney(locale, minor, currency);
  if (from !== undefined && to !== undefined) return from === to ? money(from) : `${money(from)} – ${money(to)}`;
  if (from !== undefined) return `≥ ${money(from)}`;
  return to === undefined ? text : `≤ ${money(to)}`;
}

/** Writes two fields for the address. Undefined if one is not a number or both are empty. */
export function amountRangeOf(from: string, to: string): string | undefined {
  const parts = [from, to].map(text => (text.trim() === '' ? '' : numberOf(text)));
  return parts.includes(null) || parts.every(part => part === '') ? undefined : parts.join('..');
}
