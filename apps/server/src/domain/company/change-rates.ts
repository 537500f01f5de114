import { AppError } from '../../kit/app-error.ts';
import { type Actor, writeAudit } from '../audit/audit.ts';
import type { Shop } from '../shop.ts';
import { lockRates, updateRates } from './rates.sql.ts';
import { type GivenRate, type Rates, rateIssues } from './rates.ts';

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
  const issues = currency === null ? [] : rateIssues(currency, rates);
  if (issues.length > 0) throw new AppError('validation_failed', { issues });
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
