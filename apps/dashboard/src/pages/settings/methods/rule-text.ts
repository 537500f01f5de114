import type { DashboardMethod, ProviderState, RoutingRule } from '@coinslot/contract';
import { formatCountry } from '../../../kit/format.ts';
import { language, t } from '../../../texts/texts.ts';
import { nameOf } from './find-methods.ts';
import { countriesText, currenciesText, limitText } from './method-text.ts';

/** Whom a rule is for: countries, currencies, methods and amounts, without what it leaves open. */
export function conditionText(rule: RoutingRule, all: readonly DashboardMethod[]): string {
  const { countries, currencies, methods, min_amount: min, max_amount: max } = rule;
  const named = methods
    ?.map(id => all.find(method => method.id === id))
    .map((found, i) => (found ? nameOf(found) : methods[i]));
  const parts = [
    named?.join(', ') ?? t('rules.anyMethod'),
    ...(countries ? [countriesText(countries)] : []),
    ...(currencies ? [currenciesText(currencies)] : []),
    ...(currencies?.[0] ? [limitText({ currency: currencies[0], min, max })] : []),
  ];
  return parts.filter(text => text !== '').join(' · ');
}

export const targetText = ({ provider }: RoutingRule, providers: readonly ProviderState[]): string =>
  provider === null
    ? t('rules.notOffered')
    : t('methods.routeBy', { provider: providers.find(one => one.provider === provider)?.title ?? provider });

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
