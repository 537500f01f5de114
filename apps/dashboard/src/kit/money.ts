import { decimalsOf } from '@coinslot/contract/currencies';
import { numberFormat } from './format.ts';

export const minorOf = (decimal: number, currency: string): number => Math.round(decimal * 10 ** decimalsOf(currency));

const majorOf = (amountMinor: number, currency: string): number => amountMinor / 10 ** decimalsOf(currency);

/** From minor units. What is no currency code is shown beside the number. */
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

/** For axes: $12K, $1.5M. */
export const formatCompactMoney = (locale: string, amountMinor: number, currency: string): string =>
  numberFormat(locale, { style: 'currency', currency, notation: 'compact', maximumFractionDigits: 1 }).format(
    majorOf(amountMinor, currency),
  );

/** "4.99" and "4,99" are the same number; a thousands separator is not accepted. */
export function numberOf(text: string): number | null {
  const plain = text.trim().replace(',', '.');
  return /^\d+(?:\.\d+)?$/.test(plain) ? Number(plain) : null;
}

/** Amounts of one currency between two bounds. Kept in the address as `5..20`, `5..` or `..20`, in major units. */
export interface AmountSpan {
  amount_from?: number;
  amount_to?: number;
}

/** In minor units, as the server counts. A part that is no number sets no bound. */
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

/** Two fields as the address keeps them; undefined when one is no number or both are empty. */
export function amountRangeOf(from: string, to: string): string | undefined {
  const parts = [from, to].map(text => (text.trim() === '' ? '' : numberOf(text)));
  return parts.includes(null) || parts.every(part => part === '') ? undefined : parts.join('..');
}
