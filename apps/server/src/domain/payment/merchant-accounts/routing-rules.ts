import { reasons } from '@coinslot/texts/reasons';
import { AppError, invalidField } from '../../../kit/app-error.ts';
import { type Actor, writeAudit } from '../../audit/audit.ts';
import type { Shop } from '../../shop.ts';
import { findMethod } from '../methods/method-table.ts';
import type { RoutingRule } from '../methods/routing-rules.ts';
import { upsertRules } from './company-choices.sql.ts';
import { readRouting } from './company-choices.ts';
import { lockCompany } from './provider-account.sql.ts';

/** Throws for a rule that names what is not there, or an amount without saying of which currency. */
export function checkRules(rules: readonly RoutingRule[], providers: readonly string[]): void {
  rules.forEach(({ provider, methods, currencies, minMinor, maxMinor }, i) => {
    if (provider !== null && !providers.includes(provider))
      throw invalidField(`/rules/${i}/provider`, 'enum', reasons.text('en', 'choice.no_provider'));
    if (methods?.some(id => !findMethod(id))) throw new AppError('not_found');
    const hasAmount = minMinor !== null || maxMinor !== null;
    if (hasAmount && currencies?.length !== 1)
      throw invalidField(`/rules/${i}/currencies`, 'currency_required', reasons.text('en', 'choice.one_currency'));
  });
}

const listText = (list: readonly string[] | null): string => list?.join(', ') ?? '*';

/** For the audit log. */
const ruleText = ({ countries, currencies, methods, minMinor, maxMinor, provider }: RoutingRule): string => {
  const amount = minMinor === null && maxMinor === null ? [] : [`${minMinor ?? 0}–${maxMinor ?? ''}`];
  const facts = [listText(countries), listText(currencies), listText(methods), ...amount];
  return `${facts.join(' · ')} → ${provider ?? '–'}`;
};

/** The whole list takes the place of the one before, on record. Pages know within seconds; begun payments go on as they are. */
export async function saveRules(
  { db }: Pick<Shop, 'db'>,
  actor: Actor,
  { companyId, providers, rules }: { companyId: string; providers: readonly string[]; rules: readonly RoutingRule[] },
): Promise<void> {
  checkRules(rules, providers);
  await db.transaction(async tx => {
    await lockCompany(tx, companyId);
    const { rules: before } = await readRouting(tx, companyId);
    if (JSON.stringify(before) === JSON.stringify(rules)) return;
    await upsertRules(tx, companyId, rules);
    writeAudit(tx, actor, {
      companyId,
      kind: 'payment_method.rules_changed',
      before: { rules: before.map(ruleText) },
      after: { rules: rules.map(ruleText) },
    });
  });
}
