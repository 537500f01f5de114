import type { Issue } from '@coinslot/contract';
import { decimalsOf } from '../../kit/money.ts';

/** The studio's own rates, for sums in reports only. No payment and no book knows them. */
export interface Rates {
  /** The currency of the sum. */
  currency: string;
  /** What one unit of another currency is in it. */
  rates: Readonly<Record<string, number>>;
}

export interface GivenRate {
  currency: string;
  rate: number;
}

/** Each currency once, and none for the sum's own, which is always 1. */
export function rateIssues(currency: string, given: readonly GivenRate[]): Issue[] {
  const seen = new Set([currency]);
  return given.flatMap((one, index): Issue[] => {
    const isKnown = seen.has(one.currency);
    seen.add(one.currency);
    if (!isKnown) return [];
    const message = `${one.currency} has a rate already.`;
    return [{ pointer: `/rates/${index}/currency`, code: 'one_of', message }];
  });
}

/** In minor units of the sum's currency, rounded; null without a rate. */
export function convert({ currency, rates }: Rates, amountMinor: number, from: string): number | null {
  const rate = from === currency ? 1 : rates[from];
  if (rate === undefined) return null;
  return Math.round(amountMinor * rate * 10 ** (decimalsOf(currency) - decimalsOf(from)));
}
