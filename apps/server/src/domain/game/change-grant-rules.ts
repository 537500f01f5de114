import { invalidField } from '../../kit/app-error.ts';
import { CURRENCIES, type Money, toMinor } from '../../kit/money.ts';
import { onWire } from '../../kit/on-wire.ts';
import { type Actor, auditScope, writeAudit } from '../audit/audit.ts';
import type { Shop } from '../shop.ts';
import { inCompanyTurn } from './company-turn.ts';
import { type GrantRules, lockGrantRules, updateGrantRules } from './environment.sql.ts';
import type { Environment } from './environment.ts';

/** Undefined leaves a rule as it is. */
export interface GrantRulesChange {
  releaseGrantAfterSeconds?: number | null | undefined;
  defaultPrice?: { priceDecimal: number; currency: string } | undefined;
}

function readPrice({ priceDecimal, currency }: { priceDecimal: number; currency: string }): Money {
  const amountMinor = toMinor(priceDecimal, currency);
  if (typeof amountMinor === 'number') return { amountMinor, currency };
  const decimals = CURRENCIES.get(currency) ?? 0;
  const message = `${currency} has ${decimals} decimals; the amount has more.`;
  throw invalidField('/default_price/price_decimal', 'too_many_decimals', message);
}

const factsOf = (rules: GrantRules) =>
  onWire(rules, 'release_grant_after_seconds, default_price_minor, default_currency');

/** Orders and grants that begin from now on follow it; a key that was just used may know the old price for some seconds. */
export function changeGrantRules(
  { db }: Shop,
  actor: Actor,
  environment: Environment,
  change: GrantRulesChange,
): Promise<GrantRules> {
  if (change.defaultPrice && environment.mode === 'live') {
    throw invalidField('/default_price', 'enum', 'Live has no default price: nothing is guessed.');
  }
  const price = change.defaultPrice && readPrice(change.defaultPrice);
  return inCompanyTurn(environment.companyId, () =>
    db.transaction(async tx => {
      const { locked, rules: before } = await lockGrantRules(tx, environment.id);
      const after: GrantRules = {
        releaseGrantAfterSeconds:
          change.releaseGrantAfterSeconds === undefined
            ? before.releaseGrantAfterSeconds
            : change.releaseGrantAfterSeconds,
        defaultPriceMinor: price?.amountMinor ?? before.defaultPriceMinor,
        defaultCurrency: price?.currency ?? before.defaultCurrency,
      };
      updateGrantRules(tx, locked, after);
      writeAudit(tx, actor, {
        ...auditScope(environment),
        kind: 'grant_rules.changed',
        objectId: environment.id,
        before: factsOf(before),
        after: factsOf(after),
      });
      return after;
    }),
  );
}
