import { reasons } from '@coinslot/texts/reasons';
import type { Queryable, Tx } from '../../../db/db.ts';
import { AppError, invalidField } from '../../../kit/app-error.ts';
import { type Actor, writeAudit } from '../../audit/audit.ts';
import { lockCompany } from '../../company/member.sql.ts';
import { listCompanyGames } from '../../game/game.sql.ts';
import type { Shop } from '../../shop.ts';
import { findMethod } from '../methods/method-table.ts';
import type { RoutingRule } from '../methods/routing-rules.ts';
import { upsertRules } from './company-choices.sql.ts';
import { listAccountNames } from './provider-account.sql.ts';
import { readRouting } from './read-choices.ts';

/** What a company's rules can name. */
export interface Nameable {
  providers: readonly string[];
  /** Those that were left too: a rule may outlive them. */
  accounts: readonly { provider: string; accountId: string }[];
  games: readonly string[];
}

export async function readNameable(db: Queryable, companyId: string, providers: readonly string[]): Promise<Nameable> {
  const [accounts, games] = await Promise.all([listAccountNames(db, companyId), listCompanyGames(db, companyId)]);
  return { providers, accounts, games: games.map(({ id }) => id) };
}

/** Throws for a rule that names what is not there, or an amount without saying of which currency. */
export function checkRules(rules: readonly RoutingRule[], { providers, accounts, games }: Nameable): void {
  rules.forEach(({ provider, account, methods, currencies, minMinor, maxMinor, games: named }, i) => {
    if (account !== null && !accounts.some(one => one.provider === provider && one.accountId === account))
      throw invalidField(`/rules/${i}/account`, 'enum', reasons.text('en', 'choice.no_account'));
    if (named?.some(id => !games.includes(id))) throw new AppError('not_found');
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
const ruleText = (rule: RoutingRule): string => {
  const { games, countries, currencies, methods, minMinor, maxMinor, provider, account } = rule;
  const amount = minMinor === null && maxMinor === null ? [] : [`${minMinor ?? 0}–${maxMinor ?? ''}`];
  const ofGames = games ? [listText(games)] : [];
  const facts = [...ofGames, listText(countries), listText(currencies), listText(methods), ...amount];
  return `${facts.join(' · ')} → ${provider ?? '–'}${account === null ? '' : ` ${account}`}`;
};

/** The whole list takes the place of the one before, on record. Pages know within seconds; begun payments go on as they are. */
export async function saveRules(
  { db }: Pick<Shop, 'db'>,
  actor: Actor,
  { companyId, providers, rules }: { companyId: string; providers: readonly string[]; rules: readonly RoutingRule[] },
): Promise<void> {
  checkRules(rules, await readNameable(db, companyId, providers));
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

/** Rules that name an account name the one that took its place. */
export async function moveRules(tx: Tx, companyId: string, from: string, to: string): Promise<void> {
  const { rules } = await readRouting(tx, companyId);
  if (!rules.some(({ account }) => account === from)) return;
  await upsertRules(
    tx,
    companyId,
    rules.map(rule => (rule.account === from ? { ...rule, account: to } : rule)),
  );
}
