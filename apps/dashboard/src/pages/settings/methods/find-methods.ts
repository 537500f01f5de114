import type { DashboardMethod } from '@coinslot/contract';
import { formatCountry } from '../../../kit/format.ts';
import { language, tryText } from '../../../texts/texts.ts';

export const nameOf = ({ id, name }: { id: string; name: string }): string => tryText(`method.${id}`) ?? name;

export interface MethodSearch {
  text: string;
  /** Empty: any. */
  country: string;
  currency: string;
}

/** Accents and case do not matter to a searcher. */
const plain = (text: string): string => text.normalize('NFD').replaceAll(/\p{M}/gu, '').toLowerCase();

const holds = (list: readonly string[] | null, value: string): boolean =>
  value === '' || list === null || list.includes(value);

/** By name, and by where it works: a method without a list works everywhere. */
export function findMethods(methods: readonly DashboardMethod[], search: MethodSearch): DashboardMethod[] {
  const wanted = plain(search.text.trim());
  return methods.filter(
    method =>
      (wanted === '' || plain(`${nameOf(method)} ${method.name} ${method.id}`).includes(wanted)) &&
      holds(method.countries, search.country) &&
      holds(method.currencies, search.currency),
  );
}

const everyValue = (methods: readonly DashboardMethod[], of: 'countries' | 'currencies'): string[] => [
  ...new Set(methods.flatMap(method => method[of] ?? [])),
];

/** Where any method has a list; other countries see what has none. */
export const countriesOf = (methods: readonly DashboardMethod[]): { code: string; name: string }[] =>
  everyValue(methods, 'countries')
    .map(code => ({ code, name: formatCountry(language, code) }))
    .toSorted((a, b) => a.name.localeCompare(b.name, language));

export const currenciesOf = (methods: readonly DashboardMethod[]): string[] =>
  everyValue(methods, 'currencies').toSorted();
