import { exponentOf, formatMoney } from './format.ts';
import { numberOf } from './number-of.ts';

/** Amounts of one currency between two bounds. Kept in the address as `5..20`, `5..` or `..20`, in major units. */
export interface AmountSpan {
  amount_from?: number;
  amount_to?: number;
}

/** In minor units, as the server counts. What cannot be read is no bound. */
export function amountSpanOf(text: string | undefined, currency: string): AmountSpan {
  if (text === undefined) return {};
  const [first = '', last = ''] = text.split('..');
  const minor = (part: string): number | null => {
    const value = numberOf(part);
    return value === null ? null : Math.round(value * 10 ** exponentOf(currency));
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

/** What two fields say, as the address keeps it; undefined when one of them cannot be read or both are empty. */
export function amountRangeOf(from: string, to: string): string | undefined {
  const parts = [from, to].map(text => (text.trim() === '' ? '' : numberOf(text)));
  return parts.includes(null) || parts.every(part => part === '') ? undefined : parts.join('..');
}
