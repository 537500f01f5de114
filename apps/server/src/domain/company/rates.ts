import type { Issue } from '@coinslot/contract';
import { assertNoIssues } from '../../kit/app-error.ts';
import { decimalsOf } from '../../kit/money.ts';
import { type Actor, writeAudit } from '../audit/audit.ts';
import type { Shop } from '../shop.ts';
import { lockRates, type Rates, updateRates } from './company.sql.ts';

export interface GivenRate {
  currency: string;
  rate: number;
}

/** Each currency once, and none for the sum's own, which is always 1. */
function rateIssues(currency: string, given: readonly GivenRate[]): Issue[] {
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

const factsOf = (rates: Rates | null) => ({
  currency: rates?.currency ?? null,
  rates: Object.entries(rates?.rates ?? {}).map(([currency, rate]) => `${currency} ${rate}`),
});

/** Null: no sum over currencies is shown. */
export function changeRates(
  { db }: Shop,
  actor: Actor,
  companyId: string,
  { currency, rates }: { currency: string | null; rates: readonly GivenRate[] },
): Promise<Rates | null> {
  assertNoIssues(...(currency === null ? [] : rateIssues(currency, rates)));
  const after =
    currency === null ? null : { currency, rates: Object.fromEntries(rates.map(one => [one.currency, one.rate])) };
  return db.transaction(async tx => {
    const before = await lockRates(tx, companyId);
    updateRates(tx, companyId, after);
    const changed = { before: factsOf(before), after: factsOf(after) };
    writeAudit(tx, actor, { companyId, kind: 'rates.changed', objectId: companyId, ...changed });
    return after;
  });
}
