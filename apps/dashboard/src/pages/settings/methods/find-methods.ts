import type { DashboardMethod } from '@coinslot/contract';
import { formatCountry } from '../../../kit/format.ts';
import { language, tryText } from '../../../texts/texts.ts';

export const nameOf = ({ id, name }: { id: string; name: string }): string => tryText(`method.${id}`) ?? name;

export interface MethodSearch {
  text: string;
  /** Empty for any country. */
  country: string;
  currency: string;
}

/** Removes accents and case, so that a search finds both spellings. */
const searchable = (text: string): string => text.normalize('NFD').replaceAll(/\p{M}/gu, '').toLowerCase();

const includesOrAny = (list: readonly string[] | null, value: string): boolean =>
  value === '' || list === null || list.includes(value);

/** Finds methods by name and by where they work. A method without a list of countries works everywhere. */
export function findMethods(methods: readonly DashboardMethod[], search: MethodSearch): DashboardMethod[] {
  const wanted = searchable(search.text.trim());
  return methods.filter(
    method =>
      (wanted === '' || searchable(`${nameOf(method)} ${method.name} ${method.id}`).includes(wanted)) &&
      includesOrAny(method.countries, search.country) &&
      includesOrAny(method.currencies, search.currency),
  );
}

const everyValue = (methods: readonly DashboardMethod[], of: 'countries' | 'currencies'): string[] => [
  ...new Set(methods.flatMap(method => method[of] ?? [])),
];

/** Lists the countries that any method names. In all others, players see the methods without a list. */
export const countriesOf = (methods: readonly DashboardMethod[]): { code: string; name: string }[] =>
  everyValue(methods, 'countries')
    .map(code => ({ code, name: formatCountry(language, code) }))
    .toSorted((a, b) => a.name.localeCompare(b.name, language));

export const currenciesOf = (methods: readonly DashboardMethod[]): string[] =>
  everyValue(methods, 'currencies').toSorted();
