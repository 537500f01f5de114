import { useNavigate, useSearch } from '@tanstack/react-router';
import { useCallback } from 'react';
import { PAGE_ROWS } from '../first/first-reads.ts';

/** What the address says after the question mark. */
export type Filters = Readonly<Record<string, string | undefined>>;

/** Addresses stay readable: `?status=declined&range=7d`. Anything but text is dropped. */
export const textFilters = (search: Readonly<Record<string, unknown>>): Record<string, string> =>
  Object.fromEntries(
    Object.entries(search).flatMap(([key, value]) => (typeof value === 'string' ? [[key, value] as const] : [])),
  );

export const readSearch = (text: string): Record<string, string> => Object.fromEntries(new URLSearchParams(text));

export function writeSearch(search: Readonly<Record<string, unknown>>): string {
  const text = new URLSearchParams(textFilters(search)).toString();
  return text === '' ? '' : `?${text}`;
}

/** A cursor belongs to the filters it came from, so a changed filter starts again at the first page. */
export const changedFilters = (before: Filters, patch: Filters): Filters => ({
  ...before,
  cursor: undefined,
  ...patch,
});

type Named<Key extends string> = { [Name in Key]?: string };

/** The named filters that are set. */
export const pickFilters = <Key extends string>(filters: Filters, ...keys: readonly Key[]): Named<Key> =>
  Object.fromEntries(keys.flatMap(key => (filters[key] ? [[key, filters[key]]] : []))) as Named<Key>;

export const isFiltered = (filters: Filters, keys: readonly string[]): boolean =>
  [...keys, 'cursor'].some(key => filters[key] !== undefined);

/** One page of a list: the named filters and the cursor, as the server takes them. */
export const pageQuery = <Key extends string = never>(filters: Filters, ...keys: readonly Key[]) => ({
  limit: PAGE_ROWS,
  ...pickFilters<Key | 'cursor'>(filters, ...keys, 'cursor'),
});

export interface Choice {
  value: string;
  label: string;
}

/** Several values of one filter are separated by commas in the address. */
export const chosenOf = (value: string | undefined): string[] => (value ? value.split(',') : []);

/** The filter's value after one of its choices was switched; without `many` a choice replaces the other. */
export function toggleChoice(value: string | undefined, choice: string, isOn: boolean, many: boolean): string {
  if (!many) return isOn ? choice : '';
  const others = chosenOf(value).filter(one => one !== choice);
  return (isOn ? [...others, choice] : others).join(',');
}

/** The labels of what is chosen; a value without a choice, such as from an old link, is shown as it is. */
export const choiceText = (value: string, choices: readonly Choice[] = []): string =>
  chosenOf(value)
    .map(one => choices.find(choice => choice.value === one)?.label ?? one)
    .join(', ');

export function useFilters(): [Filters, (patch: Filters, options?: { replace?: boolean }) => void] {
  const filters = useSearch({ strict: false }) as Filters;
  const navigate = useNavigate();
  const change = useCallback(
    (patch: Filters, { replace = false } = {}) => {
      void navigate({
        to: '.',
        search: (before: Filters) => changedFilters(before, patch),
        replace,
        resetScroll: false,
      });
    },
    [navigate],
  );
  return [filters, change];
}
