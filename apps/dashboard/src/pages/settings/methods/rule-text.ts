import type { CompanyLine, DashboardMethod, ProviderState, RoutingRule } from '@coinslot/contract';
import { formatCountry } from '../../../kit/format.ts';
import { language, t } from '../../../texts/texts.ts';
import { accountName } from '../accounts/account-text.ts';
import { nameOf } from './find-methods.ts';
import { countriesText, currenciesText, limitText } from './method-text.ts';

/** Whom a rule is for: games, countries, currencies, methods and amounts, without what it leaves open. */
export function conditionText(rule: RoutingRule, all: readonly DashboardMethod[], games: CompanyLine['games']): string {
  const { countries, currencies, methods, min_amount: min, max_amount: max } = rule;
  const named = methods
    ?.map(id => all.find(method => method.id === id))
    .map((found, i) => (found ? nameOf(found) : methods[i]));
  const ofGames = rule.games?.map(id => games.find(game => game.id === id)?.name ?? id);
  const parts = [
    ...(ofGames ? [ofGames.join(', ')] : []),
    named?.join(', ') ?? t('rules.anyMethod'),
    ...(countries ? [countriesText(countries)] : []),
    ...(currencies ? [currenciesText(currencies)] : []),
    ...(currencies?.[0] ? [limitText({ currency: currencies[0], min, max })] : []),
  ];
  return parts.filter(text => text !== '').join(' · ');
}

/** "Stripe · Europe". An account that is connected no longer is named by its ID. */
function takerText(provider: string, account: string | null, providers: readonly ProviderState[]): string {
  const state = providers.find(one => one.provider === provider);
  const title = state?.title ?? provider;
  if (account === null) return title;
  const found = [...(state?.connections ?? []), ...(state?.leaving ?? [])].find(one => one.account_id === account);
  return t('rules.accountOf', { provider: title, account: found ? accountName(found) : account });
}

export const targetText = ({ provider, account = null }: RoutingRule, providers: readonly ProviderState[]): string =>
  provider === null
    ? t('rules.notOffered')
    : t('methods.routeBy', { provider: takerText(provider, account, providers) });

export interface Taker {
  provider: string;
  account: string | null;
  text: string;
}

/** Whom a rule can name: each connected provider and, where it has several accounts, each of those. */
export const takersOf = (providers: readonly ProviderState[]): Taker[] =>
  providers
    .filter(({ connections }) => connections.length > 0)
    .flatMap(({ provider, connections }) => {
      const accounts = connections.length > 1 ? connections.map(({ account_id }) => account_id) : [];
      return [null, ...accounts].map(account => ({
        provider,
        account,
        text: takerText(provider, account, providers),
      }));
    });

export function swapped(rules: readonly RoutingRule[], one: number, other: number): RoutingRule[] {
  const moved = [...rules];
  [moved[one], moved[other]] = [moved[other]!, moved[one]!];
  return moved;
}

/** Codes as a member types them: "pl, de" are two. Null if nothing is typed. */
export function codesIn(text: string): string[] | null {
  const codes = text.toUpperCase().match(/[A-Z]+/g);
  return codes && [...codes];
}

export const placeText = (country: string): string =>
  country === '' ? t('methods.unknownCountry') : formatCountry(language, country);
